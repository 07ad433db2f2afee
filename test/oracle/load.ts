import { join } from 'node:path';
import { build, type Metafile } from 'esbuild';
import { projectFolder } from '../host/folders';
import type { Sections } from './page';

/**
 * Returns what is loaded at activation: the files whose code is in it, and their size as esbuild minifies it. The limits
 * of all parts of the shipped bundle are in test/unit/bundle.test.ts.
 */
export async function load(entry = join(projectFolder, 'src', 'extension.ts')): Promise<Sections> {
  const { metafile } = await build({
    entryPoints: [entry],
    outdir: join(projectFolder, 'dist'),
    write: false,
    metafile: true,
    bundle: true,
    minify: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node22',
    absWorkingDir: projectFolder,
    external: ['vscode'],
    mainFields: ['module', 'main'],
    legalComments: 'none',
    logLevel: 'warning',
  });
  const parts = loadedAtOnce(metafile, Object.keys(metafile.outputs).find((name) => isEntry(metafile, name)) ?? '');
  const files = [...parts].flatMap((part) =>
    Object.entries(metafile.outputs[part]?.inputs ?? {}).flatMap(([file, { bytesInOutput }]) =>
      bytesInOutput > 0 ? [file] : [],
    ),
  );
  const bytes = [...parts].reduce((sum, part) => sum + (metafile.outputs[part]?.bytes ?? 0), 0);
  return new Map([
    ['size', [`${Math.ceil(bytes / 1000)} KB`]],
    ['files', [...new Set(files)].sort()],
  ]);
}

const isEntry = ({ outputs }: Metafile, name: string): boolean =>
  outputs[name]?.entryPoint?.endsWith('extension.ts') === true;

/** Returns a file of the bundle with those that it imports, but not those that it imports only when they are used. */
function loadedAtOnce({ outputs }: Metafile, part: string, seen = new Set<string>()): ReadonlySet<string> {
  if (seen.has(part)) return seen;
  seen.add(part);
  for (const { path, kind, external } of outputs[part]?.imports ?? []) {
    if (kind === 'import-statement' && external !== true) loadedAtOnce({ outputs, inputs: {} }, path, seen);
  }
  return seen;
}
