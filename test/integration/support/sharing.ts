import type { Account } from '../../../src/accounts/accounts';
import type { Parts, SharingParts } from './parts';
import type { FaultRule } from '../../localPlatform/faults/fault';
import { type LocalPlatform, startPlatform } from '../../localPlatform/localPlatform';
import { gantry, signedIn } from './gantry';

/** The setup for tests of favorites and mounts: the sample platform with a signed-in account. */
export interface SharingSetUp {
  readonly platform: LocalPlatform;
  readonly account: Account;
  readonly parts: Parts & SharingParts;
}

export async function startSharing(): Promise<SharingSetUp> {
  const platform = await startPlatform({ withoutProject: true });
  const account = await signedIn(platform);
  const parts = await gantry();
  return { platform, account, parts: { ...parts, ...parts.sharing } };
}

/** Responses that don't say what is in a list, which must not look empty then. `name` is its name in a response. */
export function failuresOfList(name: string): readonly FaultRule['fault'][] {
  return [
    ...[8, 5, 11, 17, 99, 4037, 8202].map((result) => ({ kind: 'refuse', result, error: 'no' }) as const),
    { kind: 'reset' },
    { kind: 'reset', when: 'after' },
    { kind: 'truncate', bytes: 20 },
    { kind: 'gatewayError', status: 502 },
    { kind: 'gatewayError', status: 504 },
    { kind: 'gatewayError', status: 502, when: 'after' },
    { kind: 'nestedFailure', shape: 'response' },
    { kind: 'nestedFailure', shape: 'responses' },
    { kind: 'answer', body: '<html>maintenance</html>', contentType: 'text/html' },
    { kind: 'answer', body: `{"result":0,"${name}":7}` },
    { kind: 'answer', body: '' },
    { kind: 'answer', body: `{"${name}":[]}` },
  ];
}
