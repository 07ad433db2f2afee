import assert from 'node:assert/strict';
import { utimes } from 'node:fs/promises';
import { join } from 'node:path';
import type { FilePlace } from '../../src/containers/place';
import type { LocalPlatform } from '../localPlatform/localPlatform';
import { NodeDisk } from './nodeDisk';

/** What a layer needs to know of the scene that it's part of. */
interface Surroundings {
  readonly platform: LocalPlatform;
  /** The account in the places of its files. */
  readonly slug: string;
}

/** A layer, with the disk of each of its nodes. Nodes count from 0, and the first is meant where none is named. */
export class Layer<S extends Surroundings = Surroundings> {
  private count = 0;

  constructor(
    readonly scene: S,
    readonly environment: string,
    readonly name: string,
    private readonly folder = '',
  ) {}

  /** The same with paths that begin in a folder. */
  below(folder: string): Layer<S> {
    return new Layer(this.scene, this.environment, this.name, this.inside(folder));
  }

  /** The IDs of its nodes. */
  get nodes(): readonly number[] {
    return this.scene.platform.nodes(this.environment, this.name).map(({ id }) => id);
  }

  readonly nodeId = (node = 0): number => {
    const id = this.nodes[node];
    assert.ok(id !== undefined, `${this.name} has node ${node}`);
    return id;
  };

  readonly place = (path: string, node = 0): FilePlace => ({
    ...this.onLayer(path),
    target: { nodeGroup: this.name, nodeId: this.nodeId(node) },
  });

  /** The same on the layer as a whole. */
  readonly onLayer = (path: string): FilePlace => ({
    kind: 'file',
    account: this.scene.slug,
    environment: this.environment,
    target: { nodeGroup: this.name },
    path: this.inside(path),
  });

  /** The same on each node. */
  readonly everywhere = (path: string): readonly FilePlace[] => this.nodes.map((_, node) => this.place(path, node));

  /** The disk of a node. */
  readonly disk = (node = 0): NodeDisk =>
    new NodeDisk(() => {
      const id = this.nodeId(node);
      return { id, folder: join(this.scene.platform.nodeFolder(id), this.folder) };
    });

  readonly onDisk = (path: string, node = 0): string => this.disk(node).path(path);
  readonly text = (path: string, node = 0): Promise<string> => this.disk(node).text(path);
  readonly texts = (path: string): Promise<string[]> => Promise.all(this.nodes.map((_, node) => this.text(path, node)));
  readonly bytes = (path: string, node = 0): Promise<Buffer> => this.disk(node).bytes(path);
  readonly exists = (path: string, node = 0): boolean => this.disk(node).exists(path);
  readonly names = (path: string, node = 0): Promise<string[]> => this.disk(node).names(path);
  readonly put = (path: string, content: string | Uint8Array, node = 0): Promise<void> =>
    this.disk(node).put(path, content);
  readonly makeFolder = (path: string, node = 0): Promise<void> => this.disk(node).folder(path);
  readonly remove = (path: string, node = 0): Promise<void> => this.disk(node).remove(path);

  /** Creates a file with an old time stamp. */
  readonly putLongAgo = async (path: string, content: string | Uint8Array, node = 0): Promise<void> => {
    await this.put(path, content, node);
    const longAgo = new Date('2020-02-02T02:02:02Z');
    await utimes(this.onDisk(path, node), longAgo, longAgo);
  };

  /** Returns a path that no earlier test used, because VS Code and Gantry may still know that one. */
  readonly fresh = (name: string): string => {
    this.count += 1;
    return `${this.folder === '' ? '/srv/' : ''}case-${this.count}/${name}`;
  };

  /** Puts the same file on each node. */
  readonly putEverywhere = async (path: string, content: string | Uint8Array): Promise<void> => {
    await Promise.all(this.nodes.map((_, node) => this.put(path, content, node)));
  };

  protected inside(path: string): string {
    return this.folder === '' ? path : join(this.folder, path);
  }

  /** A file on each node. */
  readonly file = async (path: string, content: string | Uint8Array): Promise<LayerFile> => {
    await this.putEverywhere(path, content);
    return new LayerFile(this, path);
  };
}

/** A file on the nodes of a layer. */
export class LayerFile<L extends Layer = Layer> {
  constructor(
    protected readonly layer: L,
    readonly path: string,
  ) {}

  get place(): FilePlace {
    return this.layer.place(this.path);
  }

  get disk(): string {
    return this.layer.onDisk(this.path);
  }

  readonly text = (node = 0): Promise<string> => this.layer.text(this.path, node);
  readonly texts = (): Promise<string[]> => this.layer.texts(this.path);
  readonly bytes = (node = 0): Promise<Buffer> => this.layer.bytes(this.path, node);
  readonly put = (content: string | Uint8Array, node = 0): Promise<void> => this.layer.put(this.path, content, node);
}
