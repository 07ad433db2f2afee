import type { PlatformClient } from '../platform/client';
import type { AnswerOf, ParametersOf, SignedInParametersOf } from '../platform/contract';
import type { Account } from './signedInAccount';
import type { OpenedSession } from './tokenMaking';

/** What the caller of an operation gives, where session and password are given for it. */
type Given<N extends 'CreateToken' | 'EditToken' | 'GetTokenApiList'> = Omit<ParametersOf<N>, 'session' | 'password'>;

/** What may be read of an account's tokens, and of who is signed in. */
export interface AccessReading {
  getTokens(): Promise<AnswerOf<'GetTokens'>['tokens']>;
  getTokenTemplates(): Promise<AnswerOf<'GetTokenTemplates'>['templates']>;
  getTokenApiList(wanted?: Given<'GetTokenApiList'>): Promise<readonly string[]>;
  getPolicyMethods(uniqueName?: string): Promise<AnswerOf<'GetPolicyMethods'>>;
  getSessions(): Promise<AnswerOf<'GetSessions'>['sessions']>;
}

/** What an account's password opens and its token does not: tokens, and who is signed in. */
export interface AccountWork extends AccessReading {
  createToken(wanted: Given<'CreateToken'>): Promise<AnswerOf<'CreateToken'>['token']>;
  editToken(changes: Given<'EditToken'>): Promise<AnswerOf<'EditToken'>['token']>;
  /** The value before is no longer good once this has happened. */
  regenerateToken(id: number): Promise<AnswerOf<'RegenerateToken'>['token']>;
  deleteTokens(ids: readonly number[]): Promise<void>;
  /** Ends what these tokens have open. The tokens stay good. */
  signoutSessions(tokenIds: readonly number[] | 'all'): Promise<void>;
}

type ReadingOperation = 'GetTokens' | 'GetTokenTemplates' | 'GetTokenApiList' | 'GetPolicyMethods' | 'GetSessions';

/** The platform's own value: deprecated, and still required by one operation. */
const appid = '1dd8d191d38fff45e62564fcf67fdcd6';

/** The operations, each with the session, and with the password where it is asked for once more. */
export function accountWork(
  client: PlatformClient,
  { session, password }: OpenedSession,
  perform: <T>(work: () => Promise<T>) => Promise<T>,
): AccountWork {
  return {
    ...accessReading((operation, parameters) => perform(() => client.callAs(session, operation, parameters))),
    createToken: (wanted) =>
      perform(async () => (await client.call('CreateToken', { ...wanted, session, password })).token),
    editToken: (changes) =>
      perform(async () => (await client.call('EditToken', { ...changes, session, password })).token),
    regenerateToken: (id) =>
      perform(async () => (await client.call('RegenerateToken', { id, session, password })).token),
    deleteTokens: (ids) =>
      perform(async () => {
        await client.call('DeleteTokens', { ids: ids.join(','), session, password });
      }),
    signoutSessions: (tokenIds) =>
      perform(async () => {
        const ids = tokenIds === 'all' ? '*' : tokenIds.join(',');
        await client.call('SignoutSessions', { ids, session });
      }),
  };
}

/** What an account's token opens of it by itself, which for most tokens is nothing. */
export function readingByToken(account: Pick<Account, 'call'>): AccessReading {
  return accessReading((operation, parameters) => account.call(operation, parameters));
}

function accessReading(
  ask: <N extends ReadingOperation>(operation: N, parameters: SignedInParametersOf<N>) => Promise<AnswerOf<N>>,
): AccessReading {
  return {
    getTokens: async () => (await ask('GetTokens', {})).tokens,
    getTokenTemplates: async () => (await ask('GetTokenTemplates', {})).templates,
    getTokenApiList: async (wanted = {}) => (await ask('GetTokenApiList', wanted)).apiList,
    getPolicyMethods: (uniqueName) => ask('GetPolicyMethods', { appid, uniqueName }),
    getSessions: async () => (await ask('GetSessions', {})).sessions,
  };
}
