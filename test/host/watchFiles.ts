import { watch } from 'node:fs';
import { join, resolve } from 'node:path';
import { build, type Metafile } from 'esbuild';
import { projectFolder } from './folders';

/** Runs test files now, and again when they or their imports change, until the process ends. */
export async function watchFiles(
  files: readonly string[],
  run: (only: (file: string) => boolean) => Promise<unknown>,
): Promise<void> {
  const changed = new Set<string>();
  const state = { wake: (): void => undefined };
  for (const folder of ['src', 'test']) {
    watch(join(projectFolder, folder), { recursive: true }, (_, name) => {
      if (name !== null) changed.add(join(projectFolder, folder, name));
      state.wake();
    });
  }
  await run((file) => files.includes(file));
  for (;;) {
    console.log('\nWaiting for changes. Press Ctrl+C to quit.');
    if (changed.size === 0) await new Promise<void>((wake) => (state.wake = wake));
    const affected = await affectedFiles(files, new Set(changed));
    changed.clear();
    if (affected.length > 0) await run((file) => affected.includes(file));
  }
}

/** Returns the test files that import a changed file, directly or indirectly. Returns all of them if the imports can't be read. */
async function affectedFiles(files: readonly string[], changed: ReadonlySet<string>): Promise<readonly string[]> {
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
