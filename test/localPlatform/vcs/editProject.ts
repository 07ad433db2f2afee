import type { Call } from '../operation';
import { codes, Refusal } from '../refusal';
import { ContextFolder } from './contextFolder';
import { storeHookFiles } from './hooks';
import { nodesOfProject, projectOf } from './layer';
import type { Project, ProjectSettings } from './project';
import { demandOneSecret, settingsIn } from './settings';
import { demandContext, stackOf } from './stack';

const optionalFields = ['keyId', 'login', 'password', 'repoHash'] as const satisfies readonly (keyof ProjectSettings)[];

/** Replaces all settings, and removes those that the new ones don't have. */
const store = (project: Project, settings: ProjectSettings): void => {
  for (const field of optionalFields) Reflect.deleteProperty(project, field);
  // The deployed files came from elsewhere, so the next Update starts with a new checkout.
  if (project.url !== settings.url || project.type !== settings.type) project.deployed = {};
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
  await storeHookFiles(platform, project, { context: project.context, hooks: {} });
  project.context = context;
};

/** Stores the settings in a request, and moves the deployed files if the context changes. */
export const editProject = async (call: Call): Promise<Project> => {
  const { parameters, platform } = call;
  const project = projectOf(call, 'oldcontext');
  demandOneSecret(parameters, codes.editProjectFailed);
  const settings = settingsIn(parameters, { before: project, unsent: platform.behaviour.unsentProjectFields });
  const context = parameters.text('newcontext');
  if (context !== project.context) await renameContext(call, project, context);
  store(project, settings);
  if (platform.behaviour.hookFiles === 'saved') await storeHookFiles(platform, project);
  await platform.projects.save();
  return project;
};
