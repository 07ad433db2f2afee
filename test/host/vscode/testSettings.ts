import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export type Settings = Readonly<Record<string, unknown>>;

/** A quiet VS Code: no request of its own, no page that greets, nothing that saves or changes by itself. */
export const quietSettings: Settings = {
  'chat.commandCenter.enabled': false,
  'chat.disableAIFeatures': true,
  'extensions.autoCheckUpdates': false,
  'extensions.autoUpdate': false,
  'extensions.ignoreRecommendations': true,
  'files.autoSave': 'off',
  'git.autofetch': false,
  'git.openRepositoryInParentFolders': 'never',
  'security.workspace.trust.enabled': false,
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
  'window.commandCenter': false,
  'workbench.enableExperiments': false,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.settings.enableNaturalLanguageSearch': false,
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
  'workbench.welcomePage.walkthroughs.openOnInstall': false,
};

/** Into the `User` folder of a VS Code's state. */
export async function writeSettings(userFolder: string, settings: Settings): Promise<void> {
  await mkdir(userFolder, { recursive: true });
  await writeFile(join(userFolder, 'settings.json'), JSON.stringify({ ...quietSettings, ...settings }, null, 2));
}
