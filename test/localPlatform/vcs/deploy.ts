import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Node } from '../environments/environment';
import type { DiskConditions } from '../faults/diskConditions';
import type { Platform } from '../platform';
import { codes, Refusal } from '../refusal';
import { DeployLog } from './deployLog';
import { deployNode } from './deployNode';
import { Git } from './git';
import { storeHookFiles } from './hooks';
import type { Project } from './project';
import type { SourceControl, Workplace } from './sourceControl';
import { Svn } from './svn';

const untroubled: DiskConditions = { failing: new Map() };

export interface DeployWish {
  readonly nodes: readonly Node[];
  /** Seconds between nodes. By default, the project's own delay. */
  readonly delay?: number | undefined;
  readonly disk?: DiskConditions;
}

interface Failure {
  readonly node: Node;
  readonly refusal: Refusal;
}

const workplaceOf = async (platform: Platform, folder: string, seconds: number): Promise<Workplace> => {
  const home = join(platform.dataFolder, 'vcs', folder);
  await mkdir(home, { recursive: true });
  return { home, seconds, signal: platform.periodic.signal };
};

export const sourcesOf = async (platform: Platform, project: Project): Promise<SourceControl> => {
  const workplace = await workplaceOf(platform, 'home', platform.behaviour.checkoutSeconds);
  const meant = platform.behaviour.pinnedCommits === 'deployed' ? project : { ...project, repoHash: undefined };
  return project.type === 'GIT' ? new Git(meant, workplace) : new Svn(meant, workplace);
};

export const logOf = (platform: Platform, { login = '', password = '' }: Project, node: Node): DeployLog => {
  const secrets = password === '' ? [] : [password, Buffer.from(`${login}:${password}`).toString('base64')];
  return new DeployLog(platform.environments.folder(node.id), secrets, () => platform.clock.now());
};

const summary = (failures: readonly Failure[], log: string): Refusal => {
  const ids = failures.map(({ node }) => node.id);
  const [first] = failures;
  return new Refusal(
    first?.refusal.result ?? codes.deployFailed,
    `An error occurred during the VCS deployment on node${ids.length > 1 ? 's' : ''} ${ids.join(', ')}. ` +
      'Please, check the logs for more details.',
    { log },
  );
};

const pauseFor = async (seconds: number, signal: AbortSignal): Promise<void> => {
  try {
    await pause(seconds * 1000, undefined, { signal });
  } catch {
    // Only the signal ends a pause early.
    throw new Refusal(codes.unknown, 'the platform was ended');
  }
};

/** Deploys to one node after another, and continues after a failure. */
export const deploy = async (platform: Platform, project: Project, wish: DeployWish): Promise<string> => {
  const { signal } = platform.periodic;
  const sources = await sourcesOf(platform, project);
  const hookWorkplace = await workplaceOf(platform, 'hooks', platform.behaviour.hookSeconds);
  const delay = wish.delay ?? project.delay;
  const failures: Failure[] = [];
  const logs: string[] = [];
  project.checkedAt = platform.clock.now();
  if (platform.behaviour.hookFiles === 'deployed') await storeHookFiles(platform, project);
  // Checks access only once. If it is denied, the log of each node says why.
  const access = sources.demandAccess();
  access.catch(() => undefined);
  for (const [index, node] of wish.nodes.entries()) {
    if (index > 0 && delay > 0) await pauseFor(delay, signal);
    const log = logOf(platform, project, node);
    log.say(`project ${project.context}, node ${node.id}`);
    try {
      await access;
      const disk = wish.disk ?? untroubled;
      await deployNode({ platform, project, node, disk, log, sources, hookWorkplace });
    } catch (error) {
      if (!(error instanceof Refusal) || signal.aborted) throw error;
      log.say(`failed: ${error.message}`);
      failures.push({ node, refusal: error });
    }
    logs.push(log.text);
    await log.write();
  }
  project.log = logs.join('');
  await platform.projects.save();
  if (failures.length > 0) throw summary(failures, project.log);
  return project.log;
};

/** Returns the `hash` of a project, which is a digest of its key and never a commit. */
export const keyDigest = (keyId: number): string => createHash('sha1').update(`key ${keyId}`).digest('hex');
