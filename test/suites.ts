import { join, sep } from 'node:path';
import { type Counts, total } from './host/events/runRecord';
import { findTests } from './host/findTests';
import { projectFolder } from './host/folders';
import { type VsCodeVersion } from './host/install/codeServer';
import { runInHost } from './host/runInHost';
import { runInProcess } from './host/runInProcess';
import { runOnDesktop } from './host/runOnDesktop';
import { findCodeCommand, programBehind } from './host/vscode/findDesktop';

/** What a person asked for on the command line. */
export interface Wanted {
  readonly grep: string | undefined;
  /** Parts of the paths of the files to run; all run without one. */
  readonly filters: readonly string[];
}

export interface Suite {
  readonly needsBuild: boolean;
  run(wanted: Wanted): Promise<Counts>;
}

const show = (line: string): void => console.log(line);
const testsIn = (folder: string, { filters }: Wanted): string[] => findTests(join(__dirname, folder), filters);

export const suites: Readonly<Record<string, Suite>> = {
  unit: {
    needsBuild: false,
    run: ({ grep, ...wanted }) =>
      runInProcess({ name: 'unit', files: testsIn('unit', { grep, ...wanted }), grep, timeout: 10_000, show }),
  },
  integration: { needsBuild: true, run: (wanted) => integration('newest', wanted) },
  'integration:minimum': { needsBuild: true, run: (wanted) => integration('minimum', wanted) },
  e2e: {
    needsBuild: true,
    run: (wanted) =>
      runInProcess({ name: 'e2e', files: testsIn('e2e', wanted), grep: wanted.grep, timeout: 90_000, show }),
  },
  desktop: {
    needsBuild: true,
    run: (wanted) => {
      const command = findCodeCommand();
      const executable = command === undefined ? undefined : programBehind(command);
      return runOnDesktop({ files: testsIn('integration', wanted), grep: wanted.grep, executable, show });
    },
  },
};

/** The files right in the folder share one VS Code; each folder in it has a fresh one of its own. */
async function integration(version: VsCodeVersion, wanted: Wanted): Promise<Counts> {
  const groups = new Map<string, string[]>();
  for (const file of testsIn('integration', wanted)) {
    const [group = ''] = file
      .slice(join(__dirname, 'integration', sep).length)
      .split(sep)
      .slice(0, -1);
    groups.set(group, [...(groups.get(group) ?? []), file]);
  }
  const all: Counts[] = [];
  for (const [group, files] of groups.size === 0 ? [['', []] as const] : groups) {
    const name = ['integration', version, group].filter((part) => part !== '').join('-');
    all.push(await runInHost({ name, version, extension: { folder: projectFolder }, files, grep: wanted.grep, show }));
  }
  return total(all);
}
