import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import manifestTexts from '../../../package.nls.json';
import { projectFolder } from '../../host/folders';
import { sourceTexts } from './texts';
import { placeholdersIn } from './userFacing';

type Texts = Readonly<Record<string, string>>;

interface Translation {
  readonly file: string;
  readonly language: string;
  readonly english: Texts;
  readonly translated: Texts;
}

/** Texts that are the same in a language. Those without a word of their own, such as "{0}: {1}", are the same in all. */
const alike: Readonly<Record<string, readonly string[]>> = {
  de: [
    'Gantry',
    'Token {0}',
    '{0} (ID {1})',
    'Branch: {0}',
    'Commit: {0} {1}',
    'Patch',
    'Branch',
    'Commit',
    'Hooks',
    'Filter: {0}',
    'Name: {0}',
    '{0} in {1}',
    'Server',
    'Gantry: Container',
    'Status: {0}',
    'ID: {0}',
    '{0} s',
    '{0} min',
    '{0} min {1} s',
    '{0} h',
    '{0} h {1} min',
  ],
  fr: [
    'Gantry',
    '1 minute',
    '{0} minutes',
    'Actions',
    'Commit',
    'Exports',
    'Hooks',
    'Patch',
    'Sessions',
    'Type',
    'production',
    'active {0}',
    'code {0}',
    '{0} (ID {1})',
    '{0} (local) ↔ {1} ({2})',
    '{0} (production)',
  ],
};

const languageFolder = join(projectFolder, 'l10n');
const languageFiles = existsSync(languageFolder) ? readdirSync(languageFolder).map((name) => `l10n/${name}`) : [];
const manifestFiles = readdirSync(projectFolder).filter((name) => /^package\.nls\.[\w-]+\.json$/.test(name));
const english: Texts = Object.fromEntries(sourceTexts().map(({ text }) => [text, text]));

function languageOf(file: string): string {
  return /\.([\w-]+)\.json$/.exec(file)?.[1] ?? '';
}

function translationsIn(files: readonly string[], texts: Texts): readonly Translation[] {
  return files.map((file) => ({
    file,
    language: languageOf(file),
    english: texts,
    translated: JSON.parse(readFileSync(join(projectFolder, file), 'utf8')) as Texts,
  }));
}

const sourceFolder = join(projectFolder, 'src');
const placeholders = readdirSync(sourceFolder, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .flatMap((name) => placeholdersIn(name, readFileSync(join(sourceFolder, name), 'utf8')));
/** The characters that an empty input has room for. */
const longestPlaceholder = 85;

const translations = [...translationsIn(languageFiles, english), ...translationsIn(manifestFiles, manifestTexts)];

/** What a translation keeps as it is: placeholders, icons, code, settings, where links lead to, and the dashboard's menus. */
const kept: readonly RegExp[] = [
  /\{\d+\}|\$\([\w~-]+\)|`[^`]+`|#gantry[\w.]+#|\bgantry\.[\w.]*\w|\]\([^)\s]+\)/g,
  /Settings › (?:Access Tokens|SSH Keys › Public Keys)/g,
];

function keptParts(text: string): readonly string[] {
  return kept.flatMap((parts) => [...text.matchAll(parts)].map(([part]) => part)).sort();
}

/** Returns the texts of a language that a comparison with the English finds wrong. */
function wrongTexts(
  { english: texts, translated }: Translation,
  isWrong: (from: string, to: string) => boolean,
): readonly string[] {
  return Object.entries(texts).flatMap(([key, from]) => {
    const to = translated[key];
    return to !== undefined && isWrong(from, to) ? [`${from} → ${to}`] : [];
  });
}

describe('the translated texts', () => {
  it('are of the source and of the manifest in the same languages', () => {
    assert.ok(languageFiles.every((file) => /^l10n\/bundle\.l10n\.[\w-]+\.json$/.test(file)));
    assert.deepEqual(languageFiles.map(languageOf).sort(), manifestFiles.map(languageOf).sort());
  });

  for (const translation of translations) {
    describe(`in ${translation.file}`, () => {
      const { language, english: texts, translated } = translation;

      it('are all there', () => {
        assert.deepEqual(
          Object.keys(texts).filter((key) => !(key in translated)),
          [],
        );
      });

      it('are only of texts that exist in English', () => {
        assert.deepEqual(
          Object.keys(translated).filter((key) => !(key in texts)),
          [],
        );
      });

      it("aren't empty", () => {
        assert.deepEqual(
          Object.keys(translated).filter((key) => translated[key]?.trim() === ''),
          [],
        );
      });

      it('have the placeholders, icons, code, links, and dashboard menus of the English, each as often', () => {
        const isOther = (from: string, to: string) => keptParts(from).join(' ') !== keptParts(to).join(' ');
        assert.deepEqual(wrongTexts(translation, isOther), []);
      });

      it('end with an ellipsis where the English does', () => {
        assert.deepEqual(
          wrongTexts(translation, (from, to) => from.endsWith('…') !== to.endsWith('…')),
          [],
        );
      });

      it('fit into an empty input if they are shown there', () => {
        assert.deepEqual(
          placeholders.filter((key) => (translated[key] ?? '').length > longestPlaceholder),
          [],
        );
      });

      it("aren't the English ones, except words that are the same in the language", () => {
        const hasWords = (text: string) => /\p{L}/u.test(text.replaceAll(/\{\d+\}/g, ''));
        const isLeft = (from: string, to: string) =>
          from === to && hasWords(from) && alike[language]?.includes(from) !== true;
        assert.deepEqual(wrongTexts(translation, isLeft), []);
      });
    });
  }

  it('have no-break spaces in French before : ; ? ! and », and after «', () => {
    const broken = translations
      .filter(({ language }) => language === 'fr')
      .flatMap(({ translated }) => Object.values(translated))
      .filter((text) => / [:;?!»]|« /.test(text.replaceAll(/`[^`]+`/g, '')));
    assert.deepEqual(broken, []);
  });

  it('that are listed as the same in a language still are', () => {
    const gone = Object.entries(alike).flatMap(([language, texts]) => {
      const same = translations
        .filter((one) => one.language === language)
        .flatMap(({ english: from, translated }) => Object.keys(from).filter((key) => translated[key] === from[key]))
        .map((key) => english[key] ?? (manifestTexts as Texts)[key] ?? '');
      return texts.filter((text) => !same.includes(text));
    });
    assert.deepEqual(gone, []);
  });
});
