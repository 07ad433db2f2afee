import { changeOnce } from '../platform/changeOnce';
import type { PlatformClient } from '../platform/client';
import type { AnswerOf, ParametersOf, SignedInParametersOf } from '../platform/contract';
import { writeTimestamp } from '../platform/wire/timestamp';
import { permitsTheSame } from './tokenRights';
import type { Account } from './signedInAccount';
import type { OpenedSession } from './createToken';

/** What the caller of an operation gives, where session and password are given for it. */
type Given<N extends 'CreateToken' | 'EditToken' | 'GetTokenApiList'> = Omit<ParametersOf<N>, 'session' | 'password'>;

/** What may be read of an account's tokens, and of who is signed in. */
export interface AccessReader {
  getTokens(): Promise<AnswerOf<'GetTokens'>['tokens']>;
  getTokenTemplates(): Promise<AnswerOf<'GetTokenTemplates'>['templates']>;
  getTokenApiList(wanted?: Given<'GetTokenApiList'>): Promise<readonly string[]>;
  getPolicyMethods(uniqueName?: string): Promise<AnswerOf<'GetPolicyMethods'>>;
  getSessions(): Promise<AnswerOf<'GetSessions'>['sessions']>;
}

/** What an account's password opens and its token does not: tokens, and who is signed in. */
export interface PasswordOperations extends AccessReader {
  createToken(wanted: Given<'CreateToken'>): Promise<AnswerOf<'CreateToken'>['token']>;
  /** Returns the token as it is now. */
  editToken(changes: Given<'EditToken'>): Promise<EditedToken>;
  /** The value before is no longer good once this has happened. */
  regenerateToken(id: number): Promise<AnswerOf<'RegenerateToken'>['token']>;
  deleteTokens(ids: readonly number[]): Promise<void>;
  /** Ends what these tokens have open. The tokens stay good. */
  signoutSessions(tokenIds: readonly number[] | 'all'): Promise<void>;
}

type ListedToken = AnswerOf<'GetTokens'>['tokens'][number];
type EditedToken = Pick<AnswerOf<'EditToken'>['token'], 'expiresAt'>;

type ReadingOperation = 'GetTokens' | 'GetTokenTemplates' | 'GetTokenApiList' | 'GetPolicyMethods' | 'GetSessions';

/** The platform's own value: deprecated, and still required by one operation. */
const appid = '1dd8d191d38fff45e62564fcf67fdcd6';

/** The operations, each with the session, and with the password where it is asked for once more. */
export function passwordOperations(
  client: PlatformClient,
  { session, password }: OpenedSession,
  perform: <T>(work: () => Promise<T>) => Promise<T>,
): PasswordOperations {
  const reading = accessReading((operation, parameters) =>
    perform(() => client.callAs(session, operation, parameters)),
  );
  return {
    ...reading,
    createToken: (wanted) =>
      perform(async () => (await client.call('CreateToken', { ...wanted, session, password })).token),
    editToken: async (changes) => {
      const edited: EditedToken[] = [];
      await changeOnce(
        async () =>
          edited.push((await perform(() => client.call('EditToken', { ...changes, session, password }))).token),
        async () => {
          const [tokens, templates] = await Promise.all([reading.getTokens(), reading.getTokenTemplates()]);
          edited.push(...tokens.filter((token) => isEdited(token, changes, templates)));
          return edited.length > 0;
        },
      );
      return edited[0] ?? {};
    },
    regenerateToken: (id) =>
      perform(async () => (await client.call('RegenerateToken', { id, session, password })).token),
    deleteTokens: (ids) =>
      changeOnce(
        () => perform(() => client.call('DeleteTokens', { ids: ids.join(','), session, password })),
        async () => (await reading.getTokens()).every(({ id }) => !ids.includes(id)),
      ),
    signoutSessions: (tokenIds) =>
      perform(async () => {
        const ids = tokenIds === 'all' ? '*' : tokenIds.join(',');
        await client.call('SignoutSessions', { ids, session });
      }),
  };
}

/** Whether a listed token is the edited one and has the new values. What the list doesn't show counts as unchanged. */
function isEdited(
  token: ListedToken,
  { id, description, expiresAt, ...rights }: Given<'EditToken'>,
  templates: AnswerOf<'GetTokenTemplates'>['templates'],
): boolean {
  const expiration = token.expiresAt === undefined ? '' : writeTimestamp(token.expiresAt);
  return (
    token.id === id &&
    (description === undefined || description === token.description) &&
    (expiresAt === undefined || expiresAt === expiration) &&
    hasRights(token, rights, templates)
  );
}

/** A list that doesn't name a token's template still shows its methods. */
function hasRights(
  token: ListedToken,
  { tokenTemplate, apiList }: Pick<Given<'EditToken'>, 'tokenTemplate' | 'apiList'>,
  templates: AnswerOf<'GetTokenTemplates'>['templates'],
): boolean {
  if (tokenTemplate === undefined && apiList === undefined) return true;
  if (token.tokenTemplate !== undefined && tokenTemplate !== undefined) {
    if (token.tokenTemplate !== tokenTemplate) return false;
    if (apiList === undefined) return true;
  }
  const methods = apiList?.split(',') ?? templates.find(({ name }) => name === tokenTemplate)?.apiList;
  return methods !== undefined && permitsTheSame(token.apiList, methods);
}

/** What an account's token opens of it by itself, which for most tokens is nothing. */
export function accessReaderByToken(account: Pick<Account, 'call'>): AccessReader {
  return accessReading((operation, parameters) => account.call(operation, parameters));
}

function accessReading(
  ask: <N extends ReadingOperation>(operation: N, parameters: SignedInParametersOf<N>) => Promise<AnswerOf<N>>,
): AccessReader {
  return {
    getTokens: async () => (await ask('GetTokens', {})).tokens,
    getTokenTemplates: async () => (await ask('GetTokenTemplates', {})).templates,
    getTokenApiList: async (wanted = {}) => (await ask('GetTokenApiList', wanted)).apiList,
    getPolicyMethods: (uniqueName) => ask('GetPolicyMethods', { appid, uniqueName }),
    getSessions: async () => (await ask('GetSessions', {})).sessions,
  };
}
