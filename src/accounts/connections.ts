import type { Disposable } from 'vscode';
import type { PlatformAddress } from '../platform/address';
import { createClient, type PlatformClient } from '../platform/client';
import { createPooledSender } from '../platform/pooledSender';
import { chooseProxy } from '../platform/proxy';
import type { TrafficLog } from '../platform/traffic';
import type { StoredAccount } from './account';

/** VS Code's own settings of the way out. */
export interface NetworkSettings {
  readonly proxy: string | undefined;
  readonly noProxy: readonly string[];
  readonly checkCertificates: boolean;
}

/** Clients for platforms, all through one pool of connections that the first request opens. */
export class Connections implements Disposable {
  private readonly pool;

  constructor(
    network: NetworkSettings,
    private readonly log: TrafficLog,
    private readonly userAgent: string,
  ) {
    const proxyFor = chooseProxy({ proxy: network.proxy, noProxy: network.noProxy, environment: process.env });
    this.pool = createPooledSender({ proxyFor, checkCertificates: network.checkCertificates });
  }

  /** A platform that nobody is signed in to yet. */
  reach(address: PlatformAddress): PlatformClient {
    return this.client(address, 'form');
  }

  open({ address, transport }: StoredAccount): PlatformClient {
    return this.client({ baseUrl: address, host: new URL(address).host }, transport);
  }

  dispose(): void {
    // Nothing waits for connections to close when the window does.
    void this.pool.close();
  }

  private client(address: PlatformAddress, transport: StoredAccount['transport']): PlatformClient {
    return createClient({ address, transport, send: this.pool.send, log: this.log, userAgent: this.userAgent });
  }
}
