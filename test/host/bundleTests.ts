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
 * same time. The folder is inside the project, because the bundled tests load mocha from there. What several files import
 * is in the bundle only once: the more memory the extension host has, the longer each start of Git takes.
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
  const modules = [join(__dirname, 'inside', 'extensionHost.ts'), ...run.files];
  await build({
    stdin: {
      contents: `module.exports = [${modules.map((path) => `() => require(${JSON.stringify(path)})`).join()}];`,
      resolveDir: folder,
    },
    outfile: join(folder, 'bundle.js'),
    bundle: true,
    platform: 'node',
    target: 'node22',
    format: 'cjs',
    external: ['vscode', 'mocha', 'esbuild'],
    mainFields: ['module', 'main'],
    sourcemap: 'linked',
    sourcesContent: false,
    // Node joins it to the paths of the sources as it is.
    sourceRoot: `${folder}/`,
    logLevel: 'warning',
    plugins: [keepsOwnFolder],
  });
  const load = async (name: string, index: number): Promise<string> => {
    await writeFile(join(folder, name), `require('./bundle')[${index}]();\n`);
    return join(folder, name);
  };
  const files = await Promise.all(run.files.map((_, index) => load(`${index}.js`, index + 1)));
  const bundled: HostRun = { ...run, files, sources: run.files };
  const main = join(folder, 'main.js');
  // Node reads the source map of a file only when it loads the file.
  const lines = [
    'process.setSourceMapsEnabled(true);',
    `exports.run = () => require('./bundle')[0]().runTests(${JSON.stringify(bundled)});`,
  ];
  await writeFile(main, `${lines.join('\n')}\n`);
  return main;
}

/** Keeps `__dirname` of tests and the local platform, so that they find files next to their source. */
export const keepsOwnFolder: Plugin = {
  name: 'keeps-own-folder',
  setup: (build) => {
    build.onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      if (!path.startsWith(join(projectFolder, 'test'))) return undefined;
      const source = await readFile(path, 'utf8');
      return { contents: `const __dirname = ${JSON.stringify(dirname(path))}; ${source}`, loader: 'ts' };
    });
  },
};
