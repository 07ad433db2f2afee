import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import manifestTexts from '../../../package.nls.json';
import { projectFolder } from '../../host/folders';
import { localizedIn } from './userFacing';

/** A text that users read, and the file that it's in. */
export interface UserText {
  readonly file: string;
  readonly text: string;
}

/** README, and the pages that it leads to. The others in docs are for developers. */
export const userPages: readonly string[] = [
  'README.md',
  ...['accounts', 'automation', 'deployments', 'files', 'privacy', 'services', 'settings', 'troubleshooting'].map(
    (name) => `docs/${name}.md`,
  ),
];
const pages = [...userPages, 'CHANGELOG.md'];

/** Returns all texts that users read: of the source, the manifest, and the pages. */
export function userTexts(): readonly UserText[] {
  return [...sourceTexts(), ...textsOfManifest(), ...[...pages, ...walkthroughPages()].flatMap(pageTexts)];
}

/** The texts in the source. */
export function sourceTexts(): readonly UserText[] {
  const folder = join(projectFolder, 'src');
  return filesIn(folder, '.ts').flatMap((name) =>
    localizedIn(name, readFileSync(join(folder, name), 'utf8')).flatMap(({ sentence }) =>
      sentence === undefined ? [] : [{ file: `src/${name}`, text: sentence }],
    ),
  );
}

/** Titles of commands, views, and settings, and the texts of empty views and the walkthrough. */
export function textsOfManifest(): readonly UserText[] {
  return Object.entries(manifestTexts).map(([key, text]) => ({ file: `package.nls.json ${key}`, text }));
}

function walkthroughPages(): readonly string[] {
  return filesIn(join(projectFolder, 'media'), '.md').map((name) => `media/${name}`);
}

/** Every paragraph, list item and table row of a page, without code blocks. */
function pageTexts(file: string): readonly UserText[] {
  return readFileSync(join(projectFolder, file), 'utf8')
    .replaceAll(/^```[^]*?^```/gm, '')
    .split('\n')
    .map((line) => line.replaceAll(/ {2,}/g, ' ').trim())
    .filter((line) => /\p{L}/u.test(line))
    .map((text) => ({ file, text }));
}

function filesIn(folder: string, end: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(end))
    .map((name) => relative('.', name).replaceAll('\\', '/'))
    .sort();
}
