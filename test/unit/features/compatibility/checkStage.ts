import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SignedInAccount } from '../../../../src/accounts/signedInAccount';
import { checkByReading } from '../../../../src/features/compatibility/checkByReading';
import { checkByWriting, type WrittenCheck } from '../../../../src/features/compatibility/checkByWriting';
import type { CheckResult } from '../../../../src/compatibility/compatibilityStore';
import { scratchName } from '../../../../src/features/compatibility/scratchFolder';
import type { FilePlace } from '../../../../src/containers/place';
import { createClient } from '../../../../src/platform/client';
import type { Transport } from '../../../../src/platform/sending/request';
import { openPool } from '../../../../src/platform/sending/undiciPool';
import { type Behaviour, usualBehaviour } from '../../../localPlatform/behaviour';
import type { FinishedEntry } from '../../../localPlatform/journal';
import { type LocalPlatform, startPlatform } from '../../../localPlatform/localPlatform';

export const envName = 'tea-shop-7';
export const parent = '/srv/handover';
const nodeGroup = 'cp';

/** A platform with a layer of two nodes, and a check of it over HTTP. */
export class CheckStage {
  readonly pool = openPool({ proxyFor: () => undefined, checkCertificates: true });

  /** What was recorded about scratch folders. */
  readonly recorded: (readonly ['begin' | 'end', readonly FilePlace[]])[] = [];

  private constructor(
    readonly platform: LocalPlatform,
    readonly token: string,
  ) {}

  static async start(): Promise<CheckStage> {
    const layer = {
      nodeType: 'nginxphp',
      containerUser: 'nginx',
      owned: [parent],
      folders: ['/etc/secretive', parent],
    };
    const platform = await startPlatform({
      environments: [{ envName, layers: [{ ...layer, name: nodeGroup, nodes: 2 }] }],
    });
    for (const { id } of platform.nodes(envName, nodeGroup)) {
      for (const name of ['fstab', 'motd']) {
        await writeFile(join(platform.nodeFolder(id), 'etc', name), 'none\n');
      }
    }
    return new CheckStage(platform, await platform.createSession());
  }

  /** Returns to the usual behavior, except for what is given. */
  behave(behaviour: Partial<Behaviour>): void {
    Object.assign(this.platform.behaviour, usualBehaviour, behaviour);
    this.platform.journal.reset();
  }

  account(transport: Transport = 'form', token = this.token): SignedInAccount {
    const { origin } = this.platform;
    const address = { baseUrl: origin, host: new URL(origin).host };
    const client = createClient({ address, transport, send: this.pool.send, retryPause: 1 });
    const stored = { slug: 'anna', label: 'anna', address: origin, transport, token } as const;
    return new SignedInAccount(stored, {
      connect: () => client,
      check: () => Promise.resolve('accepted'),
      ask: () => Promise.resolve('dismissed'),
      changed: () => undefined,
      rightsChanged: () => undefined,
    });
  }

  get node(): FilePlace {
    const [first] = this.places('/');
    if (first === undefined) {
      throw new Error('The layer has no node.');
    }
    return first;
  }

  places(path: string): readonly FilePlace[] {
    return this.platform.nodes(envName, nodeGroup).map(({ id }) => ({
      kind: 'file',
      account: 'anna',
      environment: envName,
      path,
      target: { nodeGroup, nodeId: id },
    }));
  }

  read(transport?: Transport): Promise<CheckResult> {
    const { signal } = new AbortController();
    return checkByReading({ account: this.account(transport), signal }, this.node);
  }

  async write(
    before: CheckResult,
    {
      transport,
      signal,
      parents = this.places(parent),
    }: {
      readonly transport?: Transport | undefined;
      readonly signal?: AbortSignal;
      readonly parents?: readonly FilePlace[];
    } = {},
  ): Promise<WrittenCheck> {
    const deps = { account: this.account(transport), signal: signal ?? new AbortController().signal };
    const record = {
      begin: (folders: readonly FilePlace[]) => Promise.resolve(void this.recorded.push(['begin', folders])),
      end: (left: readonly FilePlace[]) => Promise.resolve(void this.recorded.push(['end', left])),
    };
    return checkByWriting({ ...deps, record, parents, pauses: [1, 1] }, before, scratchName());
  }

  /** What is in the folder on the disks of both nodes. */
  async onDisk(): Promise<readonly string[]> {
    const { platform } = this;
    const found = platform.nodes(envName, nodeGroup).map(({ id }) => readdir(join(platform.nodeFolder(id), parent)));
    return (await Promise.all(found)).flat();
  }

  /** The requests since the behavior was set that could change something. No uploader takes a made-up session. */
  changes(): readonly string[] {
    const isRead = ({ operation }: FinishedEntry) => /^(Get|Read$|Check)/.test(operation);
    const isRefusedUpload = ({ operation, result, path }: FinishedEntry) =>
      (operation === 'Uploader' || path.startsWith('/1.0/storage/')) && result !== 0;
    const changing = this.platform.journal.entries.filter((entry) => !isRead(entry) && !isRefusedUpload(entry));
    return changing.map(({ operation }) => operation);
  }

  async dispose(): Promise<void> {
    await this.pool.close();
    await this.platform.dispose();
  }
}
