import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createVSIX } from '@vscode/vsce';
import { projectFolder } from '../folders';
import { runToEnd } from '../processes';
import { type ZipEntry, zipEntries } from './zipEntries';

export const largestPackage = 300_000;

/** All that a package may hold: the bundle, media, texts and what VS Code itself asks for. */
const allowed = [
  /^\[Content_Types\]\.xml$/,
  /^extension\.vsixmanifest$/,
  /^extension\/package\.json$/,
  /^extension\/package\.nls(\.[\w-]+)?\.json$/,
  /^extension\/l10n\/[\w.-]+\.json$/,
  /^extension\/(readme|changelog)\.md$/i,
  /^extension\/LICENSE(\.txt)?$/,
  /^extension\/dist\/\w+\.js$/,
  /^extension\/media\/[\w/.-]+\.(svg|png|md)$/,
];

/** Builds the extension as it is shipped and packs it; refuses a package that is too large or holds what is not meant for others. */
export async function packageExtension(vsix: string): Promise<void> {
  await rm(join(projectFolder, 'dist'), { recursive: true, force: true });
  await runToEnd(process.execPath, ['esbuild.mjs', '--production'], { cwd: projectFolder });
  await createVSIX({
    cwd: projectFolder,
    packagePath: vsix,
    dependencies: false,
    allowMissingRepository: true,
    rewriteRelativeLinks: false,
  });
  const archive = await readFile(vsix);
  const entries = zipEntries(archive);
  const problem = packageProblem(archive.length, entries);
  if (problem !== undefined) {
    await rm(vsix);
    throw new Error(problem);
  }
}

export function packageProblem(size: number, entries: readonly ZipEntry[]): string | undefined {
  const foreign = entries.filter(({ name }) => !allowed.some((pattern) => pattern.test(name)));
  if (foreign.length > 0)
    return `The package holds what does not belong there: ${foreign.map(({ name }) => name).join(', ')}.`;
  if (size > largestPackage)
    return `The package has ${size} bytes; ${largestPackage} is the limit. Look for what a new import brought along.`;
  return undefined;
}
