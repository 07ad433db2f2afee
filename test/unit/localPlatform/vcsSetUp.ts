import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, watch, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import * as v from 'valibot';
import type { Behaviour } from '../../localPlatform/behaviour';
import type { EnvironmentInput } from '../../localPlatform/environments/environment';
import { startPlatform, type LocalPlatform } from '../../localPlatform/localPlatform';
import { BareRepository } from '../../localPlatform/vcs/bareRepository';
import { startGitServer, type GitServer } from '../../localPlatform/vcs/gitServer';
import { startProgramsElsewhere } from '../../localPlatform/vcs/starter';

const answerSchema = v.looseObject({
  result: v.number(),
  error: v.optional(v.string(), ''),
  log: v.optional(v.string(), ''),
});
export type VcsAnswer = v.InferOutput<typeof answerSchema>;

/** Each process has its own password, because a test looks for it on the command lines of all processes. */
export const credentials = { login: 'marit', password: `cold?tea/with&milk-${process.pid}` };

const layer = { isVcsSupport: true, containerUser: 'nginx', owned: ['/var/www/webroot'] };

const environments: readonly EnvironmentInput[] = [
  {
    envName: 'shop',
    displayName: 'Saltmarsh Tea',
    layers: [
      { ...layer, name: 'cp', nodeType: 'nginxphp', nodes: 2 },
      { name: 'sqldb', nodeType: 'mysql', containerUser: 'mysql' },
    ],
  },
  {
    envName: 'blog',
    layers: [{ ...layer, name: 'cp', nodeType: 'nodejs', singleContext: true, owned: ['/home/jelastic'] }],
  },
];

export type Wishes = Readonly<Record<string, string | number | boolean>>;

/** A platform, a served repository with one commit, and a signed-in user. */
export class VcsSetUp {
  readonly #folder: string;
  readonly #session: string;

  private constructor(
    readonly platform: LocalPlatform,
    readonly repository: BareRepository,
    readonly server: GitServer,
    /** The hash of the initial commit. */
    readonly first: string,
    folder: string,
    session: string,
  ) {
    this.#folder = folder;
    this.#session = session;
  }

  static async start(behaviour: Partial<Behaviour> = {}): Promise<VcsSetUp> {
    startProgramsElsewhere();
    const folder = await mkdtemp(join(tmpdir(), 'gantry-vcs-'));
    const repository = await BareRepository.create(join(folder, 'served', 'tea.git'));
    const first = await repository.commit({
      message: 'first',
      files: { 'index.php': 'one\n', 'about.php': 'about\n' },
    });
    const server = await startGitServer({ folder: join(folder, 'served'), credentials });
    const platform = await startPlatform({ environments, behaviour, dataFolder: join(folder, 'platform') });
    return new VcsSetUp(platform, repository, server, first, folder, await platform.createSession());
  }

  async stop(): Promise<void> {
    await this.platform.dispose();
    await this.server.close();
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 3 });
  }

  get url(): string {
    return this.server.url('tea');
  }

  get dataFolder(): string {
    return this.platform.dataFolder;
  }

  /** Sends an operation, by default for the context ROOT of `shop`. */
  async send(operation: string, wishes: Wishes = {}, area = 'vcs'): Promise<VcsAnswer> {
    const sent: Wishes = { envName: 'shop', session: this.#session, ...wishes };
    const body = new URLSearchParams(Object.entries(sent).map(([name, value]): [string, string] => [name, `${value}`]));
    const address = `${this.platform.origin}/1.0/environment/${area}/rest/${operation.toLowerCase()}`;
    const response = await fetch(address, { method: 'POST', body });
    return v.parse(answerSchema, await response.json());
  }

  /** Sends an operation and asserts its success. */
  async succeed(operation: string, wishes: Wishes = {}): Promise<VcsAnswer> {
    const answer = await this.send(operation, wishes);
    assert.equal(answer.result, 0, `${operation}: ${answer.error}\n${answer.log}`);
    return answer;
  }

  create(wishes: Wishes = {}): Promise<VcsAnswer> {
    return this.succeed('CreateProject', { ...this.projectWishes, ...wishes });
  }

  update(wishes: Wishes = {}): Promise<VcsAnswer> {
    return this.send('Update', { context: 'ROOT', ...wishes });
  }

  get projectWishes(): Wishes {
    return { type: 'GIT', context: 'ROOT', url: this.url, ...credentials };
  }

  /** All required parameters of EditProject, with unchanged values. */
  get editWishes(): Wishes {
    return {
      type: 'GIT',
      oldcontext: 'ROOT',
      newcontext: 'ROOT',
      url: this.url,
      autoupdate: false,
      autoResolveConflict: false,
      zdt: false,
    };
  }

  /** Returns where a container file is on disk. Nodes count from 0. */
  file(path: string, { node = 0, envName = 'shop' } = {}): string {
    const id = this.platform.nodes(envName, 'cp')[node]?.id;
    assert(id !== undefined, `no node ${node} in ${envName}`);
    return join(this.platform.nodeFolder(id), path);
  }

  read(path: string, where: { node?: number; envName?: string } = {}): Promise<string> {
    return readFile(this.file(path, where), 'utf8');
  }

  /** Edits a deployed file, as a user in the container does. */
  edit(path: string, text: string, node = 0): Promise<void> {
    return writeFile(this.file(path, { node }), text);
  }

  nodeId(node: number): number {
    const id = this.platform.nodes('shop', 'cp')[node]?.id;
    assert(id !== undefined, `no node ${node}`);
    return id;
  }
}

const textOf = async (file: string): Promise<string> => {
  try {
    return await readFile(file, 'utf8');
  } catch {
    // It doesn't exist yet.
    return '';
  }
};

/** Settles when the file's text matches. The test's own timeout is the limit. */
export const untilFile = (file: string, holds: (text: string) => boolean): Promise<void> =>
  untilIn(dirname(file), async () => holds(await textOf(file)));

/** Settles when a file or folder is gone. The test's own timeout is the limit. */
export const untilGone = (path: string): Promise<void> =>
  untilIn(dirname(path), () => Promise.resolve(!existsSync(path)));

const untilIn = async (folder: string, isSo: () => Promise<boolean>): Promise<void> => {
  const ending = new AbortController();
  const changes = watch(folder, { signal: ending.signal });
  const next = changes[Symbol.asyncIterator]();
  let change = next.next();
  while (!(await isSo())) {
    await change;
    change = next.next();
  }
  // Aborting the watcher rejects its promise.
  change.catch(() => undefined);
  ending.abort();
};

export const webroot = '/var/www/webroot';
export const logFile = '/var/log/jelastic/vcs/vcs_update.log';
