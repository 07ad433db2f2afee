import assert from 'node:assert/strict';
import type { Uri } from 'vscode';
import type { Account } from '../../../src/accounts/accounts';
import { uriOf } from '../../../src/containers/uris';
import { extensionParts, type Parts } from './parts';
import { signIn } from './signIn';
import { parseAddress } from '../../../src/platform/address';
import { limit } from '../../host/limits';

/**
 * Returns the parts of the running extension, which are found through what it exports in test mode. Stops watching for outside changes, because its
 * timed requests would mix with those that a test counts; tests of watching turn it on. Failed reads are retried at once, and a slow
 * computer's Git extension gets more time.
 */
export async function gantry(): Promise<Parts> {
  const parts = await extensionParts.load();
  parts.watching.focus(false);
  parts.connections.retryPause = 1;
  parts.projects.repositories.patience = limit(30_000);
  return parts;
}

/** A local platform, in this process or another. */
export interface Welcoming {
  readonly origin: string;
  readonly sample: { readonly email: string; readonly password: string };
}

/** Signs in to the platform's sample account, as the command does after its questions. */
export async function signedIn(platform: Welcoming): Promise<Account> {
  const { accounts, connections } = await gantry();
  const address = parseAddress(platform.origin);
  assert.ok('ok' in address);
  const { email, password } = platform.sample;
  const wanted = { description: 'Gantry, VS Code under test', expiresAt: undefined };
  const credentials = { kind: 'password', login: email, password, wanted } as const;
  const taken = accounts.list.map(({ slug }) => slug);
  const stored = await signIn(await connections.connect(address.ok), credentials, taken);
  await accounts.add(stored);
  const account = accounts.find(stored.slug);
  assert.ok(account);
  return account;
}

export function fileUri(account: Account, environment: string, target: string, path: string): Uri {
  const [nodeGroup = '', nodeId] = target.split('~');
  const place = { kind: 'file', account: account.slug, environment, path } as const;
  return uriOf({ ...place, target: nodeId === undefined ? { nodeGroup } : { nodeGroup, nodeId: Number(nodeId) } });
}
