import { type Disposable, EventEmitter, workspace } from 'vscode';
import { parseAddress, type PlatformAddress } from '../platform/address';
import { type ClientSettings, createClient, type PlatformClient, probeTransport } from '../platform/client';
import type { DisplayNames } from '../platform/parameters';
import type { Pace } from '../platform/contract/operation';
import { undefinedIf } from '../platform/errors';
import { failed } from '../platform/failureTexts';
import { explainLostReply } from '../platform/lostReply';
import { redact, withoutSecrets } from '../platform/redact';
import { createFetchSender } from '../platform/sending/fetchSender';
import type { Transport } from '../platform/sending/request';
import { type Sender, type SenderPool, type TrafficLog, usualMaxConnections } from '../platform/sending/sender';
import type { StoredAccount } from './storedAccount';

interface NetworkSettings {
  readonly proxy: string | undefined;
  readonly noProxy: readonly string[];
  readonly checkCertificates: boolean;
  readonly proxyAuthorization?: string | undefined;
}

interface ConnectionSettings extends NetworkSettings {
  /** `vscode` sends through VS Code's fetch, which knows the operating system's proxies, PAC files and Kerberos. */
  readonly networkStack: 'own' | 'vscode';
  readonly transport: 'auto' | Transport;
  readonly allowPlainHttp: boolean;
  readonly maxConnections: number;
  /** Timeouts in milliseconds that differ from the defaults. */
  readonly requestTimeouts: Readonly<Partial<Record<Pace, number>>>;
}

/** Caches the settings that decide where secrets are sent until one changes, because every call needs them. */
export class FollowedSettings implements Disposable {
  private current: ConnectionSettings | undefined;
  private readonly following = workspace.onDidChangeConfiguration((change) => {
    if (change.affectsConfiguration('gantry') || change.affectsConfiguration('http')) {
      this.current = undefined;
    }
  });

  readonly read = (): ConnectionSettings => (this.current ??= connectionSettings());

  dispose(): void {
    this.following.dispose();
  }
}

interface ConnectOptions {
  /** The user agreed to send passwords in URLs if the platform supports nothing else. */
  readonly passwordsInUrl?: boolean | undefined;
  /** How the platform takes parameters, if already known. */
  readonly transport?: Transport | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** How long to look for another way to a platform, in milliseconds. */
const shortDeadline = 10_000;

/** Creates platform clients. They share connection pools that are opened on the first request. */
export class Connections implements Disposable {
  private readonly pools = new Map<string, SenderPool>();
  private ofVsCode: Sender | undefined;
  private readonly secrets = new Set<string>();
  private readonly lost = new EventEmitter<PlatformAddress>();
  /** Fires when a signed-in account's request couldn't be sent through Gantry's own connections. */
  readonly onDidFailToConnect = this.lost.event;
  /** The minimum pause before a failed read is retried, in milliseconds. Tests set a short one. */
  retryPause: number | undefined;
  /** Returns what an account calls its environments and layers, for messages. Set once environments can be known. */
  namesFor: ((account: string) => DisplayNames) | undefined;

  constructor(
    private readonly deps: {
      /** Read for each call, so that a changed setting applies immediately. */
      readonly settings: () => ConnectionSettings;
      readonly log: TrafficLog;
      readonly userAgent: string;
      readonly fetch: Parameters<typeof createFetchSender>[0];
    },
  ) {}

  get allowsPlainHttp(): boolean {
    return this.deps.settings().allowPlainHttp;
  }

  /** Returns a client for a platform without an account. First probes, without secrets, how it takes parameters. */
  async connect(
    address: PlatformAddress,
    { transport, passwordsInUrl, signal }: ConnectOptions = {},
  ): Promise<PlatformClient> {
    this.demandAllowed(address.baseUrl);
    const { transport: wanted } = this.deps.settings();
    const known = wanted === 'auto' ? transport : wanted;
    const chosen = known ?? (await probeTransport({ address, send: this.send, signal }));
    return this.client(address, { transport: chosen, passwordsInUrl });
  }

  open({ slug, address, transport, passwordsInUrl, token }: StoredAccount): PlatformClient {
    this.demandAllowed(address);
    this.secrets.add(token);
    const { transport: wanted } = this.deps.settings();
    const chosen = wanted === 'auto' ? transport : wanted;
    const platform = { baseUrl: address, host: new URL(address).host };
    const send: Sender = (request) =>
      this.send(request).catch((error: unknown) => {
        if (!request.signal.aborted && explainLostReply(error).isUnconnected && this.usesOwnNetworkStack) {
          this.lost.fire(platform);
        }
        throw error;
      });
    const names: DisplayNames = {
      environment: (name) => this.namesFor?.(slug).environment(name) ?? name,
      layer: (environment, id) => this.namesFor?.(slug).layer(environment, id),
    };
    return this.client(platform, { transport: chosen, passwordsInUrl, send, names });
  }

  get usesOwnNetworkStack(): boolean {
    return this.deps.settings().networkStack === 'own';
  }

  /** Removes secrets from a text that leaves Gantry. */
  redact(words: string): string {
    return redact(words, { secrets: [...this.secrets, this.deps.settings().proxyAuthorization ?? ''], texts: [] });
  }

  /** Removes only the known secrets, and keeps what looks like one, such as the hash of a commit. */
  withoutSecrets(words: string): string {
    return withoutSecrets(words, [...this.secrets, this.deps.settings().proxyAuthorization ?? '']);
  }

