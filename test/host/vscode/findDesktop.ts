import { existsSync, realpathSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';

/** Returns the `code` command of a desktop VS Code: GANTRY_VSCODE, or the first on the PATH. */
export function findCodeCommand(): string | undefined {
  const name = process.platform === 'win32' ? 'code.cmd' : 'code';
  const onPath = (process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, name));
  return [process.env['GANTRY_VSCODE'] ?? '', ...onPath].find((path) => path !== '' && existsSync(path));
}

/** The path of the executable relative to the folder of its `code` command. */
const programs = {
  darwin: ['../../../MacOS/Electron', '../../../MacOS/Code'],
  linux: ['../code'],
  win32: ['../Code.exe'],
} as const satisfies Partial<Record<NodeJS.Platform, readonly string[]>>;

/**
 * Returns the executable behind a `code` command, because the command returns before the tests end. Returns other
 * executables unchanged.
 */
export function programBehind(command: string): string {
  const folder = dirname(realpathSync(command));
  const here = Object.entries(programs).find(([platform]) => platform === process.platform)?.[1] ?? [];
  return here.map((path) => join(folder, path)).find((path) => existsSync(path)) ?? command;
}
