import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { Accounts, type NewAccount, type NewToken } from './accounts/accounts';
import type { Account } from './accounts/account';
import { openAreas } from './areas';
import { addBigAccount } from './bigAccount';
import { usualBehaviour, type Behaviour } from './behaviour';
import { Clock } from './clock';
import { CurrentActions } from './environments/currentActions';
import {
  environmentDescriptionSchema,
  type Environment,
  type EnvironmentInput,
  type Node,
} from './environments/environment';
import { Environments } from './environments/environments';
import { growLogs, type GrowingLogs } from './environments/growingLogs';
import { Sample } from './environments/sample';
import { Faults } from './faults/faults';
import { Journal } from './journal';
import { PeriodicWork } from './periodicWork';
import type { Platform } from './platform';
import { startServer, type ListeningServer } from './server/httpServer';
import { Uploads } from './uploads/uploads';
import { Projects } from './vcs/projects';
import { addSampleRepository, type ServedRepository, serveSampleRepositories } from './vcs/sampleRepositories';

export interface PlatformOptions {
  /** 0, the default, takes any free port of 127.0.0.1. */
  readonly port?: number;
  /** The folder for all state. By default, a temporary folder that `dispose` removes. */
  readonly dataFolder?: string;
  /** Environments to create in an empty data folder instead of the sample. */
  readonly environments?: readonly EnvironmentInput[];
  /** Leaves out the sample project, whose deployment takes ten times as long as everything else. */
  readonly withoutProject?: true;
  /** Adds environments to the sample in an empty data folder until there are this many, with all that a big account has. */
  readonly bigAccount?: number;
  readonly behaviour?: Partial<Behaviour>;
  /** Lets access logs grow. By default, nothing is logged but restarts and deployments. */
  readonly growingLogs?: GrowingLogs;
}

export interface SampleAccount {
  readonly email: string;
  readonly password: string;
  readonly uid: number;
  /** The repository of the sample project, to clone and push to. Undefined without the sample. */
  readonly repository: string | undefined;
}

const sampleEmail = 'sample@gantry.example';

/** A running platform for a test or a user. */
export class LocalPlatform {
  readonly #platform: Platform;
  readonly #server: ListeningServer;
  readonly #release: () => Promise<void>;
  /** Can sign in and use every environment. The password is new at each start. */
  readonly sample: SampleAccount;

  constructor(platform: Platform, server: ListeningServer, sample: SampleAccount, release: () => Promise<void>) {
    this.#platform = platform;
    this.#server = server;
    this.sample = sample;
    this.#release = release;
  }

  get origin(): string {
    return this.#platform.origin();
  }

  get dataFolder(): string {
    return this.#platform.dataFolder;
  }

  get journal(): Journal {
    return this.#platform.journal;
  }

  get faults(): Faults {
    return this.#platform.faults;
  }

  /** The switches. A change applies to the next request. */
  get behaviour(): Behaviour {
    return this.#platform.behaviour;
  }

  get clock(): Clock {
    return this.#platform.clock;
  }

  get environments(): readonly Environment[] {
    return this.#platform.environments.all;
  }

  /** Returns the nodes of an environment, or of one layer, the master first. */
  nodes(envName: string, nodeGroup?: string): readonly Node[] {
    return this.#platform.environments.nodes.filter(
      (node) => node.envName === envName && (nodeGroup === undefined || node.nodeGroup === nodeGroup),
    );
  }

  /** Returns the directory on disk that the container sees as `/`. */
  nodeFolder(nodeId: number): string {
    return this.#platform.environments.folder(nodeId);
  }

  addEnvironment(environment: EnvironmentInput): Promise<Environment> {
    return this.#platform.environments.add(v.parse(environmentDescriptionSchema, environment));
  }

  addUser(account: NewAccount): Promise<Account> {
    return this.#platform.accounts.add(account);
  }

  /** Creates a session as Signin does, without a request. */
  createSession(login: string = sampleEmail): Promise<string> {
    const client = { host: '127.0.0.1', userAgent: 'direct' };
    return Promise.resolve(this.#platform.accounts.openSession(this.#account(login), client));
  }

  /** Returns a token's secret. A token permits only the methods of its template or its own list. */
  async createToken(wanted: NewToken, login: string = sampleEmail): Promise<string> {
    return (await this.#platform.accounts.addToken(this.#account(login).uid, wanted)).key;
  }

  /** Settles when all clients have disconnected and all requests are handled. */
  async disconnected(): Promise<void> {
    await this.#server.disconnected();
    const { journal } = this;
    while (journal.arrivals.length > journal.entries.length) await journal.next();
  }

  async dispose(): Promise<void> {
    this.#platform.faults.clear();
    await this.#platform.periodic.dispose();
    await this.#server.close();
    await this.#platform.accounts.save();
    await this.#release();
  }

  #account(login: string): Account {
    const account = this.#platform.accounts.find(login);
    if (account === undefined) throw new Error(`the platform has no account ${login}`);
    return account;
  }
}

