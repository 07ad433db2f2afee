import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { openKept, type Kept } from '../kept';
import { environmentSchema, type Environment, type EnvironmentDescription, type Node } from './environment';
import { furnishNode } from './furnishNode';

const keptSchema = v.strictObject({ nextNodeId: v.number(), environments: v.array(environmentSchema) });
type KeptEnvironments = v.InferOutput<typeof keptSchema>;

/** All environments of the platform with their layers, nodes, and the folders of the nodes. */
export class Environments {
  readonly #kept: Kept<KeptEnvironments>;
  readonly #dataFolder: string;

  private constructor(dataFolder: string, kept: Kept<KeptEnvironments>) {
    this.#dataFolder = dataFolder;
    this.#kept = kept;
  }

  static async open(dataFolder: string): Promise<Environments> {
    const path = join(dataFolder, 'environments.json');
    return new Environments(dataFolder, await openKept(path, keptSchema, { nextNodeId: 66_001, environments: [] }));
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
    return join(this.#dataFolder, 'nodes', String(nodeId), 'root');
  }

  /** Creates an environment. `content` contains a folder per layer with the files of its nodes. */
  async add(description: EnvironmentDescription, content?: string): Promise<Environment> {
    const environment: Environment = {
      envName: description.envName,
      displayName: description.displayName ?? description.envName,
      domain: description.domain ?? `${description.envName}.localhost`,
      status: description.status,
      layers: description.layers.map((layer) => ({
        name: layer.name,
        displayName: layer.displayName ?? layer.nodeName ?? layer.nodeType,
        nodes: Array.from({ length: layer.nodes }, (_, index) => ({
          id: this.#kept.value.nextNodeId++,
          name: layer.nodeName ?? layer.nodeType,
          envName: description.envName,
          nodeGroup: layer.name,
          ismaster: index === 0,
          nodeType: layer.nodeType,
          isVcsSupport: layer.isVcsSupport,
          singleContext: layer.singleContext,
          ...(layer.contextValidatorRegex === undefined ? {} : { contextValidatorRegex: layer.contextValidatorRegex }),
          containerUser: layer.containerUser,
          shortcuts: layer.shortcuts,
          owners: { '/': 'root' as const, ...Object.fromEntries(layer.owned.map((path) => [path, 'user' as const])) },
        })),
      })),
    };
    for (const layer of description.layers) {
      const nodes = environment.layers.find(({ name }) => name === layer.name)?.nodes ?? [];
      for (const [index, node] of nodes.entries()) {
        await mkdir(this.folder(node.id), { recursive: true });
        await furnishNode(this.folder(node.id), layer, index, content);
      }
    }
    this.#kept.value.environments.push(environment);
    await this.save();
    return environment;
  }

  save(): Promise<void> {
    return this.#kept.save();
  }
}
