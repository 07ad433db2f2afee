import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { PlatformClient } from '../../../../src/platform/client';
import { type LocalPlatform, startPlatform } from '../../../localPlatform/localPlatform';
import { BareRepository } from '../../../localPlatform/vcs/bareRepository';
import { type GitServer, startGitServer } from '../../../localPlatform/vcs/gitServer';
import { clientFor, openDirectPool } from '../setUp';

/** A local platform with one environment, a signed-in client, and a separate folder for each scenario. */
export interface Stage {
  readonly platform: LocalPlatform;
  readonly client: PlatformClient;
  readonly session: string;
  /** A new folder that belongs to the container's user on every node of the application layer. */
  readonly folder: string;
  readonly envName: string;
  /** The nodes of the application layer, the master first, and the node of the database layer. */
  readonly nodes: readonly [number, number];
  readonly database: number;
  readonly repositories: GitServer;
  /** Writes a file on every node of the application layer, without the platform. */
  put(path: string, text: string | Uint8Array, mode?: number): Promise<void>;
  makeFolder(path: string): Promise<void>;
}

export interface OpenStage {
  scenario(): Promise<Stage>;
  close(): Promise<void>;
}

const envName = 'demo';
const loginOfRepositories = { login: 'reader', password: 'reads-the-tea' };

export async function openStage(): Promise<OpenStage> {
  const repositoriesFolder = await mkdtemp(join(tmpdir(), 'gantry-conduct-'));
  const repository = await BareRepository.create(join(repositoriesFolder, 'tea.git'));
  await repository.commit({ message: 'First', files: { 'index.php': 'tea' } });
  const repositories = await startGitServer({ folder: repositoriesFolder, credentials: loginOfRepositories });
  const platform = await startPlatform({
    environments: [
      {
        envName,
        layers: [
          {
            name: 'cp',
            nodeType: 'nginxphp',
            nodes: 2,
            isVcsSupport: true,
            containerUser: 'nginx',
            owned: ['/home/app', '/var/www/webroot'],
          },
          { name: 'sqldb', nodeType: 'mysql', containerUser: 'mysql', owned: ['/var/lib/backup'] },
        ],
      },
    ],
  });
  const pool = openDirectPool();
  const { client } = clientFor(platform.origin, { send: pool.send });
  const nodes = platform.nodes(envName, 'cp').map(({ id }) => id);
  const database = platform.nodes(envName, 'sqldb')[0]?.id ?? 0;
  const [master = 0, second = 0] = nodes;
  const state = { scenarios: 0 };

  const onDisk = (path: string): string[] => nodes.map((id) => join(platform.nodeFolder(id), path));
  const makeFolder = async (path: string): Promise<void> => {
    for (const place of onDisk(path)) await mkdir(place, { recursive: true });
  };
  return {
    scenario: async () => {
      state.scenarios += 1;
      const folder = `/home/app/${state.scenarios}`;
      await makeFolder(folder);
      return {
        platform,
        client,
        folder,
        envName,
        nodes: [master, second],
        database,
        repositories,
        makeFolder,
        session: await platform.createSession(),
        put: async (path, text, mode) => {
          for (const place of onDisk(path)) {
            await mkdir(dirname(place), { recursive: true });
            await writeFile(place, text);
            if (mode !== undefined) await chmod(place, mode);
          }
        },
      };
    },
    close: async () => {
      await pool.close();
      await platform.dispose();
      await repositories.close();
      await rm(repositoriesFolder, { recursive: true, force: true });
    },
  };
}

/** Returns the environment and session parameters of a signed-in user. */
export function at({ envName: name, session }: Stage): { envName: string; session: string } {
  return { envName: name, session };
}

export function repositoryOf(stage: Stage): { type: 'GIT'; url: string; login: string; password: string } {
  return { type: 'GIT', url: stage.repositories.url('tea'), ...loginOfRepositories };
}
