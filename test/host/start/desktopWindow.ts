import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { projectFolder } from '../folders';
import { ending, endGroup, runToEnd, spawnGroup } from '../processes';
import { cleanEnvironment, likeTheFirstStart } from '../vscode/environment';
import { findCodeCommand, programBehind } from '../vscode/findDesktop';
import { writeDesktopSettings } from '../vscode/state';
import { type Settings } from '../vscode/testSettings';

export interface DesktopWindow {
  readonly ended: Promise<void>;
  dispose(): Promise<void>;
}

/** Opens the desktop VS Code on the PATH with the extension from the folder and a separate state. */
export async function openDesktopWindow(stateFolder: string, settings: Settings): Promise<DesktopWindow> {
  const command = findCodeCommand();
  if (command === undefined) {
    throw new Error('There is no `code` on the PATH: install VS Code with its command, or leave out --desktop.');
  }
  await runToEnd(process.execPath, ['esbuild.mjs'], { cwd: projectFolder });
  await mkdir(stateFolder, { recursive: true });
  await writeDesktopSettings(join(stateFolder, 'user'), settings);
  const child = spawnGroup(programBehind(command), desktopArguments(stateFolder), {
    env: cleanEnvironment(likeTheFirstStart),
    stdio: 'ignore',
  });
  return { ended: ending(child, 'exit').then(() => undefined), dispose: () => endGroup(child) };
}

function desktopArguments(stateFolder: string): string[] {
  return [
    `--extensionDevelopmentPath=${projectFolder}`,
    `--user-data-dir=${join(stateFolder, 'user')}`,
    `--extensions-dir=${join(stateFolder, 'extensions')}`,
    '--new-window',
    '--wait',
    ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  ];
}
