import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { projectFolder } from '../host/folders';
import { differencesOf, pathOf, problemOf, readPage, writePage } from './page';
import { pageNames, pages } from './pages';

/** Pages that a test in a window compares and writes. */
const inWindows = { targets: 'commandSituations', rows: 'viewRows' } as const;

/**
 * `main.ts [--write] [PAGE...]`: compares the pages of the oracle with what is true now, or writes them. Without names,
 * these are all pages that need no VS Code. The pages `targets` and `rows` are compared and written by tests in a window.
 */
async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { write: { type: 'boolean', default: false } },
  });
  const unknown = positionals.filter((name) => !(name in pages) && !(name in inWindows));
  if (unknown.length > 0)
    throw new Error(
      `The pages are ${[...pageNames, ...Object.keys(inWindows)].join(', ')}. There is no ${unknown.join(', ')}.`,
    );
  for (const name of pageNames.filter((one) => positionals.length === 0 || positionals.includes(one))) {
    const { about, now } = pages[name];
    const sections = await now();
    if (values.write) writePage(name, about, sections);
    const problem = values.write
      ? undefined
      : problemOf(name, differencesOf(readPage(name), sections), `npm run oracle -- --write ${name}`);
    console.log(problem ?? `${pathOf(name)}: ${values.write ? 'written' : 'equal'}`);
    if (problem !== undefined) process.exitCode = 1;
  }
  for (const [name, test] of Object.entries(inWindows)) if (positionals.includes(name)) runInWindow(test, values.write);
}

function runInWindow(test: string, isUpdate: boolean): void {
  const command = ['--import', 'tsx', join('test', 'run.ts'), 'integration', test];
  const env = { ...process.env, ...(isUpdate ? { UPDATE_ORACLE: '1' } : {}) };
  const { status } = spawnSync(process.execPath, command, { cwd: projectFolder, env, stdio: 'inherit' });
  if (status !== 0) process.exitCode = 1;
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
