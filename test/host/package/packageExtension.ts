import { cp, readFile, rm } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { projectFolder, scratchFolder } from '../folders';
import { runToEnd } from '../processes';
import { type ZipEntry, zipEntries } from './zipEntries';

export const largestPackage = 300_000;

/** All files that a package may contain: the bundle, media, documents, and the files that VS Code needs. */
const allowed = [
  /^\[Content_Types\]\.xml$/,
  /^extension\.vsixmanifest$/,
  /^extension\/package\.json$/,
  /^extension\/package\.nls(\.[\w-]+)?\.json$/,
  /^extension\/l10n\/[\w.-]+\.json$/,
  /^extension\/(readme|changelog)\.md$/i,
  /^extension\/LICENSE(\.txt)?$/,
  /^extension\/dist\/[\w-]+\.js$/,
  /^extension\/media\/[\w/.-]+\.(svg|png|md)$/,
];

/** Large folders that no package contains. */
const leftBehind: readonly string[] = ['.cache', '.git', 'dist', 'node_modules', 'test'];

/**
 * Builds and packs the extension as it is shipped. Rejects a package that is too large or contains other files. Works
 * on a copy, because a running VS Code may use the bundle in the project folder.
 */
export async function packageExtension(vsix: string): Promise<void> {
  const copy = scratchFolder('package');
  try {
    await cp(projectFolder, copy, {
      recursive: true,
      filter: (path) => !leftBehind.includes(relative(projectFolder, path)),
    });
    await bundleAsShipped(join(copy, 'dist'));
    // Imported here because it takes half a second to load, and callers that only check a package don't need it.
    const { createVSIX } = await import('@vscode/vsce');
    await createVSIX({
      cwd: copy,
      packagePath: vsix,
      dependencies: false,
      allowMissingRepository: true,
      rewriteRelativeLinks: false,
    });
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
  const archive = await readFile(vsix);
  const entries = zipEntries(archive);
  const problem = packageProblem(archive.length, entries);
  if (problem !== undefined) {
    await rm(vsix);
    throw new Error(problem);
  }
}

export async function bundleAsShipped(outdir: string): Promise<void> {
  await runToEnd(process.execPath, ['esbuild.mjs', '--production', '--outdir', outdir], { cwd: projectFolder });
}

export function packageProblem(size: number, entries: readonly ZipEntry[]): string | undefined {
  const foreign = entries.filter(({ name }) => !allowed.some((pattern) => pattern.test(name)));
  if (foreign.length > 0)
    return `The package holds what does not belong there: ${foreign.map(({ name }) => name).join(', ')}.`;
  if (size > largestPackage)
    return `The package has ${size} bytes; ${largestPackage} is the limit. Look for what a new import brought along.`;
  return undefined;
}
