import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import manifest from '../../../package.json';
import manifestTexts from '../../../package.nls.json';
import { projectFolder } from '../../host/folders';
import { sourceTexts } from './texts';

type Texts = Readonly<Record<string, string>>;

/** What VS Code, the dashboard, and keys are called, in sentences of ours. */
const ofOthers: readonly string[] = [
  'Access Tokens',
  'Command Palette',
  'Generate',
  'Git Output',
  'Open Settings',
  'Public Keys',
  'Press Enter',
  'Restricted Mode',
  'Save with Encoding',
  'Source Control',
  'SSH Keys',
];
/** What empty views call a command that refreshes them, and one of VS Code's that has no title. */
const ofLinks: readonly string[] = ['Retry', 'Refresh', 'Show Environments'];

const withoutEllipsis = (text: string): string => text.replace(/…$/, '');
const ofSource = [...new Set(sourceTexts().map(({ text }) => text))];
const small = '(?:(?:to|in|on|of|with|by|from|and|as|for|at) )';
/** A name is in title case. A text may also name one that has a single word, after what the person does with it. */
const titleCase = new RegExp(`^[A-Z][\\w-]+(?: ${small}?[A-Z][\\w-]+)*$`);
const inSentence = new RegExp(
  `(?<=[^.!?:“(\\n›}] )[A-Z][a-z]+(?: ${small}?[A-Z][A-Za-z]+)+|(?<=\\b(?:[Ss]elect|[Rr]un) )[A-Z][a-z]+(?: ${small}?[A-Z][a-z]+)*`,
  'g',
);
const link = /\[([^\]]+)\]\(([^)\s]+)\)/g;
const isSentence = (text: string): boolean => /[.?]$|\.\n/.test(text);

/** The texts of the source and of the manifest in English, with those of a language in the same order. */
function pairsIn(language: string): readonly (readonly [string, string])[] {
  const read = (file: string) => JSON.parse(readFileSync(join(projectFolder, file), 'utf8')) as Texts;
  const bundle = read(`l10n/bundle.l10n.${language}.json`);
  const ofManifest = read(`package.nls.${language}.json`);
  return [
    ...ofSource.map((text) => [text, bundle[text] ?? ''] as const),
    ...Object.entries(manifestTexts).map(([key, text]) => [text, ofManifest[key] ?? ''] as const),
  ];
}

const manifestText = (key: string): string => (manifestTexts as Texts)[key.replaceAll('%', '')] ?? '';
const texts = [...ofSource, ...Object.values(manifestTexts)];
const names = new Set(texts.map(withoutEllipsis).filter((text) => titleCase.test(text)));
/** The names in a sentence, the longest at each place. */
const namedIn = (text: string): readonly string[] =>
  isSentence(text) ? [...text.replaceAll(link, '').matchAll(inSentence)].map(([name]) => name) : [];

describe('sentences', () => {
  it('name commands, buttons, and views as they are called', () => {
    const named = texts.flatMap((text) => namedIn(text).map((name) => ({ text, name })));
    assert.ok(named.length > 30, `${named.length} names`);
    assert.deepEqual(
      named.filter(({ name }) => !names.has(name) && !ofOthers.includes(name)),
      [],
    );
  });

  it('of empty views and the walkthrough have links that are called as the commands they run', () => {
    const titles = new Map(manifest.contributes.commands.map(({ command, title }) => [command, manifestText(title)]));
    const links = Object.values(manifestTexts).flatMap((text) =>
      [...text.matchAll(link)].flatMap(([, label = '', target = '']) => {
        const command = /^command:(gantry\.[\w.]+)/.exec(target)?.[1];
        return command === undefined ? [] : [{ label, command }];
      }),
    );
    assert.ok(links.length > 10, `${links.length} links`);
    assert.deepEqual(
      links.filter(
        ({ label, command }) =>
          !ofLinks.includes(label) && withoutEllipsis(label) !== withoutEllipsis(titles.get(command) ?? ''),
      ),
      [],
    );
  });

  for (const language of readdirSync(join(projectFolder, 'l10n')).map((name) => name.split('.').at(-2) ?? '')) {
    it(`name them as they are called in ${language}`, () => {
      const pairs = pairsIn(language);
      const called = (name: string) =>
        pairs.filter(([text]) => withoutEllipsis(text) === name).map(([, translated]) => withoutEllipsis(translated));
      const wrong = pairs.flatMap(([text, translated]) =>
        namedIn(text)
          .filter((name) => names.has(name) && !called(name).some((one) => translated.includes(one)))
          .map((name) => `${name} (${called(name).join(', ')}): ${translated}`),
      );
      assert.deepEqual(wrong, []);
    });
  }
});