const dataFolderOf = async (wanted: string | undefined): Promise<{ folder: string; release: () => Promise<void> }> => {
  if (wanted !== undefined) {
    await mkdir(wanted, { recursive: true });
    return { folder: wanted, release: () => Promise.resolve() };
  }
  const folder = await mkdtemp(join(tmpdir(), 'gantry-platform-'));
  return { folder, release: () => rm(folder, { recursive: true, force: true, maxRetries: 3 }) };
};

const addEnvironments = async (platform: Platform, sample: Sample, options: PlatformOptions): Promise<void> => {
  const { environments } = platform;
  if (options.environments !== undefined) {
    for (const input of options.environments) await environments.add(v.parse(environmentDescriptionSchema, input));
    return;
  }
  for (const description of sample.environments) {
    await environments.add(description, sample.content(description.envName));
  }
  if (options.withoutProject !== true) await addSampleRepository(platform, sample.folder);
};

const addSampleAccount = async (accounts: Accounts): Promise<Omit<SampleAccount, 'repository'>> => {
  const password = randomBytes(9).toString('base64url');
  const known = accounts.find(sampleEmail);
  if (known !== undefined) await accounts.setPassword(known, password);
  const { uid } = known ?? (await accounts.add({ email: sampleEmail, password }));
  return { email: sampleEmail, password, uid };
};

/** Starts a platform that serves the contract over HTTP, by default with the sample environments. */
export const startPlatform = async (options: PlatformOptions = {}): Promise<LocalPlatform> => {
  const { folder, release } = await dataFolderOf(options.dataFolder);
  const behaviour = { ...usualBehaviour, ...options.behaviour };
  const clock = new Clock();
  const sample = new Sample();
  const listening: { port: number } = { port: options.port ?? 0 };
  const platform: Platform = {
    dataFolder: folder,
    accounts: await Accounts.open(folder, clock, behaviour),
    environments: await Environments.open(folder, sample),
    behaviour,
    actions: new CurrentActions(),
    clock,
    journal: new Journal(),
    faults: new Faults(),
    periodic: new PeriodicWork(),
    projects: await Projects.open(folder),
    origin: () => `http://127.0.0.1:${listening.port}`,
  };
  let repository: ServedRepository | undefined;
  const releaseAll = async (): Promise<void> => {
    await repository?.close();
    await release();
  };
  try {
    const isNew = platform.environments.all.length === 0;
    if (isNew) await addEnvironments(platform, sample, options);
    const account = await addSampleAccount(platform.accounts);
    repository = await serveSampleRepositories(platform);
    if (isNew && options.bigAccount !== undefined) {
      await addBigAccount(platform, { sample, count: options.bigAccount, uid: account.uid });
    }
    const operations = await openAreas(platform);
    const uploads = await Uploads.open(folder);
    const server = await startServer({ platform, operations, uploads }, listening.port);
    listening.port = server.port;
    if (options.growingLogs !== undefined) growLogs(platform, options.growingLogs);
    return new LocalPlatform(platform, server, { ...account, repository: repository?.address }, releaseAll);
  } catch (error) {
    await platform.periodic.dispose();
    await releaseAll();
    throw error;
  }
};
