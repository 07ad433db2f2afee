import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parseAddress, type PlatformAddress } from '../../src/platform/address';
import { operationsByName } from '../../src/platform/contract';
import { scratchFolder } from '../host/folders';
import type { Behaviour } from '../localPlatform/behaviour';
import type { EnvironmentInput } from '../localPlatform/environments/environment';
import type { FaultRule } from '../localPlatform/faults/fault';
import type { SetFault } from '../localPlatform/faults/faults';
import { type LocalPlatform, type PlatformOptions, startPlatform } from '../localPlatform/localPlatform';
import { Layer } from './layer';

type LayerInput = EnvironmentInput['layers'][number];

export interface SceneOptions extends Pick<PlatformOptions, 'behaviour' | 'bigAccount' | 'dataFolder' | 'growingLogs'> {
  /** Starts with the sample environments, or also with the sample project, which takes ten times as long. */
  readonly sample?: 'environments' | 'project';
}

/** The account with which Gantry is connected outside of VS Code (unit/files/connection). */
const connectedAccount = 'anna';

/** The operations that change something, according to the contract. */
const changing: ReadonlySet<string> = new Set(
  Object.entries(operationsByName).flatMap(([name, { effect }]) => (effect === 'write' ? [name] : [])),
);

/**
 * What tests stand on: a local platform with environments, layers, nodes and files, its requests, and faults. All suites
 * describe it alike: `scene.environment('shop').layer('cp', { nodes: 2 })` is made when the scene starts, and tests put
 * files there. `onStage` starts it and ends it with the tests of a suite.
 */
export class Scene {
  private readonly declared = new Map<string, LayerInput[]>();
  private started: { readonly platform: LocalPlatform; readonly usual: Behaviour } | undefined;
  private folder: string | undefined;

  constructor(private readonly options: SceneOptions = {}) {}

  /** The account in the places of its files. */
  get slug(): string {
    return connectedAccount;
  }

  get platform(): LocalPlatform {
    assert.ok(this.started, 'the scene is used in a test or a hook');
    return this.started.platform;
  }

  /** Where Gantry connects to. */
  get address(): PlatformAddress {
    const parsed = parseAddress(this.platform.origin);
    assert.ok('ok' in parsed);
    return parsed.ok;
  }

  /**
   * An environment of the sample, or one to be created. A layer of it that doesn't come from the sample has one node and
   * a writable `/srv`, unless it says otherwise.
   */
  environment(name: string): { layer: (layer: string, wanted?: Partial<LayerInput>) => Layer } {
    return { layer: (layer, wanted) => new Layer(this, name, this.declare(name, layer, wanted)) };
  }

  async start(): Promise<void> {
    const { sample, ...options } = this.options;
    const environments = [...this.declared].map(([envName, layers]) => ({ envName, layers }));
    const platform = await startPlatform({ ...options, ...contentOf(sample, environments) });
    this.started = { platform, usual: { ...platform.behaviour } };
  }

  /** Ends what a test changed for itself: faults, switches, and files on this computer. */
  async clear(): Promise<void> {
    const { started, folder } = this;
    started?.platform.faults.clear();
    if (started) Object.assign(started.platform.behaviour, started.usual);
    this.folder = undefined;
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  }

  async end(): Promise<void> {
    await this.clear();
    await this.started?.platform.dispose();
    this.started = undefined;
  }

  /** The operations since the journal was cleared, in order of arrival. */
  readonly requests = (): readonly string[] => this.platform.journal.arrivals.map(({ operation }) => operation);

  /** Those of them that change something. */
  readonly changes = (): readonly string[] => this.requests().filter((operation) => changing.has(operation));

  readonly count = (operation: string): number =>
    this.platform.journal.count((request) => request.operation === operation);

  /** Returns the operations during some work. */
  readonly requestsDuring = async (work: () => PromiseLike<unknown>): Promise<readonly string[]> => {
    this.platform.journal.reset();
    await work();
    return this.requests();
  };

  /** Lets requests fail: the next one, or the n-th. */
  readonly fail = (operation: string, fault: FaultRule['fault'], rest: Partial<FaultRule> = {}): SetFault =>
    this.platform.faults.add({ operation, fault, ...rest });

  /** Lets a request wait until the fault is released. */
  readonly hang = (operation: string, rest: Partial<FaultRule> = {}): SetFault =>
    this.platform.faults.add({ operation, fault: { kind: 'hang' }, ...rest });

  /** A path on this computer, in a folder that a test has for itself. */
  readonly local = (path = ''): string => join((this.folder ??= scratchFolder('local')), path);

  readonly putLocal = async (path: string, content: string | Uint8Array): Promise<string> => {
    const file = this.local(path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, content);
    return file;
  };

  protected declare(environment: string, name: string, wanted: Partial<LayerInput> = {}): string {
    const layer = { nodeType: 'nginxphp', containerUser: 'nginx', owned: ['/srv'], ...wanted, name };
    this.declared.set(environment, [...(this.declared.get(environment) ?? []), layer]);
    return name;
  }
}

function contentOf(sample: SceneOptions['sample'], environments: readonly EnvironmentInput[]): PlatformOptions {
  if (sample === undefined) return { environments };
  return sample === 'project' ? {} : { withoutProject: true };
}
