import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { getL10nJson } from '@vscode/l10n-dev';
import { describe, it } from 'mocha';
import manifest from '../../../package.json';
import words from '../../../package.nls.json';
import { toolNames } from '../../../src/manifest';
import { projectFolder } from '../../host/folders';
import { limit } from '../../host/limits';
import { localizedIn, placeholdersIn, plainWordsIn } from './userFacing';

const sourceFolder = join(projectFolder, 'src');
/** The platform's room knows no VS Code and so no languages, but for the words of its failures, which take the language as a parameter. */
const withoutLanguage = ['platform', 'manifest.ts'];
const failureWords = 'platform/failureTexts.ts';

const sources = readdirSync(sourceFolder, { recursive: true, encoding: 'utf8' })
  .filter(
    (name) => name.endsWith('.ts') && (name === failureWords || !withoutLanguage.some((room) => name.startsWith(room))),
  )
  .map((name) => ({ name: relative('.', join('src', name)), text: readFileSync(join(sourceFolder, name), 'utf8') }));

describe('the texts of the manifest', () => {
  const used = [...JSON.stringify(manifest).matchAll(/"%([^%"]+)%"/g)].map(([, key]) => key);

  it('all exist', () => {
    assert.deepEqual(
      [...new Set(used)].filter((key) => key !== undefined && !(key in words)),
      [],
    );
  });

  it('are all used', () => {
    assert.deepEqual(
      Object.keys(words).filter((key) => !used.includes(key)),
      [],
    );
  });

  it('are only in package.nls.json', () => {
    const shown = [
      'title',
      'category',
      'description',
      'markdownDescription',
      'contents',
      'altText',
      'patternErrorMessage',
      'name',
      'label',
      'displayName',
    ];
    const own: readonly string[] = ['Gantry', manifest.name, manifest.displayName, ...toolNames];
    const plain: string[] = [];
    const look = (value: unknown, key: string): void => {
      if (typeof value === 'string') {
        if (shown.includes(key) && !/^%.+%$/.test(value) && !own.includes(value)) plain.push(`${key}: ${value}`);
      } else if (typeof value === 'object' && value !== null) {
        // Only models read the descriptions of a tool's input.
        const parts = Object.entries(value).filter(([name]) => name !== 'inputSchema');
        parts.forEach(([name, part]) => look(part, Array.isArray(value) ? key : name));
      }
    };
    look(manifest.contributes, '');
    assert.deepEqual(plain, []);
  });

  it("aren't empty", () => {
    assert.deepEqual(
      Object.entries(words).filter(([, text]) => text.trim() === ''),
      [],
    );
  });
});

describe('the translations', () => {
  it('are loaded if there are any, and otherwise not looked for, because VS Code would log an error', () => {
    const folder = join(projectFolder, 'l10n');
    const translations = existsSync(folder) ? readdirSync(folder) : [];
    const declared = 'l10n' in manifest ? manifest.l10n : undefined;
    assert.equal(declared, translations.length > 0 ? './l10n' : undefined);
    assert.ok(!translations.includes('bundle.l10n.json'), 'The English texts are in the source.');
  });
});

/** What a file imports as `l10n` from VS Code, with its name there. */
function importOfL10n(source: string): string {
  const imported = /^import [^;]*?\{([^}]*)\} from 'vscode';$/m.exec(source)?.[1] ?? '';
  return (
    imported
      .split(',')
      .find((name) => /\bl10n\b/.test(name))
      ?.trim() ?? ''
  );
}

describe('the texts of the source', () => {
  const calls = sources.flatMap(({ name, text }) => localizedIn(name, text));

  it('are found', () => assert.ok(calls.length > 100, `${calls.length} sentences`));

  it('are literals, so that they can be collected and translated', () => {
    const broken = calls.filter(({ sentence }) => sentence === undefined || sentence.trim() === '');
    assert.deepEqual(
      broken.map(({ file, line, text }) => `${file}:${line} ${text}`),
      [],
    );
  });

  it('are all extracted by the tool of translators, which knows only the `l10n` that a file imports from VS Code', async () => {
    // The tool takes 20 seconds for the whole source, so it gets the calls of all files that import `l10n` alike at once.
    const importIn = new Map(sources.map(({ name, text }) => [name, importOfL10n(text)]));
    const alike = [...new Set(importIn.values())].map((imported) => ({
      extension: '.ts' as const,
      contents: [
        `import { ${imported} } from 'vscode';`,
        ...calls.filter(({ file }) => importIn.get(file) === imported).map(({ code }) => `${code};`),
      ].join('\n'),
    }));
    const extracted = new Set(Object.keys(await getL10nJson(alike)));
    const missed = calls.filter(({ sentence = '' }) => !extracted.has(sentence));
    assert.deepEqual(
      missed.map(({ file, line, text }) => `${file}:${line} ${text}`),
      [],
    );
    assert.equal(extracted.size, new Set(calls.map(({ sentence }) => sentence)).size);
  }).timeout(limit(90_000));

  it('have a placeholder for each value, and a value for each placeholder', () => {
    const broken = calls.filter(({ sentence = '', values }) => {
      const places = new Set([...sentence.matchAll(/\{(\d+)\}/g)].map(([, index]) => Number(index)));
      const expected = values ?? places.size;
      return places.size !== expected || [...places].some((index) => index >= expected);
    });
    assert.deepEqual(
      broken.map(({ file, line, text }) => `${file}:${line} ${text}`),
      [],
    );
  });

  it('are short enough for longer languages if they are in an empty input, which has room for 85 characters', () => {
    const placeholders = sources.flatMap(({ name, text }) => placeholdersIn(name, text));
    assert.ok(placeholders.length > 10, `${placeholders.length} placeholders`);
    assert.deepEqual(
      placeholders.filter((text) => text.length > 60),
      [],
    );
  });

  it('are always translatable if a user can read them', () => {
    const plain = sources.flatMap(({ name, text }) =>
      plainWordsIn(name, text).map((finding) => `${name}:${finding.line} ${finding.text}`),
    );
    assert.deepEqual(plain, []);
  });
});

describe('the search for untranslated text', () => {
  const found = (source: string) => plainWordsIn('sample.ts', source).map(({ text }) => text);

  it('finds it where VS Code shows it', () => {
    assert.deepEqual(found("window.showErrorMessage('It failed.')"), ["'It failed.'"]);
    assert.deepEqual(found('new TreeItem(`Node ${id}`)'), ['`Node ${id}`']);
    assert.deepEqual(found("const item = { tooltip: done ? 'All done' : '' }"), ["'All done'"]);
    assert.deepEqual(found("item.description = 'Not yet'"), ["'Not yet'"]);
    assert.deepEqual(found("throw new Error('There is no such node.')"), ["'There is no such node.'"]);
    assert.deepEqual(found("const item = { label: 'Retry' }"), ["'Retry'"]);
  });

  it('ignores IDs and text that is the same in every language', () => {
    assert.deepEqual(found("const item = { placeholder: 'https://app.hoster.com', name: 'gantry.accounts' }"), []);
    assert.deepEqual(found("const item = { label: l10n.t('Retry'), title: 'Gantry' }"), []);
    assert.deepEqual(found('item.description = `${node} · ${id}`'), []);
  });
});
