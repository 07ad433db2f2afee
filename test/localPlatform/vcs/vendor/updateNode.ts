import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Node } from '../../environments/environment';
import type { Platform } from '../../platform';
import type { Project } from '../project';
import { storeProperties } from '../repositoryPasswords';
import type { Workplace } from '../sourceControl';
import { stackOf } from '../stack';
import { runHookFile, type HookFile } from './hookFiles';
import type { NodeLogs } from './nodeLogs';
import { Releases } from './releases';
import { VendorGit } from './vendorGit';
import type { VendorSources } from './vendorSources';
import { VendorSvn } from './vendorSvn';

export interface VendorUpdate {
  readonly platform: Platform;
  readonly project: Project;
  readonly node: Node;
  readonly logs: NodeLogs;
  readonly workplace: Workplace;
  readonly hookWorkplace: Workplace;
  /** Returns the revision in a folder. */
  readonly revision: (folder: string) => Promise<string>;
}

const isFolder = async (path: string): Promise<boolean> => {
  try {
    return (await stat(path)).isDirectory();
  } catch {
    return false;
  }
};

const vendorSources = (platform: Platform, project: Project, workplace: Workplace, logs: NodeLogs): VendorSources =>
  project.type === 'GIT'
    ? new VendorGit(project, workplace, platform.behaviour, logs)
    : new VendorSvn(project, workplace, logs);

/**
 * Deploys to one node as doUpdate of the vendor's vcs.module does, in its order (github.com/jelastic/jem at 3c2502c,
 * facts J). Nothing decides this order but this function. A build node builds in the same call, as maven.module does; it
 * has no Maven here, so between its two hooks nothing happens.
 */
export const updateNode = async (update: VendorUpdate): Promise<void> => {
  const { platform, project, node, logs } = update;
  const nodeFolder = platform.environments.folder(node.id);
  const { webroot, switchesReleases, builds } = stackOf(node);
  const { context } = project;
  const releases = await Releases.open(nodeFolder, webroot, context, (line) => logs.say(line));
  const sources = vendorSources(platform, project, update.workplace, logs);
  const hook = async (name: HookFile): Promise<void> => {
    const tree = await releases.tree();
    const folder = (await isFolder(tree)) ? tree : join(tree, '..');
    await runHookFile(name, { nodeFolder, context, folder, logs, workplace: update.hookWorkplace });
  };

  await hook('preUpdate');
  if (!builds) await hook('preDeploy');
  const switches = switchesReleases && context === 'ROOT' && project.zdt;
  const tree = switches ? await releases.nextTree(platform.clock.now()) : await releases.plainTree();
  if (await isFolder(join(tree, sources.own))) await sources.update(tree);
  else await sources.checkOut(tree);
  if (switches) await releases.switchTo(tree);
  project.deployed[String(node.id)] = await update.revision(tree);
  await storeProperties(platform, project, node);
  await hook('postUpdate');
  if (!builds) await hook('postDeploy');
  if (builds) for (const name of ['preBuild', 'postBuild'] as const) await hook(name);
};

/** Tells the checkout on a node about the project's changed URL or login. */
export const changeUrl = async (
  { platform, project, node, logs, workplace }: Omit<VendorUpdate, 'hookWorkplace' | 'revision'>,
  before: string,
): Promise<void> => {
  const nodeFolder = platform.environments.folder(node.id);
  const releases = await Releases.open(nodeFolder, stackOf(node).webroot, project.context);
  const sources = vendorSources(platform, project, workplace, logs);
  const tree = await releases.tree();
  if (await isFolder(join(tree, sources.own))) await sources.changeUrl(tree, before);
};
