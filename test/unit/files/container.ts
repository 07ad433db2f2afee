import { mkdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { SignedInAccount } from '../../../src/accounts/signedInAccount';
import type { SavingFiles } from '../../../src/files/saving/found';
import { createClient, type PlatformClient } from '../../../src/platform/client';
import { createPooledSender } from '../../../src/platform/pooledSender';
import type { Transport } from '../../../src/platform/request';
import { Containers } from '../../../src/remote/containers';
import { Listings } from '../../../src/remote/listings';
import type { FilePlace } from '../../../src/remote/place';
import { type LocalPlatform, startPlatform } from '../../platform/localPlatform';

const nodeGroup = 'cp';

/** A platform with a layer of nodes, and what Gantry has to reach them, over real HTTP. */
export class TestContainer {
  readonly containers: Containers;
  readonly listings: Listings;
  readonly files: SavingFiles;

  private constructor(
    readonly platform: LocalPlatform,
    private readonly pool: { close(): Promise<void> },
    connect: () => PlatformClient,
    token: string,
    transport: Transport,
  ) {
    const stored = { slug: 'anna', label: 'anna', address: platform.origin, transport, token } as const;
    const account = new SignedInAccount(stored, {
      connect,
      check: () => Promise.resolve('accepted'),
      ask: () => Promise.resolve('dismissed'),
      changed: () => undefined,
      rightsChanged: () => undefined,
    });
    this.containers = new Containers({ find: (slug) => (slug === 'anna' ? account : undefined) });
    this.listings = new Listings((folder, filter) => this.containers.list(folder, { filter }));
    this.files = {
      read: (file) => this.containers.read(file),
      lookUp: (file) => this.listings.lookUp(file),
      write: (file, text) => this.containers.write(file, text),
    };
  }

  static async start(
    options: { nodes?: number; deadline?: number; transport?: Transport } = {},
  ): Promise<TestContainer> {
    const layer = { name: nodeGroup, nodeType: 'nginxphp', containerUser: 'nginx', owned: ['/srv'] };
    const platform = await startPlatform({
      environments: [{ envName: 'shop', layers: [{ ...layer, nodes: options.nodes ?? 2 }] }],
    });
    const pool = createPooledSender({ proxyFor: () => undefined, checkCertificates: true });
    const address = { baseUrl: platform.origin, host: new URL(platform.origin).host };
    const deadlines = { files: options.deadline ?? 10_000 };
    const { transport = 'form' } = options;
    const client = createClient({ address, transport, send: pool.send, deadlines });
    return new TestContainer(platform, pool, () => client, await platform.createSession(), transport);
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

  /** A file that has been there for years. */
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

  /** What an editor holds that has just opened the file. */
  async open(place: FilePlace) {
    const [text, entry] = await Promise.all([this.containers.read(place), this.listings.lookUp(place)]);
    return { text, entry, place, at: Date.now() };
  }

  /** The requests since the journal was last forgotten, as `Write cp~1 /srv/f`. */
  requests(): readonly string[] {
    return this.platform.journal.arrivals.map(({ operation }) => operation);
  }

  async dispose(): Promise<void> {
    await this.pool.close();
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
