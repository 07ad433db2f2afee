import { randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Platform } from '../platform';
import { BareRepository } from './bareRepository';
import { changeUrlOnNodes, deploy } from './deploy';
import { startGitServer } from './gitServer';
import { nodesOfProject } from './layer';
import { plantedLogin } from './repositoryPasswords';

const repositoryName = 'storefront';
const login = 'deploy';
const place = { envName: 'shop', nodeGroup: 'cp', context: 'ROOT' };

const repositoriesOf = (platform: Platform): string => join(platform.dataFolder, 'repositories');

/** Returns the repository of the sample project. A commit to it gives the project something to deploy. */
export const sampleRepository = (dataFolder: string): BareRepository =>
  new BareRepository(join(dataFolder, 'repositories', `${repositoryName}.git`));

const isServed = async (platform: Platform): Promise<boolean> => {
  try {
    return (await readdir(repositoriesOf(platform))).length > 0;
  } catch {
    // This data folder was created without the sample.
    return false;
  }
};

/** Creates the sample's repository from the files in `sampleFolder`. */
export const addSampleRepository = async (platform: Platform, sampleFolder: string): Promise<void> => {
  const repository = await BareRepository.create(sampleRepository(platform.dataFolder).folder);
  const folder = join(sampleFolder, 'repositories', repositoryName);
  await repository.commit({ message: 'Open the shop', folder });
};

export interface ServedRepository {
  /** The URL with credentials, so that a user can clone and push. */
  readonly address: string;
  close(): Promise<void>;
}

/**
 * Serves the sample's repository, if there is one, and updates the project's URL and password, which are new at each
 * start. Creates and deploys the project the first time.
 */
export const serveSampleRepositories = async (platform: Platform): Promise<ServedRepository | undefined> => {
  if (!(await isServed(platform))) return undefined;
  const isOnNodes = platform.behaviour.repositoryPasswords === 'onNodes';
  // A test that searches for the password in another process has to know it.
  const password = isOnNodes ? plantedLogin.password : randomBytes(9).toString('base64url');
  const server = await startGitServer({ folder: repositoriesOf(platform), credentials: { login, password } });
  const url = server.url(repositoryName);
  const address = Object.assign(new URL(url), { username: login, password }).href;
  const served = { address, close: () => server.close() };
  const known = platform.projects.all.filter((project) => project.url.endsWith(`/${repositoryName}.git`));
  for (const project of known) {
    const before = project.url;
    Object.assign(project, { url, login, password });
    if (platform.behaviour.deployments === 'vendor') await changeUrlOnNodes(platform, project, before);
  }
  await platform.projects.save();
  if (platform.projects.wasEverUsed) return served;
  const settings = {
    type: 'GIT' as const,
    url,
    login,
    password,
    branch: 'master',
    interval: '5',
    hooks: {},
    delay: 0,
    autoupdate: false,
    autoResolveConflict: true,
    zdt: false,
  };
  const project = await platform.projects.add(place, settings, platform.clock.now());
  await deploy(platform, project, { nodes: nodesOfProject(platform, project) });
  return served;
};
