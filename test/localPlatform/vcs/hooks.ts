import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Platform } from '../platform';
import { bareEnvironment } from './bareEnvironment';
import type { DeployLog } from './deployLog';
import { programFailure } from './programFailure';
import { nodesOfProject } from './layer';
import { placeInNode } from './placeInNode';
import type { HookName, Hooks, Project } from './project';
import { runProgram } from './runProgram';
import type { Workplace } from './sourceControl';

/** The result if a hook fails. Only the range is publicly known, so each hook gets one code of it. */
const results = { preDeploy: 4125, postDeploy: 4126, preBuild: 4127, postBuild: 4128 } as const satisfies Record<
  HookName,
  number
>;

/** Makes the hook files on the project's nodes those of its settings; none if the project is gone. */
export const storeHookFiles = async (
  platform: Platform,
  project: Project,
  { context, hooks }: Pick<Project, 'context' | 'hooks'> = project,
): Promise<void> => {
  for (const { id } of nodesOfProject(platform, project)) {
    for (const name of ['preDeploy', 'postDeploy', 'preBuild', 'postBuild'] as const) {
      const path = `/var/lib/jelastic/hooks/${name}_${context}.sh`;
      const file = await placeInNode(platform.environments.folder(id), path);
      const script = hooks[name] ?? '';
      if (script === '') {
        await rm(file, { force: true });
      } else {
        await mkdir(dirname(file), { recursive: true });
        await writeFile(file, script);
      }
    }
  }
};

/** A script with a `#!` line chooses its interpreter. Others run in the shell. */
const commandFor = (script: string, file: string): { program: string; args: readonly string[] } =>
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
