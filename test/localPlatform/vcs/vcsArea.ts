import { enumerated } from '../enumerated';
import type { Answer, Area, Call, Handler } from '../operation';
import { codes, Refusal } from '../refusal';
import { startAutoUpdate } from './autoUpdate';
import { ContextFolder } from './contextFolder';
import { deploy, keyDigest } from './deploy';
import { editProject } from './editProject';
import { removeHookFiles, storeHookFiles } from './hooks';
import { layerOf, nodesOfProject, projectOf } from './layer';
import type { Project } from './project';
import { turnOf } from './projects';
import { removeProperties, storeAllProperties } from './repositoryPasswords';
import { demandOneSecret, newSettingsIn } from './settings';
import { demandContext, stackOf } from './stack';
import { Turns } from './turns';
import { Releases } from './vendor/releases';

const typeNumbers = { SVN: 0, GIT: 1 } as const;

/** Returns the fields of a project in the contract, without password, key, hooks, and delay. */
const shown = (project: Project, { platform }: Call): Answer => ({
  atomicDeploy: project.zdt,
  autoResolveConflict: project.autoResolveConflict,
  autoupdate: project.autoupdate,
  branch: project.branch,
  context: project.context,
  hash: project.keyId === undefined ? undefined : keyDigest(project.keyId),
  interval: project.interval,
  log: project.log,
  login: project.login,
  project: String(project.id),
  reason: 0,
  repoHash: project.repoHash,
  source: 'JEL',
  type: enumerated(platform.behaviour.enums, project.type, typeNumbers[project.type]),
  url: project.url,
});

const createProject: Handler = async (call) => {
  const { parameters, platform } = call;
  const { place, nodes } = layerOf(call);
  if (!nodes.every(({ isVcsSupport }) => isVcsSupport)) {
    throw new Refusal(codes.createProjectFailed, `the layer [${place.nodeGroup}] takes no VCS projects`);
  }
  const context = parameters.text('context');
  demandContext(nodes, context);
  demandOneSecret(parameters, codes.createProjectFailed);
  const settings = newSettingsIn(parameters, platform.behaviour);
  if (platform.projects.find({ ...place, context }) !== undefined) {
    throw new Refusal(codes.createProjectFailed, `the context [${context}] has a project already`);
  }
  const project = await platform.projects.add({ ...place, context }, settings, platform.clock.now());
  if (platform.behaviour.hookFiles === 'saved') await storeHookFiles(platform, project, 'inherited');
  await storeAllProperties(platform, project);
  // The project stays if its first deployment fails, because it can be edited and updated.
  if (parameters.flag('updateNow') === true) await deploy(platform, project, { nodes, disk: call.disk });
  return shown(project, call);
};

const getProject: Handler = (call) => Promise.resolve(shown(projectOf(call), call));

const update: Handler = async (call) => {
  const { parameters, platform } = call;
  const project = projectOf(call);
  const nodeId = parameters.optionalInteger('nodeId');
  const nodes = nodesOfProject(platform, project).filter(({ id }) => nodeId === undefined || id === nodeId);
  if (nodes.length === 0) throw new Refusal(codes.notFound, `node [${nodeId}] not found`);
  const log = await deploy(platform, project, { nodes, delay: parameters.optionalInteger('delay'), disk: call.disk });
  return { log, reason: 0, source: 'JEL' };
};

const deleteProject: Handler = async (call) => {
  const { platform } = call;
  const project = projectOf(call);
  const Folder = platform.behaviour.deployments === 'vendor' ? Releases : ContextFolder;
  for (const node of nodesOfProject(platform, project)) {
    const { webroot } = stackOf(node);
    await (await Folder.open(platform.environments.folder(node.id), webroot, project.context)).remove();
  }
  // The vendor's removeHooks leaves them, because it quotes its pattern (facts J).
  if (platform.behaviour.deletedHooks === 'removed') await removeHookFiles(platform, project, project.context);
  await removeProperties(platform, project, project.context);
  await platform.projects.remove(project);
  return shown(project, call);
};

/** Projects that link a repository to a layer, and their deployments. */
export const openVcsArea: Area = (platform) => {
  const turns = new Turns();
  startAutoUpdate(platform, turns);
  /** Runs work on the same project one after another. Looks up the project when its turn comes. */
  const inTurn =
    (handler: Handler, contextParameter = 'context'): Handler =>
    async (call) => {
      const { place } = layerOf(call);
      const context = call.parameters.optionalText(contextParameter) ?? 'ROOT';
      return platform.periodic.awaited(turns.take(turnOf({ ...place, context }), () => handler(call)));
    };
  return Promise.resolve({
    CreateProject: inTurn(createProject),
    GetProject: getProject,
    EditProject: inTurn(async (call) => shown(await editProject(call), call), 'oldcontext'),
    Update: inTurn(update),
    DeleteProject: inTurn(deleteProject),
  });
};
