import { existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { openKept, type Kept } from '../kept';
import { environmentSchema, type Environment, type EnvironmentDescription, type Node } from './environment';
import { furnishNode } from './furnishNode';
import { Sample } from './sample';

const keptSchema = v.strictObject({ nextNodeId: v.number(), environments: v.array(environmentSchema) });
type KeptEnvironments = v.InferOutput<typeof keptSchema>;

/** All environments of the platform with their layers, nodes, and the folders of the nodes. */
export class Environments {
  readonly #kept: Kept<KeptEnvironments>;
  readonly #dataFolder: string;
  readonly #sample: Sample;
  /** The nodes that certainly have their files. */
  readonly #furnished = new Set<number>();

  private constructor(dataFolder: string, kept: Kept<KeptEnvironments>, sample: Sample) {
    this.#dataFolder = dataFolder;
    this.#kept = kept;
    this.#sample = sample;
  }

  static async open(dataFolder: string, sample = new Sample()): Promise<Environments> {
    const path = join(dataFolder, 'environments.json');
    const kept = await openKept(path, keptSchema, { nextNodeId: 66_001, environments: [] });
    return new Environments(dataFolder, kept, sample);
  }

  get all(): readonly Environment[] {
    return this.#kept.value.environments;
  }

  get nodes(): readonly Node[] {
    return this.all.flatMap(({ layers }) => layers.flatMap(({ nodes }) => nodes));
  }

  find(envName: string): Environment | undefined {
    return this.all.find((environment) => environment.envName === envName);
  }

  node(id: number): Node | undefined {
    return this.nodes.find((node) => node.id === id);
  }

  /** Returns the directory on disk that the container sees as `/`. */
  folder(nodeId: number): string {
    const folder = this.#folder(nodeId);
    if (!this.#furnished.has(nodeId)) {
      this.#furnished.add(nodeId);
      this.#furnish(nodeId, folder);
    }
    return folder;
  }

  /** Returns whether a node has its files already. `folder` gives it what it lacks. */
  hasFiles(nodeId: number): boolean {
    return existsSync(this.#folder(nodeId));
  }

  /** Creates an environment. `content` contains a folder per layer with the files of its nodes. */
  async add(description: EnvironmentDescription, content?: string): Promise<Environment> {
    const environment = this.#create(description);
    for (const layer of description.layers) {
      const nodes = environment.layers.find(({ name }) => name === layer.name)?.nodes ?? [];
      for (const [index, node] of nodes.entries()) furnishNode(this.folder(node.id), layer, index, content);
    }
    this.#kept.value.environments.push(environment);
    await this.save();
    return environment;
  }

  /** Creates environments with the files of a sample environment, which a node gets when they are first needed. */
  async addLikeSample(
    added: readonly { readonly environment: EnvironmentDescription; readonly likeSample: string }[],
  ): Promise<void> {
    for (const { environment, likeSample } of added) {
      this.#kept.value.environments.push(this.#create(environment, likeSample));
    }
    await this.save();
  }

  save(): Promise<void> {
    return this.#kept.save();
  }

  #folder(nodeId: number): string {
    return join(this.#dataFolder, 'nodes', String(nodeId), 'root');
  }

  #create(description: EnvironmentDescription, filesOf?: string): Environment {
    return {
      envName: description.envName,
      displayName: description.displayName ?? description.envName,
      domain: description.domain ?? `${description.envName}.localhost`,
      ...(description.sslstate === undefined ? {} : { sslstate: description.sslstate }),
      status: description.status,
      layers: description.layers.map((layer) => ({
        name: layer.name,
        displayName: layer.displayName ?? layer.nodeName ?? layer.nodeType,
        nodes: Array.from({ length: layer.nodes }, (_, index) => ({
          id: this.#kept.value.nextNodeId++,
          name: layer.nodeName ?? layer.nodeType,
          envName: description.envName,
          nodeGroup: layer.name,
          status: 1,
          service: 'running' as const,
          ismaster: index === 0,
          nodeType: layer.nodeType,
          isVcsSupport: layer.isVcsSupport,
          singleContext: layer.singleContext,
          ...(layer.contextValidatorRegex === undefined ? {} : { contextValidatorRegex: layer.contextValidatorRegex }),
          containerUser: layer.containerUser,
          shortcuts: layer.shortcuts,
          variables: { ...layer.variables },
          owners: { '/': 'root' as const, ...Object.fromEntries(layer.owned.map((path) => [path, 'user' as const])) },
          ...(filesOf === undefined ? {} : { filesOf }),
        })),
      })),
    };
  }

  /** Gives a node its files from the sample, unless it has them or has none to get. */
  #furnish(nodeId: number, folder: string): void {
    const node = this.node(nodeId);
    if (node?.filesOf === undefined || existsSync(folder)) return;
    // The platform may be ended while it copies.
    const unfinished = `${folder}.new`;
    rmSync(unfinished, { recursive: true, force: true });
    const index = this.all
      .flatMap(({ layers }) => layers)
      .map(({ nodes }) => nodes.indexOf(node))
      .find((place) => place >= 0);
    const layer = this.#sample.layer(node.filesOf, node.nodeGroup);
    furnishNode(unfinished, layer, index ?? 0, this.#sample.content(node.filesOf));
    renameSync(unfinished, folder);
  }
}
