import { resolve } from 'node:path';
import { build, type Metafile } from 'esbuild';
import { projectFolder } from './folders';

/** Returns the test files that import a changed file, directly or indirectly. Returns all of them if the imports can't be read. */
export async function affectedFiles(
  files: readonly string[],
  changed: ReadonlySet<string>,
): Promise<readonly string[]> {
  const imports = await importsOf(files).catch(() => undefined);
  if (imports === undefined) return files;
  return files.filter((file) => importsChanged(file, changed, imports));
}

type Imports = Metafile['inputs'];

async function importsOf(files: readonly string[]): Promise<Imports> {
  const { metafile } = await build({
    entryPoints: [...files],
    absWorkingDir: projectFolder,
    outdir: 'dist',
    write: false,
    metafile: true,
    bundle: true,
    platform: 'node',
    packages: 'external',
    external: ['vscode'],
    logLevel: 'silent',
  });
  return metafile.inputs;
}

function importsChanged(file: string, changed: ReadonlySet<string>, imports: Imports): boolean {
  const seen = new Set([file]);
  for (const path of seen) {
    if (changed.has(path)) return true;
    const name = path.slice(projectFolder.length + 1).replaceAll('\\', '/');
    for (const one of imports[name]?.imports ?? [])
      if (one.external !== true) seen.add(resolve(projectFolder, one.path));
  }
  return false;
}
