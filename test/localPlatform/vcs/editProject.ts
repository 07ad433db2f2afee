import type { Call } from '../operation';
import { codes, Refusal } from '../refusal';
import { ContextFolder } from './contextFolder';
import { changeUrlOnNodes } from './deploy';
import { removeHookFiles, renameHookFiles, storeHookFiles } from './hooks';
import { nodesOfProject, projectOf } from './layer';
import type { Project, ProjectSettings } from './project';
import { removeProperties, storeAllProperties } from './repositoryPasswords';
import { demandOneSecret, settingsIn } from './settings';
import { demandContext, stackOf } from './stack';
import { Releases } from './vendor/releases';

const optionalFields = ['keyId', 'login', 'password', 'repoHash'] as const satisfies readonly (keyof ProjectSettings)[];

/** Replaces all settings, and removes those that the new ones don't have. */
const store = (project: Project, settings: ProjectSettings): void => {
  for (const field of optionalFields) Reflect.deleteProperty(project, field);
  Object.assign(project, settings);
};

const renameContext = async (call: Call, project: Project, context: string): Promise<void> => {
  const { platform } = call;
  const nodes = nodesOfProject(platform, project);
  demandContext(nodes, context);
  const { envName, nodeGroup } = project;
  const moves = await Promise.all(
    nodes.map(async (node) => {
      const { webroot } = stackOf(node);
      const folder = platform.environments.folder(node.id);
      const from = await ContextFolder.open(folder, webroot, project.context);
      return { from, to: await ContextFolder.open(folder, webroot, context) };
    }),
  );
  const taken = await Promise.all(moves.map(({ to }) => to.exists()));
  if (taken.includes(true) || platform.projects.find({ envName, nodeGroup, context }) !== undefined) {
    throw new Refusal(codes.editProjectFailed, `the context [${context}] is taken`);
  }
  for (const { from, to } of moves) await from.moveTo(to);
  await removeHookFiles(platform, project, project.context);
  project.context = context;
};

const changesUrl = (project: Project, settings: ProjectSettings): boolean =>
  (['url', 'login', 'password'] as const).some((field) => project[field] !== settings[field]);

/**
 * Does to the nodes what doEditProject of the vendor's vcs.module does, in its order (facts J): a clone gets the new URL,
 * so that no new one is needed, but only if it's in the folder of the new context already.
 */
const editNodes = async (call: Call, project: Project, settings: ProjectSettings, context: string): Promise<void> => {
  const { platform } = call;
  const nodes = nodesOfProject(platform, project);
  const isRenamed = context !== project.context;
  if (isRenamed) {
    demandContext(nodes, context);
    if (platform.projects.find({ ...project, context }) !== undefined) {
      throw new Refusal(codes.editProjectFailed, `the context [${context}] is taken`);
    }
  }
  if (changesUrl(project, settings)) {
    const changed = { ...project, ...settings, context };
    await changeUrlOnNodes(platform, changed, project.url);
  }
  for (const node of isRenamed ? nodes : []) {
    const { webroot } = stackOf(node);
    const folder = platform.environments.folder(node.id);
    const from = await Releases.open(folder, webroot, project.context);
    await from.moveTo(await Releases.open(folder, webroot, context));
  }
  await renameHookFiles(platform, project, project.context, context);
};

/** Stores the settings in a request, and moves the deployed files if the context changes. */
export const editProject = async (call: Call): Promise<Project> => {
  const { parameters, platform } = call;
  const project = projectOf(call, 'oldcontext');
  demandOneSecret(parameters, codes.editProjectFailed);
  const settings = settingsIn(parameters, { before: project, unsent: platform.behaviour.unsentProjectFields });
  const context = parameters.text('newcontext');
  const before = project.context;
  if (platform.behaviour.deployments === 'vendor') {
    await editNodes(call, project, settings, context);
    store(project, context === 'ROOT' ? settings : { ...settings, zdt: false });
    project.context = context;
  } else {
    if (context !== before) await renameContext(call, project, context);
    // The deployed files came from elsewhere, so the next Update starts with a new checkout.
    if (project.url !== settings.url || project.type !== settings.type) project.deployed = {};
    store(project, settings);
  }
  if (platform.behaviour.hookFiles === 'saved') {
    await storeHookFiles(platform, project, parameters.has('hooks') ? 'removed' : 'inherited');
  }
  if (context !== before) await removeProperties(platform, project, before);
  await storeAllProperties(platform, project);
  await platform.projects.save();
  return project;
};
