import { mkdir, readdir, readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { type TextReplacement } from './replaceInFiles';

/** The folder next to VS Code's own `extensions` that a test server starts with. */
export const fewerExtensions = 'extensions-for-tests';

/**
 * The built-in extensions with code that tests need. The others, such as TypeScript, Emmet, and Markdown, take a third
 * of the time to open a window, and no test uses them. Grammars and themes stay.
 */
export const neededWithCode: readonly string[] = [
  'configuration-editing',
  'git',
  'git-base',
  'github-authentication',
  'ipynb',
  'json-language-features',
  'media-preview',
  'search-result',
];

/** Links to the extensions that tests need. */
export async function linkFewerExtensions(vscode: string): Promise<void> {
  const all = join(vscode, 'extensions');
  const fewer = join(vscode, fewerExtensions);
  await mkdir(fewer);
  for (const entry of await readdir(all, { withFileTypes: true })) {
    if (!entry.isDirectory()) continue;
    const isNeeded = neededWithCode.includes(entry.name) || !(await hasCode(join(all, entry.name)));
    if (isNeeded) await symlink(join('..', 'extensions', entry.name), join(fewer, entry.name), 'junction');
  }
}

async function hasCode(extension: string): Promise<boolean> {
  if (extension.endsWith('node_modules')) return false;
  const { main, browser } = JSON.parse(await readFile(join(extension, 'package.json'), 'utf8')) as Manifest;
  return main !== undefined || browser !== undefined;
}

interface Manifest {
  readonly main?: string;
  readonly browser?: string;
}

/**
 * Empties the window's own list of built-in extensions. The server has them all, but a window would also run those that the
 * server's folder lacks, and report that their files are missing.
 */
export const noExtensionsOfTheWindow: TextReplacement = {
  file: 'vs/code/browser/workbench/workbench.js',
  find: /(\bif\([\w$]+\.isBuilt\)[\w$]+=)\[\{extensionPath:[^]*?\](?=;else\{(?:let|const) [\w$]+=[\w$.]+\.getElementById\("vscode-workbench-builtin-extensions"\))/g,
  replaceWith: '$1[]',
};
