import { changeOnce } from '../platform/lostReply';
import type { PlatformClient } from '../platform/client';
import type { AnswerOf, ParametersOf, SignedInParametersOf } from '../platform/contract';
import { isPlatformError, type PlatformError, undefinedIf } from '../platform/errors';
import { failed } from '../platform/failureTexts';
import { writeTimestamp } from '../platform/wire/scalars';
import type { StoredAccount, TokenData } from './storedAccount';
import { customTemplate, lackedBy, permitsTheSame } from './tokenRights';
import type { Account } from './signedInAccount';

/** A session and the password that opened it. Token operations require both. */
export interface OpenedSession {
  readonly session: string;
  readonly password: string;
}

/** What an operation's caller passes; session and password are added. */
type Given<N extends 'CreateToken' | 'EditToken' | 'GetTokenApiList'> = Omit<ParametersOf<N>, 'session' | 'password'>;

export interface AccessReader {
  getTokens(): Promise<AnswerOf<'GetTokens'>['tokens']>;
  getTokenTemplates(): Promise<AnswerOf<'GetTokenTemplates'>['templates']>;
  getTokenApiList(wanted?: Given<'GetTokenApiList'>): Promise<readonly string[]>;
  getPolicyMethods(uniqueName?: string): Promise<AnswerOf<'GetPolicyMethods'>>;
  getSessions(): Promise<AnswerOf<'GetSessions'>['sessions']>;
}

/** Token and session management, which requires the account's password and not just its token. */
export interface PasswordOperations extends AccessReader {
  createToken(wanted: Given<'CreateToken'>): Promise<AnswerOf<'CreateToken'>['token']>;
  editToken(changes: Given<'EditToken'>): Promise<EditedToken>;
  /** Invalidates the previous value. */
  regenerateToken(id: number): Promise<AnswerOf<'RegenerateToken'>['token']>;
  deleteTokens(ids: readonly number[]): Promise<void>;
  /** Closes these tokens' sessions. The tokens remain valid. */
  signoutSessions(tokenIds: readonly number[] | 'all'): Promise<void>;
}

type ListedToken = AnswerOf<'GetTokens'>['tokens'][number];
type EditedToken = Pick<AnswerOf<'EditToken'>['token'], 'expiresAt'>;

type ReadingOperation = 'GetTokens' | 'GetTokenTemplates' | 'GetTokenApiList' | 'GetPolicyMethods' | 'GetSessions';

/** The platform's own app ID. It's deprecated, but one operation still requires it. */
const appid = '1dd8d191d38fff45e62564fcf67fdcd6';

/** Adds the session to each operation, and the password where it's required again. */
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

/** Whether a listed token is the edited one and has the new values. Fields missing from the list count as unchanged. */
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

/** Extends the token, then replaces its value. In this order, the token stays usable if the second step fails. */
export async function renewToken(
  operations: PasswordOperations,
  { tokenId, tokenTemplate: knownTemplate }: StoredAccount,
  expiresAt: Date,
): Promise<TokenData> {
  const listed = (await operations.getTokens()).find(({ id }) => id === tokenId);
  if (listed === undefined) {
    throw failed({ kind: 'notFound', operation: 'GetTokens', target: '', obstacle: 'tokenGone' });
  }
  const { id, description = 'Gantry' } = listed;
  const tokenTemplate = listed.tokenTemplate ?? knownTemplate ?? customTemplate;
  // The API doesn't document how it treats omitted fields, so send all of them.
  const permits = tokenTemplate === customTemplate ? { apiList: listed.apiList.join(',') } : {};
  const settings = { description, tokenTemplate, ...permits, expiresAt: writeTimestamp(expiresAt) };
  const edited = await operations.editToken({ id, ...settings });
  const { key, id: newId } = await operations.regenerateToken(id);
  return {
    token: key,
    tokenId: newId,
    tokenTemplate,
    lacks: lackedBy([listed]),
    expiresAt: (edited.expiresAt ?? expiresAt).getTime(),
  };
}

/** What an account's token may read without the password. For most tokens that's nothing. */
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

/** Whether the account requires two-factor authentication, which only the dashboard supports. */
export function asksSecondFactor(error: unknown): error is PlatformError {
  return isPlatformError(error) && error.obstacle === 'secondFactor';
}

export async function openSession(
  client: PlatformClient,
  login: string,
  password: string,
): Promise<OpenedSession & { readonly email: string | undefined }> {
  const { session = '', email, needsSecondFactor } = await client.call('Signin', { login, password });
  if (needsSecondFactor !== true && session !== '') {
    return { session, password, email };
  }
  if (session !== '') {
    await closeSession(client, session);
  }
  throw failed({ kind: 'unauthenticated', operation: 'Signin', target: '', obstacle: 'secondFactor' });
}

/** Ends a session. Its work is already done, so a failure is only logged like every other request. */
export async function closeSession(client: PlatformClient, session: string): Promise<void> {
  await undefinedIf('any', client.call('Signout', { session }));
}
