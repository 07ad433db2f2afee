import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { projectFolder } from './folders';

export interface TestBundle {
  /** The module for VS Code to call. */
  readonly entry: string;
  readonly files: readonly string[];
}

/** Test files and the module that runs them, each a file that the extension host can require. */
export async function bundleTests(files: readonly string[], folder: string): Promise<TestBundle> {
  const tests = files.map((file, index) => ({ in: file, out: `tests/${index}` }));
  await build({
    entryPoints: [{ in: join(__dirname, 'inside', 'extensionHost.ts'), out: 'extensionHost' }, ...tests],
    outdir: folder,
    bundle: true,
    platform: 'node',
    target: 'node22',
    format: 'cjs',
    external: ['vscode', 'mocha', 'esbuild'],
    mainFields: ['module', 'main'],
    sourcemap: 'linked',
    sourceRoot: folder,
    logLevel: 'warning',
    plugins: [keepsOwnFolder],
  });
  return { entry: join(folder, 'extensionHost.js'), files: tests.map(({ out }) => join(folder, `${out}.js`)) };
}

/** A test, or the local platform that it starts, finds the files beside it as it would from its source. */
const keepsOwnFolder: Plugin = {
  name: 'keeps-own-folder',
  setup: (build) => {
    build.onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      if (!path.startsWith(join(projectFolder, 'test'))) return undefined;
      const source = await readFile(path, 'utf8');
      return { contents: `const __dirname = ${JSON.stringify(dirname(path))}; ${source}`, loader: 'ts' };
    });
  },
};
