import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Behaviour } from '../behaviour';
import type { Node } from '../environments/environment';
import type { Platform } from '../platform';
import { nodesOfProject } from './layer';
import { placeInNode } from './placeInNode';
import type { Project, ProjectSettings } from './project';

/**
 * The login of projects without one, if the nodes have passwords. A server that asks for none ignores it, and a test
 * can search everything that a client shows for it.
 */
export const plantedLogin = { login: 'planted', password: 'planted-Heron7-over-Marsh' } as const;

const loginOf = ({ login, password }: ProjectSettings): { readonly login: string; readonly password: string } =>
  password === undefined || password === '' ? plantedLogin : { login: login ?? '', password };

/** Returns the URL for `.git/config`. */
export const urlWithLogin = (project: ProjectSettings, { repositoryPasswords }: Behaviour): string => {
  if (repositoryPasswords === 'hidden') return project.url;
  const { login, password } = loginOf(project);
  const [protocol = '', rest = ''] = project.url.split('://');
  return `${protocol}://${encodeURIComponent(login)}:${encodeURIComponent(password)}@${rest}`;
};

/** Puts the login into an existing clone of one of our own deployments, which don't need it there. */
export const plantLogin = async (clone: string, project: ProjectSettings, behaviour: Behaviour): Promise<void> => {
  if (behaviour.repositoryPasswords === 'hidden' || project.type !== 'GIT') return;
  const config = join(clone, '.git', 'config');
  const text = await readFile(config, 'utf8');
  await writeFile(config, text.replace(`\turl = ${project.url}\n`, `\turl = ${urlWithLogin(project, behaviour)}\n`));
};

const propertiesOf = (platform: Platform, node: Node, context: string): Promise<string> =>
  placeInNode(platform.environments.folder(node.id), `/var/lib/jelastic/vcs/${context}.properties`);

/** What the vendor's container remembers of a project (facts J), in its order. */
const properties = (project: Project, node: Node): string => {
  const { login, password } = loginOf(project);
  return [
    `PROJECT_NAME=${project.context}`,
    `VCS_TYPE=${project.type}`,
    `URL=${project.url}`,
    `LOGIN=${login}`,
    `PASSWORD='${password}'`,
    `BRANCH=${project.branch}`,
    `ENVIRONMENT=${project.envName}`,
    `CONTEXT=${project.context}`,
    `AUTOUPDATE=${project.autoupdate}`,
    `UPDATE_INTERVAL=${project.interval}`,
    `LAST_DEPLOYED_COMMIT=${project.deployed[String(node.id)] ?? '00000000000'}`,
    `GIT_AUTORESOLVE_CONFLICT=${project.autoResolveConflict ?? true}`,
    `ATOMIC_DEPLOY=${project.zdt}`,
    `NODE_GROUP=${project.nodeGroup}`,
    `REPO_HASH=${project.repoHash ?? ''}`,
    '',
  ].join('\n');
};

/** Writes the project's settings to a node, if nodes have passwords. */
export const storeProperties = async (platform: Platform, project: Project, node: Node): Promise<void> => {
  if (platform.behaviour.repositoryPasswords === 'hidden') return;
  const file = await propertiesOf(platform, node, project.context);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, properties(project, node));
};

/** Writes them to every node. */
export const storeAllProperties = async (platform: Platform, project: Project): Promise<void> => {
  for (const node of nodesOfProject(platform, project)) await storeProperties(platform, project, node);
};

/** Removes the settings of a context from every node. */
export const removeProperties = async (platform: Platform, project: Project, context: string): Promise<void> => {
  for (const node of nodesOfProject(platform, project)) {
    await rm(await propertiesOf(platform, node, context), { force: true });
  }
};