  /** Whether VS Code's network stack reaches the platform. Sends nothing secret. */
  async isReachedByVsCode(address: PlatformAddress, signal?: AbortSignal): Promise<boolean> {
    const probe = probeTransport({
      address,
      send: createFetchSender(this.deps.fetch),
      signal,
      deadline: shortDeadline,
    });
    return (await undefinedIf('any', probe)) !== undefined;
  }

  dispose(): void {
    this.lost.dispose();
    // Closing the window doesn't wait for connections to close.
    for (const pool of this.pools.values()) {
      void pool.close();
    }
  }

  private client(
    address: PlatformAddress,
    own: Pick<ClientSettings, 'transport' | 'passwordsInUrl' | 'names'> & Partial<Pick<ClientSettings, 'send'>>,
  ): PlatformClient {
    const { log, userAgent, settings } = this.deps;
    const { requestTimeouts, proxyAuthorization = '' } = settings();
    const secrets = () => [...this.secrets, proxyAuthorization];
    const { retryPause } = this;
    return createClient({
      address,
      send: this.send,
      log,
      userAgent,
      requestTimeouts,
      secrets,
      retryPause,
      ...own,
    });
  }

  /** Throws if the settings don't allow plain HTTP to this address. They may have changed since the account was added. */
  demandAllowed(baseUrl: string): void {
    const parsed = parseAddress(baseUrl, this.deps.settings());
    if (!('ok' in parsed)) {
      throw failed({ kind: 'invalid', operation: 'Signin', target: baseUrl, obstacle: 'plainHttp' });
    }
  }

  private readonly send: Sender = async (request) => {
    const settings = this.deps.settings();
    return settings.networkStack === 'vscode'
      ? (await this.senderOfVsCode())(request)
      : (await this.poolFor(settings)).send(request);
  };

  /** VS Code's fetch itself doesn't limit the requests at once. */
  private async senderOfVsCode(): Promise<Sender> {
    const { limitRequests } = await import('../platform/sending/undiciPool');
    this.ofVsCode ??= limitRequests(createFetchSender(this.deps.fetch), () => this.deps.settings().maxConnections);
    return this.ofVsCode;
  }

  /**
   * Opens a new pool if the network settings changed. Requests in the old one continue there. Imported late, because
   * starting up sends nothing.
   */
  private async poolFor(settings: NetworkSettings): Promise<SenderPool> {
    const { proxy, noProxy, checkCertificates, proxyAuthorization } = settings;
    const key = JSON.stringify([proxy, noProxy, checkCertificates, proxyAuthorization]);
    const known = this.pools.get(key);
    if (known !== undefined) {
      return known;
    }
    const { chooseProxy, openPool } = await import('../platform/sending/undiciPool');
    const pool =
      // Another request may have opened it meanwhile.
      this.pools.get(key) ??
      openPool({
        proxyFor: chooseProxy({ proxy, noProxy, environment: process.env }),
        checkCertificates,
        proxyAuthorization,
        maxRequests: () => this.deps.settings().maxConnections,
      });
    this.pools.set(key, pool);
    return pool;
  }
}

/** All Gantry settings here have machine scope, so no workspace can change them. */
function connectionSettings(): ConnectionSettings {
  const http = workspace.getConfiguration('http');
  const gantry = workspace.getConfiguration('gantry');
  return {
    proxy: http.get<string>('proxy'),
    noProxy: http.get<string>('proxySupport') === 'off' ? ['*'] : http.get<string[]>('noProxy', []),
    proxyAuthorization: http.get<string | null>('proxyAuthorization') ?? undefined,
    checkCertificates: http.get<boolean>('proxyStrictSSL', true),
    networkStack: gantry.get<string>('networkStack') === 'vscode' ? 'vscode' : 'own',
    transport: transportOf(gantry.get<string>('transport')),
    allowPlainHttp: gantry.get<boolean>('allowPlainHttp', false),
    maxConnections: connectionsOf(gantry.get<unknown>('maxConnections')),
    requestTimeouts: timeoutsOf(gantry.get<Partial<Record<Pace, unknown>>>('requestTimeouts', {})),
  };
}

export function offeredPlatforms(): readonly string[] {
  return workspace.getConfiguration('gantry').get<string[]>('platforms', []);
}

function transportOf(setting: string | undefined): ConnectionSettings['transport'] {
  return setting === 'form' || setting === 'query' ? setting : 'auto';
}

const maxConnections = 100;

function connectionsOf(setting: unknown): number {
  const isNumber = typeof setting === 'number' && setting >= 1;
  return isNumber ? Math.min(Math.floor(setting), maxConnections) : usualMaxConnections;
}

const paces = ['accounts', 'files', 'long'] as const satisfies readonly Pace[];
const longestSeconds = 24 * 60 * 60;

/** Converts timeouts from seconds. An invalid number counts as not set. */
function timeoutsOf(setting: Partial<Record<Pace, unknown>>): ConnectionSettings['requestTimeouts'] {
  const set = paces.flatMap((pace): [Pace, number][] => {
    const seconds = setting[pace];
    return typeof seconds === 'number' && seconds >= 1 ? [[pace, Math.min(seconds, longestSeconds) * 1000]] : [];
  });
  return Object.fromEntries(set);
}
