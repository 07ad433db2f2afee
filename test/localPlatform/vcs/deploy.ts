import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Node } from '../environments/environment';
import type { DiskConditions } from '../faults/diskConditions';
import type { Platform } from '../platform';
import { codes, Refusal } from '../refusal';
import { DeployLog, masked } from './deployLog';
import { demandDisk, deployNode } from './deployNode';
import { Git } from './git';
import { storeHookFiles } from './hooks';
import { nodesOfProject } from './layer';
import type { Project } from './project';
import { plantedLogin, storeProperties } from './repositoryPasswords';
import type { SourceControl, Workplace } from './sourceControl';
import { Svn } from './svn';
import { HookRefusal } from './vendor/hookFiles';
import { logFolderOf, NodeLogs } from './vendor/nodeLogs';
import { changeUrl, updateNode } from './vendor/updateNode';

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

const secretsOf = ({ login = '', password = '' }: Project): readonly string[] =>
  password === '' ? [] : [password, Buffer.from(`${login}:${password}`).toString('base64')];

export const logOf = (platform: Platform, project: Project, node: Node): DeployLog => {
  const file = join(logFolderOf(platform, node, 'update'), 'vcs_update.log');
  return new DeployLog(platform.environments.folder(node.id), file, secretsOf(project), () => platform.clock.now());
};

const summary = (failures: readonly Failure[], log: string): Refusal => {
  const ids = failures.map(({ node }) => node.id);
  const [first] = failures;
  const result = first?.refusal.result ?? codes.deployFailed;
  // The vendor's container words these itself, and the platform passes them on.
  if (first?.refusal instanceof HookRefusal) return new Refusal(result, first.refusal.message, { log });
  return new Refusal(
    result,
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

interface NodeOutcome {
  readonly log: string;
  readonly refusal?: Refusal;
}
type DeployTo = (node: Node) => Promise<NodeOutcome>;

/** Returns why the work was refused. */
const refusalOf = async (platform: Platform, work: () => Promise<unknown>): Promise<Refusal | undefined> => {
  try {
    await work();
    return undefined;
  } catch (error) {
    if (!(error instanceof Refusal) || platform.periodic.signal.aborted) throw error;
    return error;
  }
};

const ownDeployment = async (platform: Platform, project: Project, disk: DiskConditions): Promise<DeployTo> => {
  const sources = await sourcesOf(platform, project);
  const hookWorkplace = await workplaceOf(platform, 'hooks', platform.behaviour.hookSeconds);
  // Checks access only once. If it is denied, the log of each node says why.
  const access = sources.demandAccess();
  access.catch(() => undefined);
  return async (node) => {
    const log = logOf(platform, project, node);
    log.say(`project ${project.context}, node ${node.id}`);
    const refusal = await refusalOf(platform, async () => {
      await access;
      await deployNode({ platform, project, node, disk, log, sources, hookWorkplace });
      await storeProperties(platform, project, node);
    });
    if (refusal !== undefined) log.say(`failed: ${refusal.message}`);
    await log.write();
    return { log: log.text, ...(refusal === undefined ? {} : { refusal }) };
  };
};

const vendorDeployment = async (platform: Platform, project: Project, disk: DiskConditions): Promise<DeployTo> => {
  const sources = await sourcesOf(platform, project);
  const workplace = await workplaceOf(platform, 'home', platform.behaviour.checkoutSeconds);
  const hookWorkplace = await workplaceOf(platform, 'hooks', platform.behaviour.hookSeconds);
  const secrets = [...secretsOf(project), plantedLogin.password];
  return async (node) => {
    const logs = await NodeLogs.open(platform, node);
    const refusal = await refusalOf(platform, async () => {
      demandDisk(disk, node);
      const revision = (folder: string): Promise<string> => sources.revision(folder);
      await updateNode({ platform, project, node, logs, workplace, hookWorkplace, revision });
    });
    return { log: masked(logs.text, secrets), ...(refusal === undefined ? {} : { refusal }) };
  };
};

/** Deploys to one node after another, and continues after a failure. */
export const deploy = async (platform: Platform, project: Project, wish: DeployWish): Promise<string> => {
  const { behaviour, clock, periodic } = platform;
  const delay = wish.delay ?? project.delay;
  const failures: Failure[] = [];
  const logs: string[] = [];
  project.checkedAt = clock.now();
  if (behaviour.hookFiles === 'deployed') await storeHookFiles(platform, project, 'inherited');
  const prepare = behaviour.deployments === 'vendor' ? vendorDeployment : ownDeployment;
  const deployTo = await prepare(platform, project, wish.disk ?? untroubled);
  for (const [index, node] of wish.nodes.entries()) {
    if (index > 0 && delay > 0) await pauseFor(delay, periodic.signal);
    const { log, refusal } = await deployTo(node);
    if (refusal !== undefined) failures.push({ node, refusal });
    logs.push(log);
  }
  project.log = logs.join('');
  await platform.projects.save();
  if (failures.length > 0) throw summary(failures, project.log);
  return project.log;
};

/** Tells the checkouts on a project's nodes about its changed URL or login, as the vendor's EditProject does. */
export const changeUrlOnNodes = async (platform: Platform, project: Project, before: string): Promise<void> => {
  const workplace = await workplaceOf(platform, 'home', platform.behaviour.checkoutSeconds);
  for (const node of nodesOfProject(platform, project)) {
    const logs = await NodeLogs.open(platform, node);
    await changeUrl({ platform, project, node, logs, workplace }, before);
  }
};

/** Returns the `hash` of a project, which is a digest of its key and never a commit. */
export const keyDigest = (keyId: number): string => createHash('sha1').update(`key ${keyId}`).digest('hex');
