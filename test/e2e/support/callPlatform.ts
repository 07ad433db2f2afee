import { createClient } from '../../../src/platform/client';
import type { AnswerOf, OperationName, SignedInParametersOf } from '../../../src/platform/contract';
import { createFetchSender } from '../../../src/platform/sending/fetchSender';
import type { LocalPlatform } from '../../localPlatform/localPlatform';
import { addressOf } from '../../unit/platform/setUp';

/** Calls an operation in a separate session, as another program of the same user would. */
export async function callPlatform<N extends OperationName>(
  platform: LocalPlatform,
  operation: N,
  parameters: SignedInParametersOf<N>,
): Promise<AnswerOf<N>> {
  const client = createClient({
    address: addressOf(platform.origin),
    transport: 'form',
    send: createFetchSender(fetch),
  });
  return client.callAs(await platform.createSession(), operation, parameters);
}
