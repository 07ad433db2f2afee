import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { commands, window } from 'vscode';
import { emptyQuery } from '../../../../../src/features/search/searchQuery';
import { cancelProgress } from '../../../support/cancelProgress';
import { comparedTexts, openInEditor, closeWithoutSaving, replaceAll, type } from '../../../support/editing';
import { nextEvent, until } from '../../../support/event';
import { type Answer, enter, escape } from '../../../support/person';
import { labelOf, labelsBelow, rowsBelow } from '../../../support/trees';
import { windowScene } from '../../../support/windowScene';

const folder = '/var/www/webroot/replace';

describe('Replace in Results', () => {
  const scene = windowScene({ sample: 'environments', signedOut: true });
  const { person } = scene;
  const cp = scene.environment('shop').layer('cp').below(folder);
  const { put, text } = cp;

  beforeEach(async () => {
    // No replacement of another test is left to undo.
    await scene.parts.settled();
    await scene.signIn();
    person.enter();
    await put('a.conf', 'tea\nmilk\ntea\n');
    await put('b.conf', 'tea\n');
  });

  afterEach(async () => {
    current().clear();
    scene.parts.listings.forgetAll();
    await cp.remove('');
    await scene.signOut();
  });

  const view = () => scene.parts.search.view;
  const current = () => scene.parts.search.current;
  const place = () => cp.place('');
  const search = (words: string) => current().start(place(), { ...emptyQuery, text: words });
  const labels = (...path: readonly string[]) => labelsBelow(view(), ...path);
  const rowOf = async (label: string, ...path: readonly string[]) => {
    const rows = await rowsBelow(view(), ...path);
    return rows.find((row) => labelOf(view(), row).includes(label)) ?? assert.fail(`no row ${label}`);
  };
  const replace = async (by: string, choice: string, row?: unknown) => {
    await person.answering([by, choice], () =>
      commands.executeCommand('gantry.search.replace', ...(row === undefined ? [] : [row, [row]])),
    );
    return person.seen.join('\n');
  };
  const undo = (...answers: readonly Answer[]) =>
    person.answering(answers, () => commands.executeCommand('gantry.search.undoReplace'));

  it("keeps the lines of a file that weren't replaced, where they are then", async () => {
    await search('tea');
    await replace('hot\\nwater', 'Replace 1 match in 1 file', await rowOf('1: tea', 'a.conf'));
    assert.equal(await text('a.conf'), 'hot\\nwater\nmilk\ntea\n');
    assert.deepEqual(await labels('a.conf'), ['3: tea']);
    await replace('coffee', 'Replace 2 matches in 2 files');
    assert.deepEqual(await labels(), []);
    assert.deepEqual([await text('a.conf'), await text('b.conf')], ['hot\\nwater\nmilk\ncoffee\n', 'coffee\n']);
  });

  it("isn't offered, and asks nothing, while the token is known to lack the right to write", async () => {
    await search('tea');
    await replace('coffee', 'Replace 2 matches in 1 file', await rowOf('a.conf'));
    const words = async (...path: readonly string[]) =>
      (await rowsBelow(view(), ...path)).map((row) => view().getTreeItem(row).contextValue);
    assert.deepEqual([await words(), await words('b.conf')], [['foundFile'], ['foundLine']]);
    const fault = { kind: 'refuse', result: 8202, error: 'not permitted' } as const;
    scene.fail('Write', fault);
    const shown = nextEvent(view().onDidChangeTreeData);
    await replace('coffee', 'Replace 1 match in 1 file');
    await shown;
    assert.deepEqual([await words(), await words('b.conf')], [['foundFile noWrite'], ['foundLine noWrite']]);
    const lacking = /the access token doesn't permit this method\. .*environment\.file\.Write/;
    for (const command of ['gantry.search.replace', 'gantry.search.undoReplace']) {
      await person.answering([], () => commands.executeCommand(command));
      assert.equal(person.seen.length, 1, command);
      assert.match(person.seen.join(), lacking, command);
    }
    assert.deepEqual([await text('a.conf'), await text('b.conf')], ['coffee\nmilk\ncoffee\n', 'tea\n']);
    scene.parts.accounts.forgetRights();
    assert.deepEqual(await words(), ['foundFile']);
  });

  it('says before it replaces that the search is incomplete, and which changes are not shown', async () => {
    await put('c.conf', 'tea\n');
    await search('tea');
    const running = search('tea');
    current().cancel();
    await running;
    const found = current().search ?? assert.fail('no search');
    await found.refresh(cp.place('a.conf'));
    await found.refresh(cp.place('b.conf'));
    await put('b.conf', 'green tea\n');
    await person.answering(['coffee', escape], () => commands.executeCommand('gantry.search.replace'));
    const seen = person.seen.join('\n');
    assert.match(seen, /Replace 3 matches in 2 files: .*The search didn't finish, so there may be more matches\./);
    assert.match(seen, /1 file isn't in the preview because it changed or can't be read\./);
    assert.equal(await text('a.conf'), 'tea\nmilk\ntea\n');
  });

  it('asks before it undoes the newest replacement, and names its files and when it was', async () => {
    await search('tea');
    await replace('coffee', 'Replace 3 matches in 2 files');
    await person.answering(['Undo'], () => commands.executeCommand('gantry.search.undoReplace'));
    const seen = person.seen.join('\n');
    assert.match(seen, /Undo the replacement in 2 files\?/);
    assert.match(seen, /The text was replaced just now\./);
    assert.ok(seen.includes(`${folder}/a.conf\n${folder}/b.conf`), seen);
    assert.match(seen, /Restored 2 files\./);
    assert.equal(await text('b.conf'), 'tea\n');
  });

  it('shows the matches again after an undo, and closes the preview of the changes', async () => {
    const previews = () =>
      window.tabGroups.all
        .flatMap(({ tabs }) => tabs)
        .filter(({ label }) => label.startsWith('Replace in Results: Changes'));
    await search('tea');
    await replace('coffee', 'Replace 3 matches in 2 files');
    assert.deepEqual([await labels(), previews().length], [[], 1]);
    scene.platform.journal.reset();
    await undo('Undo');
    assert.match(person.seen.join('\n'), /Restored 2 files\./);
    assert.deepEqual([await labels('a.conf'), await labels('b.conf')], [['1: tea', '3: tea'], ['1: tea']]);
    assert.deepEqual(previews(), []);
    const [read, files] = [scene.count('Read'), 2];
    assert.equal(read, 2 * files, 'before and after each write, and not for the results');
    await search('coffee');
    assert.deepEqual(await labels(), []);
  });

  it('restores a file whose write got no response and arrived later', async () => {
    await search('tea');
    const { saveLimits } = scene.parts.files;
    const { pauses } = saveLimits;
    saveLimits.pauses = [];
    const fault = { kind: 'gatewayError', status: 504, when: 'during' } as const;
    const late = scene.fail('Write', fault);
    try {
      await replace('coffee', 'Replace 1 match in 1 file', await rowOf('b.conf'));
    } finally {
      saveLimits.pauses = pauses;
    }
    assert.match(person.seen.at(-1) ?? '', /^Couldn't confirm that text was replaced in b\.conf: .+ Check the file\.$/);
    assert.equal(await text('b.conf'), 'tea\n');
    late.release();
    while ((await text('b.conf')) !== 'coffee\n');
    await undo('Undo');
    assert.equal(await text('b.conf'), 'tea\n');
  });

  it('says why if Undo in the message fails', async () => {
    await search('tea');
    let press = (): void => undefined;
    const when = new Promise<void>((resolve) => (press = resolve));
    await person.answering(['coffee', 'Replace 3 matches in 2 files', { presses: 'Undo', when }], () =>
      commands.executeCommand('gantry.search.replace'),
    );
    const { journal } = scene.parts.files;
    Object.assign(journal, { entries: () => Promise.reject(new Error('the disk is gone')) });
    try {
      press();
      await until(person.onDidSee, () => person.seen.some((one) => one.includes('the disk is gone')));
    } finally {
      Reflect.deleteProperty(journal, 'entries');
    }
    await undo('Undo');
    assert.deepEqual([await text('a.conf'), await text('b.conf')], ['tea\nmilk\ntea\n', 'tea\n']);
  });

  it('shows the matches again after Undo in the message, and only those of the search that is shown then', async () => {
    await put('more/c.conf', 'tea\n');
    await search('tea');
    let press = (): void => undefined;
    const when = new Promise<void>((resolve) => (press = resolve));
    await person.answering(['coffee', 'Replace 4 matches in 3 files', { presses: 'Undo', when }], () =>
      commands.executeCommand('gantry.search.replace'),
    );
    await current().start(cp.place('more'), { ...emptyQuery, text: 'coffee' });
    assert.deepEqual(await labels('c.conf'), ['1: coffee']);
    await current().start(cp.place('more'), { ...emptyQuery, text: 'tea', exclude: 'none' });
    press();
    await until(person.onDidSee, () => person.seen.includes('Restored 3 files.'));
    assert.deepEqual(await labels('c.conf'), ['1: tea']);
    assert.equal(current().search?.matchCount, 1);
  });

  describe('on a layer with several nodes', () => {
    const elsewhere = (name: string) => text(name, 1);
    const replaceOnAll = async () => {
      const answers = ['coffee', 'Replace 3 matches in 2 files', { presses: 'Save to All Nodes' }];
      await person.answering(answers, () => commands.executeCommand('gantry.search.replace'));
      await until(person.onDidSee, () => person.seen.some((one) => one.endsWith('on all nodes.')));
    };

    beforeEach(async () => {
      await put('a.conf', 'tea\nmilk\ntea\n', 1);
      await put('b.conf', 'tea\n', 1);
      await scene.parts.environments.of(scene.account);
      await search('tea');
    });

    afterEach(() => cp.remove('', 1));

    it('offers to save to all of them, and undoes that everywhere', async () => {
      await replaceOnAll();
      assert.equal(person.seen.at(-1), 'Saved 2 files on all nodes.');
      assert.deepEqual([await elsewhere('a.conf'), await elsewhere('b.conf')], ['coffee\nmilk\ncoffee\n', 'coffee\n']);
      await undo('Undo');
      for (const read of [text, elsewhere])
        assert.deepEqual([await read('a.conf'), await read('b.conf')], ['tea\nmilk\ntea\n', 'tea\n']);
    });

    it('leaves a file as it is on the others if one has another version, and says so', async () => {
      await put('b.conf', 'green tea\n', 1);
      await replaceOnAll();
      assert.equal(person.seen.at(-1), 'Saved 1 of 2 files on all nodes.');
      assert.deepEqual(
        [await elsewhere('a.conf'), await elsewhere('b.conf')],
        ['coffee\nmilk\ncoffee\n', 'green tea\n'],
      );
      await undo('Undo');
      assert.deepEqual([await text('b.conf'), await elsewhere('b.conf')], ['tea\n', 'green tea\n']);
      assert.equal(await elsewhere('a.conf'), 'tea\nmilk\ntea\n');
    });

    it('offers a restart for a configuration, like any save', async () => {
      const restart = { presses: 'Restart Service…' };
      await person.answering(['coffee', 'Replace 3 matches in 2 files', restart, escape], async () => {
        const asked = until(person.onDidSee, () => person.seen.includes('Select what to restart'));
        await commands.executeCommand('gantry.search.replace');
        await asked;
      });
    });
  });

  it('offers to compare the earlier texts with files that have changed since', async () => {
    await search('tea');
    await replace('coffee', 'Replace 3 matches in 2 files');
    await put('a.conf', 'by a colleague\n');
    await undo('Undo', { presses: 'Compare' });
    assert.deepEqual([await text('a.conf'), await text('b.conf')], ['by a colleague\n', 'tea\n']);
    assert.deepEqual(await comparedTexts(), ['tea\nmilk\ntea\n', 'by a colleague\n']);
    await closeWithoutSaving();
    await put('a.conf', 'coffee\nmilk\ncoffee\n');
    await undo('Undo');
    assert.equal(await text('a.conf'), 'tea\nmilk\ntea\n');
    await search('tea');
    await replace('coffee', 'Replace 3 matches in 2 files');
    await put('a.conf', 'by a colleague\n');
    await put('b.conf', 'by another\n');
    await undo('Undo', { presses: 'Compare' });
    assert.match(window.tabGroups.activeTabGroup.activeTab?.label ?? '', /^Earlier Texts ↔ Current/);
    await closeWithoutSaving();
    await put('a.conf', 'coffee\nmilk\ncoffee\n');
    await put('b.conf', 'coffee\n');
    await undo('Undo');
    assert.deepEqual([await text('a.conf'), await text('b.conf')], ['tea\nmilk\ntea\n', 'tea\n']);
  });

  it('undoes an older replacement after a newer one whose file has changed since, and that one once it can', async () => {
    await search('milk');
    await replace('cream', 'Replace 1 match in 1 file');
    await search('tea');
    await replace('coffee', 'Replace 2 matches in 1 file', await rowOf('a.conf'));
    await put('a.conf', 'something else\n');
    await undo('Undo');
    assert.match(
      person.seen.join('\n'),
      /Couldn't restore a\.conf: it changed in the meantime, so nothing was written\. Check the file\.$/m,
    );
    await put('a.conf', 'tea\ncream\ntea\n');
    await undo(enter, 'Undo');
    assert.equal(await text('a.conf'), 'tea\nmilk\ntea\n');
    await put('a.conf', 'coffee\ncream\ncoffee\n');
    await undo('Undo');
    assert.equal(await text('a.conf'), 'tea\ncream\ntea\n');
    await undo();
    assert.match(person.seen.join('\n'), /No replacement to undo\./);
  });

  it('keeps the earlier text of a file with unsaved changes, and restores it once they are reverted', async () => {
    await search('tea');
    await replace('coffee', 'Replace 3 matches in 2 files');
    const document = await openInEditor(cp.uri('a.conf'));
    await type(document, ' ');
    await undo('Undo', { presses: 'Show Details' }, escape);
    const seen = person.seen.join('\n');
    assert.match(
      seen,
      /^Restored 1 of 2 files\. Skipped a\.conf because of unsaved changes: undo or revert them, then run Undo Replacement again\.$/m,
    );
    assert.match(seen, /a\.conf: skipped because of unsaved changes$/m);
    assert.equal(document.getText(), ' coffee\nmilk\ncoffee\n');
    assert.deepEqual([await text('a.conf'), await text('b.conf')], ['coffee\nmilk\ncoffee\n', 'tea\n']);
    await undo('Undo');
    assert.match(
      person.seen.join('\n'),
      /^Skipped a\.conf because of unsaved changes: undo or revert them, then run Undo Replacement again\.$/m,
    );
    await commands.executeCommand('workbench.action.files.revert');
    await undo('Undo');
    assert.match(person.seen.join('\n'), /Restored 1 file\./);
    assert.equal(await text('a.conf'), 'tea\nmilk\ntea\n');
  });

  it('keeps the earlier text of a file that it restores only in an editor, which may close without saving', async () => {
    await search('tea');
    await replace('coffee', 'Replace 1 match in 1 file', await rowOf('1: tea', 'b.conf'));
    const document = await openInEditor(cp.uri('b.conf'));
    await type(document, ' ');
    await replaceAll(document, 'coffee\n');
    assert.ok(document.isDirty);
    await undo('Undo');
    assert.match(person.seen.join('\n'), /1 file has unsaved changes\. Save it to finish\./);
    assert.equal(document.getText(), 'tea\n');
    await closeWithoutSaving();
    assert.equal(await text('b.conf'), 'coffee\n');
    await undo('Undo');
    assert.equal(await text('b.conf'), 'tea\n');
  });

  it('says what became of the file that it was restoring when the undo was canceled', async () => {
    await search('tea');
    await replace('coffee', 'Replace 3 matches in 2 files');
    scene.fail('Write', { kind: 'wrongText', text: 'damaged' });
    const writing = scene.hang('Write');
    const leave = cancelProgress(writing.reached);
    const { withProgress } = window;
    Object.assign(window, {
      withProgress: ((options, task) =>
        withProgress(options, (progress, token) => {
          token.onCancellationRequested(() => writing.release());
          return task(progress, token);
        })) satisfies typeof withProgress,
    });
    try {
      await undo('Undo', { presses: 'Show Details' }, escape);
    } finally {
      leave();
    }
    const seen = person.seen.join('\n');
    assert.match(seen, /^Undo canceled\. Restored 0 of 2 files\.$/m);
    assert.match(seen, /[ab]\.conf: other content on node \d+$/m);
    assert.match(seen, /[ab]\.conf: not attempted$/m);
  });

  const takeOnlyUrls = async () => {
    await scene.signOut();
    await scene.signInWith({ description: 'urls', tokenTemplate: 'IDE Plugins' }, 'urls', { transport: 'query' });
  };

  it('counts a file as restored whose editor got its text back before another file was saved in pieces', async () => {
    await takeOnlyUrls();
    const long = `${'x'.repeat(4_000)}\n`;
    await put('much.conf', long);
    await current().start(place(), { ...emptyQuery, text: 'tea|x{4000}', isRegex: true });
    await replace('coffee', 'Replace 4 matches in 3 files');
    const document = await openInEditor(cp.uri('b.conf'));
    await type(document, ' ');
    await replaceAll(document, 'coffee\n');
    await undo('Undo', 'Save in Pieces');
    assert.match(person.seen.at(-1) ?? '', /^Restored 3 files\. 1 file has unsaved changes\. Save it to finish\.$/);
    assert.equal(document.getText(), 'tea\n');
    assert.deepEqual([await text('much.conf'), await text('a.conf')], [long, 'tea\nmilk\ntea\n']);
  });

  it('offers pieces for a text too long for a URL, where the platform takes nothing else', async () => {
    await takeOnlyUrls();
    const long = `tea\n${'x'.repeat(4_000)}\n`;
    await put('long.conf', long);
    await search('tea');
    const run = (...answers: readonly Answer[]) =>
      person.answering(['coffee', ...answers], () => commands.executeCommand('gantry.search.replace'));
    await run('Replace 4 matches in 3 files', escape);
    assert.match(person.seen.join('\n'), /Save long\.conf in pieces\?[^]*incomplete until its last piece arrives/);
    assert.deepEqual([await text('long.conf'), await text('b.conf')], [long, 'coffee\n']);
    await search('tea');
    await run('Replace 1 match in 1 file', 'Save in Pieces');
    assert.equal(await text('long.conf'), long.replace('tea', 'coffee'));
    await undo('Undo');
    assert.equal(await text('long.conf'), long);
  });

  it('stops when the platform is gone, and says which files it did not try', async () => {
    for (let n = 0; n < 6; n += 1) await put(`more/${n}.conf`, 'tea\n');
    await search('tea');
    scene.platform.journal.reset();
    scene.fail('Read', { kind: 'reset' }, { times: 'always' });
    await person.answering(
      ['coffee', 'Replace 9 matches in 8 files', { presses: 'Show Details' }, 'Copy Diagnostics'],
      () => commands.executeCommand('gantry.search.replace'),
    );
    assert.match(person.seen.join('\n'), /more\/5\.conf: not attempted/);
    assert.equal(await text('b.conf'), 'tea\n');
  });
});
