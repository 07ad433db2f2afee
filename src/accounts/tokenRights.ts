import { type AnswerOf, type OperationName, methodEffects, methodOf, uploaderMethod } from '../platform/contract';
import type { Operation } from '../platform/contract/operation';
import type { TokenEntry, TokenTemplateEntry } from '../platform/wire/tokens';

/** The operations that Gantry calls with an account's token, by purpose. */
const byPurpose = {
  files: ['GetList', 'Read', 'Write', 'Create', 'Append', 'Copy', 'Rename', 'Delete', 'ReplaceInBody'],
  transfers: ['Upload', 'UnpackById', 'UnpackByType'],
  projects: ['GetProject', 'CreateProject', 'EditProject', 'DeleteProject', 'Update'],
  favorites: ['GetFavorites', 'AddFavorite', 'RemoveFavorite'],
  mounts: [
    'GetMountPoints',
    'AddMountPointByGroup',
    'AddMountPointById',
    'RemoveMountPointByGroup',
    'RemoveMountPointById',
    'CheckCrossMount',
    'GetExportedList',
    'RemoveExport',
  ],
} as const satisfies Readonly<Record<string, readonly OperationName[]>>;

/** The operations of the contract that Gantry calls with an account's token. */
export const documentedOperations: readonly OperationName[] = Object.values(byPurpose).flat();

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
  edit: [...byPurpose.files, ...byPurpose.transfers, ...byPurpose.favorites],
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
