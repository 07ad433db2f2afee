import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it } from 'mocha';
import manifest from '../../../package.json';
import { projectFolder } from '../../host/folders';
import { repositoryInTexts } from '../../host/package/packageExtension';
import { sourceTexts, textsOfManifest, userPages } from './texts';

const mostWords = 1_220;

/** Names in the pages that are VS Code's, not ours. */
const ofVsCode: readonly string[] = ['Open Anyway'];

const read = (page: string): string => readFileSync(join(projectFolder, page), 'utf8');

/** Headings and sentences, without blocks of code. */
const prose = (page: string): string => read(page).replaceAll(/^```[^]*?^```/gm, '');

const linksIn = (text: string): readonly string[] =>
  [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);

/** The anchors that GitHub gives headings. */
function anchorsOf(page: string): readonly string[] {
  return [...prose(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

/** Returns a link that leads nowhere. */
function problemOf(from: string, link: string): string | undefined {
  const [path = '', anchor] = link.split('#');
  const page = path === '' ? from : join(dirname(from), path);
  if (!existsSync(join(projectFolder, page))) return `${from}: there is no ${link}`;
  return anchor === undefined || anchorsOf(page).includes(anchor) ? undefined : `${from}: there is no #${anchor}`;
}

describe('README', () => {
  it(`is read in a few minutes: it has at most ${mostWords} words`, () => {
    const words = read('README.md').split(/\s+/).filter(Boolean).length;
    assert.ok(words <= mostWords, `${words} words. Details belong to a page in docs.`);
  });

  it('names only scripts that exist', () => {
    const named = [...read('README.md').matchAll(/npm (?:run )?(?!ci\b)([\w:]+)/g)].map(([, script = '']) => script);
    assert.ok(named.includes('start'));
    assert.deepEqual(
      named.filter((script) => !(script in manifest.scripts)),
      [],
    );
  });

  it('leads to each page for users', () => {
    const linked = linksIn(read('README.md')).map((link) => link.replace(/#.*/, ''));
    assert.deepEqual(
      userPages.filter((page) => page !== 'README.md' && !linked.includes(page)),
      [],
    );
  });
});

describe('the pages', () => {
  for (const page of [
    ...userPages,
    'CHANGELOG.md',
    'CONTRIBUTING.md',
    'SECURITY.md',
    'docs/decisions.md',
    'docs/testing.md',
  ]) {
    it(`have only links that lead somewhere: ${page}`, () => {
      const links = linksIn(prose(page)).filter((link) => !/^[a-z]+:/.test(link));
      assert.deepEqual(
        links.flatMap((link) => problemOf(page, link) ?? []),
        [],
      );
    });
  }

  it('exist where views and settings lead to them', () => {
    const links = textsOfManifest().flatMap(({ text }) => linksIn(text));
    const toPages = links.filter((link) => link.startsWith(repositoryInTexts));
    assert.ok(toPages.length > 10, `${toPages.length} links`);
    assert.deepEqual(
      links.filter((link) => !link.startsWith('command:') && !toPages.includes(link)),
      [],
    );
    assert.deepEqual(
      toPages.flatMap((link) => problemOf('package.nls.json', link.slice(repositoryInTexts.length)) ?? []),
      [],
    );
  });

  it('name commands, views, and messages as Gantry does', () => {
    const texts = [...sourceTexts(), ...textsOfManifest()].map(({ text }) => text);
    const named = userPages.flatMap((page) =>
      [
        ...prose(page)
          .replaceAll(/`[^`\n]*`/g, '')
          .matchAll(/(?<![\w*])_([^_\n]+)_(?!\w)|\*\*Gantry(?: Advanced)?: ([^*]+)\*\*/g),
      ].map(([, name = '', command = name]) => ({ page, name: command })),
    );
    assert.ok(named.length > 50, `${named.length} names`);
    assert.deepEqual(
      named.filter(({ name }) => !ofVsCode.includes(name) && !texts.some((text) => text.includes(name))),
      [],
    );
  });

  it('have a row for each setting, with its default if that is one word', () => {
    const rows = [...read('docs/settings.md').matchAll(/^\| `(gantry\.[\w.]+)` *\|[^|]+\| *([^|]+?) *\|/gm)];
    const { properties } = manifest.contributes.configuration;
    assert.deepEqual(rows.map(([, name]) => name).sort(), Object.keys(properties).sort());
    const settings: Readonly<Record<string, { readonly default: unknown }>> = properties;
    for (const [, name = '', shown = ''] of rows) {
      const value = settings[name]?.default;
      if (typeof value !== 'object')
        assert.equal(shown.replaceAll('`', ''), JSON.stringify(value).replaceAll('"', ''), name);
    }
  });
});
