import { type ClientSettings, createClient, type PlatformClient } from '../../../src/platform/client';
import { parseAddress, type PlatformAddress } from '../../../src/platform/address';
import { Canceled, PlatformError } from '../../../src/platform/errors';
import { openPool } from '../../../src/platform/sending/undiciPool';
import type { SenderPool, TrafficEntry } from '../../../src/platform/sending/sender';

export function addressOf(url: string): PlatformAddress {
  const parsed = parseAddress(url);
  if ('problem' in parsed) throw new Error(parsed.problem);
  return parsed.ok;
}

export function openDirectPool(): SenderPool {
  return openPool({ proxyFor: () => undefined, checkCertificates: true });
}

export interface ClientUnderTest {
  readonly client: PlatformClient;
  readonly traffic: readonly TrafficEntry[];
}

export function clientFor(
  url: string,
  settings: Partial<ClientSettings> & Pick<ClientSettings, 'send'>,
): ClientUnderTest {
  const traffic: TrafficEntry[] = [];
  const client = createClient({
    address: addressOf(url),
    transport: 'form',
    retryPause: 1,
    log: (entry) => traffic.push(entry),
    ...settings,
  });
  return { client, traffic };
}

/** Returns the PlatformError that a call fails with. Anything else fails the test. */
export async function failureOf(call: Promise<unknown>): Promise<PlatformError> {
  const error = await rejectionOf(call);
  if (error instanceof PlatformError) return error;
  throw new Error(`The call ended in ${String(error)} and not in a PlatformError.`);
}

export async function cancellationOf(call: Promise<unknown>): Promise<Canceled> {
  const error = await rejectionOf(call);
  if (error instanceof Canceled) return error;
  throw new Error(`The call ended in ${String(error)} and was not cancelled.`);
}

async function rejectionOf(call: Promise<unknown>): Promise<unknown> {
  const settled = await call.then(
    () => undefined,
    (error: unknown) => ({ error }),
  );
  if (settled === undefined) throw new Error('The call succeeded.');
  return settled.error;
}
