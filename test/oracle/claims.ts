import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { keepsOwnFolder } from '../host/bundleTests';
import { findTests } from '../host/findTests';
import { cacheFolder, projectFolder } from '../host/folders';
import { nightlyVariable } from '../host/nightly';
import { runToEnd } from '../host/processes';
import type { Claim } from './inside/collectClaims';
import type { Sections } from './page';

const folders = ['unit', 'integration', 'e2e'] as const;

/**
 * Returns all test titles by file, as a run has them: those made in loops and the nightly ones, too. The test files are
 * loaded by mocha in a Node process, but no test or hook runs. In place of VS Code, which only an extension host has,
 * there is a module whose every property is empty: a title that depended on VS Code would show it.
 */
export async function claims(): Promise<Sections> {
  const files = folders.flatMap((folder) => findTests(join(projectFolder, 'test', folder)));
  return sectionsOf(await claimsIn([...files, join(projectFolder, 'test/integration/support/everyRun.ts')]));
}

export function sectionsOf(found: readonly Claim[]): Sections {
  const sections = new Map<string, string[]>();
  for (const { file, title } of found) {
    const name = relative(join(projectFolder, 'test'), file).replaceAll('\\', '/');
    sections.set(name, [...(sections.get(name) ?? []), title]);
  }
  return sections;
}

export async function claimsIn(files: readonly string[]): Promise<readonly Claim[]> {
  await mkdir(cacheFolder, { recursive: true });
  // Inside the project, because the bundle loads packages from there.
  const folder = await mkdtemp(join(cacheFolder, 'claims-'));
  try {
    const bundle = join(folder, 'bundle.js');
    await bundleInto(bundle, files);
    await runToEnd(process.execPath, [bundle, join(folder, 'claims.json')], {
      cwd: projectFolder,
      env: { ...process.env, [nightlyVariable]: 'yes' },
    });
    return JSON.parse(await readFile(join(folder, 'claims.json'), 'utf8')) as readonly Claim[];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function bundleInto(outfile: string, files: readonly string[]): Promise<void> {
  const toRequire = (path: string): string => `() => require(${JSON.stringify(path)})`;
  const collect = join(__dirname, 'inside', 'collectClaims.ts');
  const loaders = files.map((file) => `[${JSON.stringify(file)}, ${toRequire(file)}]`);
  await build({
    stdin: {
      contents: `require(${JSON.stringify(collect)}).collectClaims([${loaders.join()}], process.argv[2]);`,
      resolveDir: dirname(outfile),
    },
    outfile,
    bundle: true,
    packages: 'external',
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    // `import.meta` is empty, but only running tests use it.
    logLevel: 'error',
    plugins: [emptyVsCode, keepsOwnFolder],
  });
}

const emptyVsCode: Plugin = {
  name: 'empty-vscode',
  setup: (bundle) => {
    bundle.onResolve({ filter: /^vscode$/ }, () => ({ path: join(__dirname, 'inside', 'emptyVsCode.ts') }));
  },
};
