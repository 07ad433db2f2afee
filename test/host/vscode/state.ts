import { readFileSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { projectFolder } from '../folders';
import { onlyInTests, quietSettings, type Settings } from './testSettings';
import { tidyingKeybindings } from './tidyingKeys';
import { type VsCodeOptions } from './options';

export type StateOptions = Pick<VsCodeOptions, 'settings' | 'workspaceTrust' | 'auth'>;

/** Creates the folders and settings for VS Code's server. Keeps settings that a person has changed; in tests, only the user's. */
export async function prepareState(
  folder: string,
  { settings, workspaceTrust, auth = 'none' }: StateOptions,
): Promise<void> {
  // People enter a password, tests don't.
  const isForTests = auth === 'none';
  const usual = { ...quietSettings, ...(isForTests ? onlyInTests : {}) };
  const all = { ...usual, 'security.workspace.trust.enabled': workspaceTrust === 'on', ...settings };
  const [machine, user] = split(all, machineSettings());
  await mkdir(join(folder, 'extensions'), { recursive: true });
  await (isForTests ? writeJson : addSettings)(join(folder, 'user', 'Machine', 'settings.json'), machine);
  await addSettings(join(folder, 'user', 'User', 'settings.json'), user);
  if (isForTests) await writeJson(join(folder, 'user', 'User', 'keybindings.json'), tidyingKeybindings);
  // With its own file, it neither reads nor writes the user's ~/.config/code-server.
  await writeFile(join(folder, 'config.yaml'), 'cert: false\n');
}

/** Adds the settings of a desktop VS Code, which has only one settings file. */
export async function writeDesktopSettings(userDataFolder: string, settings: Settings): Promise<void> {
  await addSettings(join(userDataFolder, 'User', 'settings.json'), { ...quietSettings, ...settings });
}

/** Adds settings to a file. Keeps those that it has, and adds to its lists: the local platform may have another port now. */
async function addSettings(path: string, settings: Settings): Promise<void> {
  const text = await readFile(path, 'utf8').catch(() => '');
  let kept: Settings;
  try {
    kept = JSON.parse(text.trim() || '{}') as Settings;
  } catch {
    // A person may add comments, which JSON doesn't have.
    console.log(`Added no settings to ${path}, because it isn't plain JSON.`);
    return;
  }
  const all = Object.keys({ ...settings, ...kept }).map((name) => [name, joined(settings[name], kept[name])] as const);
  await writeJson(path, Object.fromEntries(all));
}

function joined(ours: unknown, theirs: unknown): unknown {
  const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);
  if (isList(ours) && isList(theirs)) return [...new Set([...theirs, ...ours])];
  return theirs === undefined ? ours : theirs;
}

async function writeJson(path: string, content: object): Promise<void> {
  await mkdir(join(path, '..'), { recursive: true });
  await writeFile(path, JSON.stringify(content, null, 2));
}

function split(settings: Settings, machine: ReadonlySet<string>): [Settings, Settings] {
  const pick = (isMachine: boolean): Settings =>
    Object.fromEntries(Object.entries(settings).filter(([name]) => machine.has(name) === isMachine));
  return [pick(true), pick(false)];
}

interface Manifest {
  readonly contributes?: {
    readonly configuration?: { readonly properties?: Record<string, { readonly scope?: string }> };
  };
}

/** Returns our settings, and those of VS Code that tests change, that a remote window reads only from the machine it runs on. */
function machineSettings(): ReadonlySet<string> {
  const { contributes } = JSON.parse(readFileSync(join(projectFolder, 'package.json'), 'utf8')) as Manifest;
  const properties = Object.entries(contributes?.configuration?.properties ?? {});
  const ours = properties.filter(([, { scope }]) => scope === 'machine').map(([name]) => name);
  return new Set([...ours, 'remote.autoForwardPorts', 'workbench.welcomePage.walkthroughs.openOnInstall']);
}
