import { type Disposable, workspace } from 'vscode';
import type { Pace } from '../platform/contract/operation';
import { usualMaxConnections } from '../platform/sending/requestLimit';
import type { ConnectionSettings } from './connections';

/** The settings that decide where secrets go, read once until one of them changes: every call asks for them. */
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

/** All of ours are of machine scope: no workspace can change them. */
function connectionSettings(): ConnectionSettings {
  const http = workspace.getConfiguration('http');
  const gantry = workspace.getConfiguration('gantry');
  return {
    proxy: http.get<string>('proxy'),
    noProxy: http.get<string>('proxySupport') === 'off' ? ['*'] : http.get<string[]>('noProxy', []),
    proxyAuthorization: http.get<string | null>('proxyAuthorization') ?? undefined,
    checkCertificates: http.get<boolean>('proxyStrictSSL', true),
    sender: gantry.get<string>('sender') === 'vscode' ? 'vscode' : 'own',
    transport: transportOf(gantry.get<string>('transport')),
    allowPlainHttp: gantry.get<boolean>('allowPlainHttp', false),
    maxConnections: connectionsOf(gantry.get<unknown>('maxConnections')),
    deadlines: deadlinesOf(gantry.get<Partial<Record<Pace, unknown>>>('deadlines', {})),
  };
}

/** The addresses that are offered at sign-in. */
export function offeredPlatforms(): readonly string[] {
  return workspace.getConfiguration('gantry').get<string[]>('platforms', []);
}

function transportOf(setting: string | undefined): ConnectionSettings['transport'] {
  return setting === 'form' || setting === 'query' ? setting : 'auto';
}

const mostConnections = 100;

function connectionsOf(setting: unknown): number {
  const isNumber = typeof setting === 'number' && setting >= 1;
  return isNumber ? Math.min(Math.floor(setting), mostConnections) : usualMaxConnections;
}

const paces = ['accounts', 'files', 'long'] as const satisfies readonly Pace[];
const longestSeconds = 24 * 60 * 60;

/** Seconds in the settings, for a person; what is no sensible number counts as not set. */
function deadlinesOf(setting: Partial<Record<Pace, unknown>>): ConnectionSettings['deadlines'] {
  const set = paces.flatMap((pace): [Pace, number][] => {
    const seconds = setting[pace];
    return typeof seconds === 'number' && seconds >= 1 ? [[pace, Math.min(seconds, longestSeconds) * 1000]] : [];
  });
  return Object.fromEntries(set);
}
