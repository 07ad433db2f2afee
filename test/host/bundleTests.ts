import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { cacheFolder, projectFolder } from './folders';
import { type HostRun } from './inside/testRun';

export interface TestBundle {
  /** The path of the module that VS Code calls. */
  readonly main: string;
  remove(): Promise<void>;
}

/**
 * Bundles the test files and their runner for the extension host, in a new folder, because other runs may bundle at the
 * same time. The folder is inside the project, because the bundled tests load mocha from there.
 */
export async function bundleTests(run: Omit<HostRun, 'sources'>): Promise<TestBundle> {
  await mkdir(bundlesFolder, { recursive: true });
  const folder = await mkdtemp(join(bundlesFolder, 'run-'));
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
  try {
    return { main: await bundleInto(folder, run), remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

const bundlesFolder = join(cacheFolder, 'tests');

async function bundleInto(folder: string, run: Omit<HostRun, 'sources'>): Promise<string> {
  const tests = run.files.map((file, index) => ({ in: file, out: `tests/${index}` }));
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
  const bundled: HostRun = { ...run, files: tests.map(({ out }) => join(folder, `${out}.js`)), sources: run.files };
  const main = join(folder, 'main.js');
  await writeFile(main, `exports.run = () => require('./extensionHost').runTests(${JSON.stringify(bundled)});\n`);
  return main;
}

/** Keeps `__dirname` of tests and the local platform, so that they find files next to their source. */
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
