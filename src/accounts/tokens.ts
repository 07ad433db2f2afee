import {
  type AnswerOf,
  documentedOperations,
  methodEffects,
  methodOf,
  type OperationName,
  operationsByPurpose,
  type ParametersOf,
  type SignedInParametersOf,
  uploaderMethod,
} from '../platform/contract';
import type { PlatformClient } from '../platform/client';
import type { Operation } from '../platform/contract/operation';
import { isPlatformError, type PlatformError, undefinedIf } from '../platform/errors';
import { failed } from '../platform/failureTexts';
import { changeOnce } from '../platform/lostReply';
import { writeTimestamp } from '../platform/wire/scalars';
import type { TokenEntry, TokenTemplateEntry } from '../platform/wire/tokens';
import type { Account } from './signedInAccount';
import type { StoredAccount, TokenData } from './storedAccount';

/** All methods that Gantry needs, as a token's `apiList` spells them. */
export const neededMethods = {
  documentedMethods: documentedOperations.map(methodOf),
  /** Methods to find environments and to upload binary data. Some platforms don't have them. */
  undocumentedMethods: [methodOf('GetEnvs'), methodOf('GetEnvInfo'), uploaderMethod],
  /** What Gantry can do without. Only a new token asks for these, and only if the platform offers them. */
  optionalMethods: (
    [
      'RestartServices',
      'GetCurrentActions',
      'GetLogs',
      'ReadLog',
      'GetContainerEnvVars',
      'AddContainerEnvVars',
      'RemoveContainerEnvVars',
      'GetUserInfo',
    ] as const
  ).map(methodOf),
} as const;

/**
 * Whether a pasted value has the shape of an access token. A session can be pasted, too, and has every right, so a value of
 * any other shape counts as one.
 */
export function isAccessToken(value: string): boolean {
  return /^[0-9a-f]{40}$/i.test(value);
}

/**
 * The operations that the token of these requests is known to lack, or `undefined` if that isn't known. The list of an
 * account's tokens doesn't say which one was used. Without its ID, it's one of those that may list tokens, so it lacks
 * what none of them has. An expired one counts, too, because this computer's clock may be wrong.
 */
export function lackedOperations(
  tokens: readonly TokenEntry[],
  { token: used, tokenId }: { readonly token: string; readonly tokenId?: number | undefined },
): readonly OperationName[] | undefined {
  if (tokenId === undefined && !isAccessToken(used)) {
    return undefined;
  }
  const mayList = ({ apiList }: TokenEntry) => missingFrom(apiList, [methodOf('GetTokens')]).length === 0;
  return lackedBy(tokens.filter((token) => (tokenId === undefined ? mayList(token) : token.id === tokenId)));
}

/** The documented operations that none of these tokens permits. Platforms may list the others in another way, or not at all. */
export function lackedBy(tokens: readonly Pick<TokenEntry, 'apiList'>[]): readonly OperationName[] | undefined {
  const methods = tokens.flatMap(({ apiList }) => apiList);
  if (tokens.length === 0 || tokens.some(({ apiList }) => apiList.length === 0) || methods.some(isPattern)) {
    return undefined;
  }
  const lacking = documentedOperations.filter((operation) => missingFrom(methods, [methodOf(operation)]).length > 0);
  // A token that permits none of them would be of no use. The platform may spell methods in another way.
  return lacking.length === documentedOperations.length ? undefined : lacking;
}

function isPattern(method: string): boolean {
  return method.includes('*');
}

/** What a token for someone else may be for, each including the one before. */
export const tokenTasks = ['read', 'edit', 'redeploy'] as const;
export type TokenTask = (typeof tokenTasks)[number];

const byTask: Readonly<Record<TokenTask, readonly OperationName[]>> = {
  read: ['GetEnvs', 'GetEnvInfo', 'GetList', 'Read', 'GetProject', 'GetFavorites', 'GetMountPoints', 'GetExportedList'],
  edit: [...operationsByPurpose.files, ...operationsByPurpose.transfers, ...operationsByPurpose.favorites],
  redeploy: ['Update'],
};

/** The methods that Gantry calls for a task. Leaves out optional ones that this platform doesn't offer. */
export function methodsForTask(task: TokenTask, offered: readonly string[]): readonly string[] {
  const included = tokenTasks.slice(0, tokenTasks.indexOf(task) + 1).flatMap((one) => byTask[one].map(methodOf));
  const all = [...new Set([...included, ...(task === 'read' ? [] : [uploaderMethod])])];
  const unknownHere = offered.length === 0 ? [] : missingFrom(offered, neededMethods.undocumentedMethods);
  return all.filter((method) => !unknownHere.includes(method));
}

