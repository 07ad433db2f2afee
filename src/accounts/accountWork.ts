import type { PlatformClient } from '../platform/client';
import type { AnswerOf, ParametersOf } from '../platform/contract';
import type { OpenedSession } from './tokenMaking';

/** What the caller of an operation gives, where session and password are given for it. */
type Given<N extends 'CreateToken' | 'EditToken' | 'GetTokenApiList'> = Omit<ParametersOf<N>, 'session' | 'password'>;

/** What an account's password opens and its token does not: tokens, and who is signed in. */
export interface AccountWork {
  getTokens(): Promise<AnswerOf<'GetTokens'>['tokens']>;
  createToken(wanted: Given<'CreateToken'>): Promise<AnswerOf<'CreateToken'>['token']>;
  editToken(changes: Given<'EditToken'>): Promise<AnswerOf<'EditToken'>['token']>;
  /** The value before is no longer good once this has happened. */
  regenerateToken(id: number): Promise<AnswerOf<'RegenerateToken'>['token']>;
  deleteTokens(ids: readonly number[]): Promise<void>;
  getTokenTemplates(): Promise<AnswerOf<'GetTokenTemplates'>['templates']>;
  getTokenApiList(wanted?: Given<'GetTokenApiList'>): Promise<readonly string[]>;
  getPolicyMethods(uniqueName?: string): Promise<AnswerOf<'GetPolicyMethods'>>;
  getSessions(): Promise<AnswerOf<'GetSessions'>['sessions']>;
  /** Ends what the tokens of these ids have open. */
  signoutSessions(tokenIds: readonly number[]): Promise<void>;
}

/** The platform's own value: deprecated, and still required by one operation. */
const appid = '1dd8d191d38fff45e62564fcf67fdcd6';

/** The operations, each with the session, and with the password where it is asked for once more. */
export function accountWork(
  client: PlatformClient,
  { session, password }: OpenedSession,
  perform: <T>(work: () => Promise<T>) => Promise<T>,
): AccountWork {
  return {
    getTokens: () => perform(async () => (await client.call('GetTokens', { session })).tokens),
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
    getTokenTemplates: () => perform(async () => (await client.call('GetTokenTemplates', { session })).templates),
    getTokenApiList: (wanted) =>
      perform(async () => (await client.call('GetTokenApiList', { ...wanted, session })).apiList),
    getPolicyMethods: (uniqueName) => perform(() => client.call('GetPolicyMethods', { appid, uniqueName, session })),
    getSessions: () => perform(async () => (await client.call('GetSessions', { session })).sessions),
    signoutSessions: (tokenIds) =>
      perform(async () => {
        await client.call('SignoutSessions', { ids: tokenIds.join(','), session });
      }),
  };
}
