import { chmod, mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { own } from '../files/permissions';
import type { Platform } from '../platform';
import { bareEnvironment } from './bareEnvironment';
import type { DeployLog } from './deployLog';
import { programFailure } from './programFailure';
import { nodesOfProject } from './layer';
import { placeInNode } from './placeInNode';
import type { HookName, Hooks, Project } from './project';
import { runProgram } from './runProgram';
import type { Workplace } from './sourceControl';

/** The results of our own deployments if a hook fails. The vendor's are in `vendor/hookFiles.ts`. */
const results = { preDeploy: 4125, postDeploy: 4126, preBuild: 4127, postBuild: 4128 } as const satisfies Record<
  HookName,
  number
>;

/** Where nodes keep the files of hooks, `<hook>_<context>.sh` (facts J). */
export const hookFolder = '/var/lib/jelastic/hooks';

const hookFile = (platform: Platform, nodeId: number, name: string): Promise<string> =>
  placeInNode(platform.environments.folder(nodeId), `${hookFolder}/${name}`);

/** Gives the container's user the rights that the switch says. */
const setRights = async (platform: Platform, project: Project): Promise<void> => {
  const { hookRights, deployments } = platform.behaviour;
  for (const node of nodesOfProject(platform, project)) {
    const folder = dirname(await hookFile(platform, node.id, 'any'));
    // The vendor's code creates it at every call.
    if (deployments === 'vendor') await mkdir(folder, { recursive: true });
    if (hookRights === 'write') own(node, hookFolder);
    else Reflect.deleteProperty(node.owners, hookFolder);
    // There may be no folder.
    await chmod(folder, hookRights === 'none' ? 0o700 : 0o755).catch(() => undefined);
  }
  if (hookRights === 'write') await platform.environments.save();
};

/**
 * Makes the hook files on the project's nodes those of its settings. `inherited` leaves those that the settings don't
 * have, if the switch says that they outlive their project.
 */
export const storeHookFiles = async (
  platform: Platform,
  project: Project,
  others: 'inherited' | 'removed' = 'removed',
): Promise<void> => {
  const leavesOthers = others === 'inherited' && platform.behaviour.deletedHooks === 'kept';
  for (const { id } of nodesOfProject(platform, project)) {
    for (const name of ['preDeploy', 'postDeploy', 'preBuild', 'postBuild'] as const) {
      const file = await hookFile(platform, id, `${name}_${project.context}.sh`);
      const script = project.hooks[name] ?? '';
      if (script !== '') {
        await mkdir(dirname(file), { recursive: true });
        await writeFile(file, script);
      } else if (!leavesOthers) {
        await rm(file, { force: true });
      }
    }
  }
  await setRights(platform, project);
};

/** Removes all hook files of a context from the project's nodes. */
export const removeHookFiles = (platform: Platform, project: Project, context: string): Promise<void> =>
  forHookFiles(platform, project, async (folder, name) => {
    const [hook = ''] = name.split('_', 1);
    if (name === `${hook}_${context}.sh`) await rm(join(folder, name));
  });

/**
 * Renames the hook files of a context on the project's nodes as the vendor's renameHooks does (facts J), even if the
 * context keeps its name: those of a context whose name ends with this one's become this one's, too.
 */
export const renameHookFiles = (
  platform: Platform,
  project: Project,
  context: string,
  renamed: string,
): Promise<void> =>
  forHookFiles(platform, project, async (folder, name) => {
    if (!name.endsWith(`${context}.sh`)) return;
    await rename(join(folder, name), join(folder, `${name.split('_', 1)[0] ?? ''}_${renamed}.sh`));
  });

const forHookFiles = async (
  platform: Platform,
  project: Project,
  work: (folder: string, name: string) => Promise<void>,
): Promise<void> => {
  for (const { id } of nodesOfProject(platform, project)) {
    const folder = dirname(await hookFile(platform, id, 'any'));
    // There may be no folder.
    const names = await readdir(folder).catch(() => []);
    for (const name of names.sort()) await work(folder, name);
  }
};

/** A script with a `#!` line chooses its interpreter. Others run in the shell. */
export const commandFor = (script: string, file: string): { program: string; args: readonly string[] } =>
  script.startsWith('#!') ? { program: file, args: [] } : { program: 'sh', args: [file] };

/** Runs this hook of the project, if it has one, and logs its output. */
export const runHook = async (
  hooks: Hooks,
  name: HookName,
  { folder, log, workplace }: { folder: string; log: DeployLog; workplace: Workplace },
): Promise<void> => {
  const script = hooks[name];
  if (script === undefined || script.trim() === '') return;
  log.say(`hook ${name}`);
  const home = await mkdtemp(join(workplace.home, 'hook-'));
  try {
    const file = join(home, name);
    await writeFile(file, script);
    await chmod(file, 0o700);
    const { seconds, signal } = workplace;
    const environment = bareEnvironment(home);
    const outcome = await runProgram({ ...commandFor(script, file), cwd: folder, environment, seconds, signal });
    log.quote(outcome.output);
    const failure = programFailure(`the hook ${name}`, outcome, results[name]);
    if (failure !== undefined) throw failure;
  } finally {
    await rm(home, { recursive: true, force: true });
  }
};
