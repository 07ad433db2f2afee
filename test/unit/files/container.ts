import { mkdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ServerFiles } from '../../../src/files/saving/serverFiles';
import type { Transport } from '../../../src/platform/sending/request';
import type { Containers } from '../../../src/containers/containers';
import type { Listings } from '../../../src/containers/listings';
import type { FilePlace } from '../../../src/containers/place';
import { type LocalPlatform, startPlatform } from '../../localPlatform/localPlatform';
import { Connection, type ConnectionOptions } from './connection';

const nodeGroup = 'cp';

export interface ContainerOptions {
  readonly nodes?: number;
  readonly deadline?: number;
  readonly transport?: Transport;
  readonly tokenCheck?: ConnectionOptions['tokenCheck'];
}

/** A platform with a layer of nodes, and a connection to it. */
export class TestContainer {
  readonly containers: Containers;
  readonly listings: Listings;
  readonly files: ServerFiles;

  private constructor(
    readonly platform: LocalPlatform,
    /** A session token, for more connections to the platform. */
    readonly token: string,
    private readonly connection: Connection,
  ) {
    this.containers = connection.containers;
    this.listings = connection.listings;
    this.files = connection.files;
  }

  static async start({ nodes = 2, ...options }: ContainerOptions = {}): Promise<TestContainer> {
    const layer = { name: nodeGroup, nodeType: 'nginxphp', containerUser: 'nginx', owned: ['/srv'] };
    const platform = await startPlatform({
      environments: [{ envName: 'shop', layers: [{ ...layer, nodes }] }],
    });
    const token = await platform.createSession();
    return new TestContainer(platform, token, new Connection({ origin: platform.origin, token, ...options }));
  }

  /** The file on the layer as a whole, or on its n-th node, counting from 0. */
  place(path: string, node?: number): FilePlace {
    const target = node === undefined ? { nodeGroup } : { nodeGroup, nodeId: this.nodeId(node) };
    return { kind: 'file', account: 'anna', environment: 'shop', target, path };
  }

  /** The same file on every node of the layer. */
  everywhere(path: string): readonly FilePlace[] {
    return this.platform.nodes('shop', nodeGroup).map((_, index) => this.place(path, index));
  }

  async put(path: string, text: string | Buffer, node = 0): Promise<void> {
    const file = this.onDisk(path, node);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }

  /** Creates a file with an old time stamp. */
  async putLongAgo(path: string, text: string | Buffer, node = 0): Promise<void> {
    await this.put(path, text, node);
    const longAgo = new Date('2020-02-02T02:02:02Z');
    await utimes(this.onDisk(path, node), longAgo, longAgo);
  }

  remove(path: string, node = 0): Promise<void> {
    return rm(this.onDisk(path, node), { recursive: true });
  }

  async text(path: string, node = 0): Promise<string> {
    return readFile(this.onDisk(path, node), 'utf8');
  }

  onDisk(path: string, node = 0): string {
    return join(this.platform.nodeFolder(this.nodeId(node)), path);
  }

  /** Returns the version that an editor has after it opens the file. */
  open(place: FilePlace) {
    return this.connection.open(place);
  }

  /** Returns the operations since the journal was cleared. */
  requests(): readonly string[] {
    return this.platform.journal.arrivals.map(({ operation }) => operation);
  }

  async dispose(): Promise<void> {
    await this.connection.close();
    await this.platform.dispose();
  }

  private nodeId(index: number): number {
    const node = this.platform.nodes('shop', nodeGroup)[index];
    if (node === undefined) {
      throw new Error(`the layer has no node ${index}`);
    }
    return node.id;
  }
}