const effects = new Map([...methodEffects].map(([method, effect]) => [plain(method), effect] as const));

/** Whether a method reads or changes something; `undefined` if Gantry doesn't know it. */
export function effectOf(method: string): Operation['effect'] | undefined {
  return effects.get(plain(method));
}

/** Counts methods by their effect. Two spellings of a method are one. */
export function countEffects(methods: readonly string[]) {
  const all = [...new Set(methods.map(plain))].map(effectOf);
  const count = (effect: Operation['effect'] | undefined) => all.filter((one) => one === effect).length;
  return { all: all.length, read: count('read'), write: count('write'), unknown: count(undefined) };
}

/** Returns the methods that the list lacks. `env.file.read` and `environment.file.Read` are the same method. */
export function missingFrom(apiList: readonly string[], methods: readonly string[]): readonly string[] {
  const held = new Set(apiList.map(plain));
  return methods.filter((method) => !held.has(plain(method)));
}

/** Returns the methods that the policy bars for every token, or none if it spells methods in another way. */
export function barredMethods(
  { behavior, tokenPermissions }: AnswerOf<'GetPolicyMethods'>,
  methods: readonly string[],
): readonly string[] {
  const listed = tokenPermissions.map(({ method = '' }) => method);
  const unlisted = missingFrom(listed, methods);
  if (behavior === undefined || unlisted.length === methods.length) {
    return [];
  }
  return behavior === 'DENY' ? missingFrom(unlisted, methods) : unlisted;
}

function plain(method: string): string {
  return method
    .trim()
    .toLowerCase()
    .replace(/^platform\./, '')
    .replace(/^env\./, 'environment.');
}

export const customTemplate = 'Custom';

/** Returns a token's template. Some platforms don't list it, so fall back to one with the same methods. */
export function templateOf(
  { tokenTemplate, apiList }: Pick<TokenEntry, 'tokenTemplate' | 'apiList'>,
  templates: readonly TokenTemplateEntry[],
): string | undefined {
  return tokenTemplate ?? templates.find((template) => permitsTheSame(template.apiList, apiList))?.name;
}

/** Returns the methods that Gantry needs and that the change would take away. */
export function lostMethods(before: readonly string[], after: readonly string[]): readonly string[] {
  const needed = [...neededMethods.documentedMethods, ...neededMethods.undocumentedMethods];
  const lackedBefore = missingFrom(before, needed);
  return missingFrom(after, needed).filter((method) => !lackedBefore.includes(method));
}

/** Groups methods by service, such as `environment.file`, in alphabetical order. */
export function byService(methods: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const services = new Map<string, string[]>();
  for (const method of [...new Set(methods)].sort((one, other) => one.localeCompare(other))) {
    // Platforms spell the same service in different ways.
    const service = partsOf(method).service.replace(/^(platform\.)?env(ironment)?\./i, 'environment.');
    services.set(service, [...(services.get(service) ?? []), method]);
  }
  return services;
}

export function partsOf(method: string): { readonly service: string; readonly name: string } {
  const end = method.lastIndexOf('.');
  return { service: method.slice(0, Math.max(end, 0)), name: method.slice(end + 1) };
}

export function permitsTheSame(one: readonly string[], other: readonly string[]): boolean {
  return missingFrom(one, other).length === 0 && missingFrom(other, one).length === 0;
}

/** A session and the password that opened it. Token operations require both. */
export interface OpenedSession {
  readonly session: string;
  readonly password: string;
}

/** What an operation's caller passes; session and password are added. */
type Given<N extends 'CreateToken' | 'EditToken' | 'GetTokenApiList'> = Omit<ParametersOf<N>, 'session' | 'password'>;

/** What can be read of an account's tokens and sessions. */
export type AccessReader = ReturnType<typeof accessReading>;

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
export function readerByToken(account: Pick<Account, 'call'>): AccessReader {
  return accessReading((operation, parameters) => account.call(operation, parameters));
}

function accessReading(
  ask: <N extends ReadingOperation>(operation: N, parameters: SignedInParametersOf<N>) => Promise<AnswerOf<N>>,
) {
  return {
    getTokens: async () => (await ask('GetTokens', {})).tokens,
    getTokenTemplates: async () => (await ask('GetTokenTemplates', {})).templates,
    getTokenApiList: async (wanted: Given<'GetTokenApiList'> = {}) => (await ask('GetTokenApiList', wanted)).apiList,
    getPolicyMethods: (uniqueName?: string) => ask('GetPolicyMethods', { appid, uniqueName }),
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
