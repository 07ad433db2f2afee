import type { Node } from '../environments/environment';
import type { DiskConditions } from '../faults/diskConditions';
import type { Platform } from '../platform';
import { codes, Refusal } from '../refusal';
import { ContextFolder } from './contextFolder';
import type { DeployLog } from './deployLog';
import { runHook } from './hooks';
import type { HookName, Project } from './project';
import { plantLogin } from './repositoryPasswords';
import type { SourceControl, Workplace } from './sourceControl';
import { stackOf } from './stack';

export interface NodeDeployment {
  readonly platform: Platform;
  readonly project: Project;
  readonly node: Node;
  readonly disk: DiskConditions;
  readonly log: DeployLog;
  readonly sources: SourceControl;
  readonly hookWorkplace: Workplace;
}

/** Fails if the node doesn't answer, or its disk is full. */
export const demandDisk = (disk: DiskConditions, node: Node): void => {
  const failing = disk.failing.get(node.id);
  if (failing !== undefined) throw new Refusal(codes.deployFailed, failing.error);
  if (disk.full !== undefined) throw new Refusal(codes.diskFull, 'no free disk space on the node');
};

/** Brings the sources in place, live or staged. `goLive` makes the staged ones live. */
const bringSources = async (
  { project, node, log, sources }: NodeDeployment,
  context: ContextFolder,
): Promise<{ folder: string; goLive: () => Promise<void> }> => {
  const switches = project.zdt && stackOf(node).switchesReleases;
  const goLive = async (): Promise<void> => {
    if (switches) await context.switchTo(`${Date.now()}`);
    else await context.replace();
  };
  const isFirst = project.deployed[String(node.id)] === undefined || !(await context.exists());
  if (isFirst) {
    log.say(`check out ${project.url}`);
    const folder = await context.stage();
    await sources.checkOut(folder, log);
    return { folder, goLive };
  }
  log.say(`update from ${project.url}`);
  const staged = switches || (await context.isLink());
  const folder = staged ? await context.stageCopy() : context.live;
  await sources.bringUpToDate(folder, log);
  return { folder, goLive: staged ? goLive : () => Promise.resolve() };
};

/**
 * Deploys to one node and returns the revision that is deployed there. The hooks nest: deploy around build around
 * fetching the sources, so a hook that fails before the sources leaves the files unchanged.
 */
export const deployNode = async (deployment: NodeDeployment): Promise<string> => {
  const { platform, project, node, disk, log, sources, hookWorkplace } = deployment;
  demandDisk(disk, node);
  const { webroot } = stackOf(node);
  const context = await ContextFolder.open(platform.environments.folder(node.id), webroot, project.context);
  const hook = async (name: HookName, folder: string): Promise<void> =>
    runHook(project.hooks, name, { folder, log, workplace: hookWorkplace });
  const standing = (await context.exists()) ? context.live : context.webroot;
  try {
    await hook('preDeploy', standing);
    await hook('preBuild', standing);
    const { folder, goLive } = await bringSources(deployment, context);
    await hook('postBuild', folder);
    await goLive();
  } finally {
    await context.abandon();
  }
  const checkout = await context.checkout();
  const revision = await sources.revision(checkout);
  await plantLogin(checkout, project, platform.behaviour);
  // The sources are deployed, whatever the last hook returns.
  project.deployed[String(node.id)] = revision;
  await hook('postDeploy', context.live);
  log.say(`deployed ${revision}`);
  return revision;
};
