import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { mentions, staleTexts, textsOfSource } from '../../host/sourceTexts';

const partsOf = (source: string) => textsOfSource(source).map(({ parts }) => parts);
const stale = (test: string, removed: string, ...current: readonly string[]) =>
  staleTexts(textsOfSource(test), [[removed]], partsOf(current.map((text) => JSON.stringify(text)).join(';')));

describe('the texts that a test waits for', () => {
  it('are strings, templates, and the fixed parts of regular expressions, but no titles and imports', () => {
    const source = [
      "import { it } from 'mocha';",
      "it('is a title', () => {",
      '  answer(`Deployed ${commit} to ROOT`);',
      String.raw`  wait(/Restarted on .+\. Copied \d+ files$/);`,
      "  l10n.t('{0} is up to date with {1}');",
      '});',
    ].join('\n');
    assert.deepEqual(textsOfSource(source), [
      { line: 3, parts: ['Deployed ', ' to ROOT'] },
      { line: 4, parts: ['Restarted on ', '. Copied ', ' files'] },
      { line: 5, parts: [' is up to date with '] },
    ]);
  });

  it('are stale if the change removed them', () => {
    const test = "line.includes('Ctrl-C')";
    const [found] = stale(test, '  Ctrl-C ends all of it.', '  Press Ctrl+C to stop everything.');
    assert.deepEqual(found, { line: 1, parts: ['Ctrl-C'], was: ['  Ctrl-C ends all of it.'] });
    assert.equal(
      stale("wait('ROOT is already up to date')", ' is already up to date with ', ' is current at ').length,
      1,
    );
    assert.equal(stale('wait(/has changed on .+/)', 'The file has changed on ', 'The file differs on ').length, 1);
  });

  it('are not stale if the sources still have them, in whichever text', () => {
    assert.deepEqual(stale("wait('has changed on')", 'The file has changed on ', 'It has changed on '), []);
    assert.deepEqual(stale("wait('Save')", 'Save', 'Save and Restart'), []);
  });

  it('are not stale if they have only a few words in common with a removed text', () => {
    assert.deepEqual(stale("write('only on the second')", 'because Git is off. Turn on the setting.', 'none'), []);
    assert.deepEqual(stale("write('redeploy the shop')", 'Select the project to deploy the newest commit of', ''), []);
  });

  it('show which window tests a feature touches', () => {
    const texts = [['Replaced ', ' matches in ', ' files.'], ['forbidden']];
    assert.equal(mentions(textsOfSource("wait('Replaced 3 matches in 3 files.')"), texts), true);
    assert.equal(mentions(textsOfSource("wait('Restored 3 files.'); kind('forbidden')"), texts), false);
  });
});
