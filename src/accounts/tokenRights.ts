import type { OperationName } from '../platform/contract';
import { methodOf, uploaderMethod } from '../platform/contract/methodName';
import type { TokenEntry, TokenTemplateEntry } from '../platform/wire/tokens';

/** The operations of the contract that Gantry calls with an account's token, by what they serve. */
const byPurpose = {
  files: ['GetList', 'Read', 'Write', 'Create', 'Append', 'Copy', 'Rename', 'Delete', 'ReplaceInBody'],
  transfers: ['Upload', 'UnpackById', 'UnpackByType'],
  projects: ['GetProject', 'CreateProject', 'EditProject', 'DeleteProject', 'Update'],
  favorites: ['GetFavorites', 'AddFavorite', 'RemoveFavorite'],
  mounts: [
    ...(['GetMountPoints', 'AddMountPointByGroup', 'AddMountPointById'] as const),
    ...(['RemoveMountPointByGroup', 'RemoveMountPointById'] as const),
    ...(['CheckCrossMount', 'GetExportedList', 'RemoveExport'] as const),
  ],
} as const satisfies Readonly<Record<string, readonly OperationName[]>>;

/** Everything that Gantry asks of a token, as the `apiList` of a token names it. */
export const neededMethods = {
  ofTheContract: Object.values(byPurpose).flatMap((operations) => operations.map((operation) => methodOf(operation))),
  /** What finds environments, and takes bytes that are no text. A platform may have none of them. */
  beyondTheContract: [methodOf('GetEnvs'), methodOf('GetEnvInfo'), uploaderMethod],
} as const;

/** Those of the methods that the list does not hold. Two spellings of one method are one: `env.file.read`, `environment.file.Read`. */
export function missingFrom(apiList: readonly string[], methods: readonly string[]): readonly string[] {
  const held = new Set(apiList.map(plain));
  return methods.filter((method) => !held.has(plain(method)));
}

function plain(method: string): string {
  return method
    .trim()
    .toLowerCase()
    .replace(/^platform\./, '')
    .replace(/^env\./, 'environment.');
}

export const customTemplate = 'Custom';

/** The template of a token. Some platforms leave it out of their lists: then the one that permits just the same. */
export function templateOf(
  { tokenTemplate, apiList }: Pick<TokenEntry, 'tokenTemplate' | 'apiList'>,
  templates: readonly TokenTemplateEntry[],
): string | undefined {
  return tokenTemplate ?? templates.find((template) => permitsTheSame(template.apiList, apiList))?.name;
}

/** What of the methods that Gantry needs is permitted before a change and not after it. */
export function lostMethods(before: readonly string[], after: readonly string[]): readonly string[] {
  const needed = [...neededMethods.ofTheContract, ...neededMethods.beyondTheContract];
  const lackedBefore = missingFrom(before, needed);
  return missingFrom(after, needed).filter((method) => !lackedBefore.includes(method));
}

/** Days before the end of a token at which the person is told of it. */
const noticeDays = 7;
const day = 24 * 60 * 60 * 1000;

/** How many days an account's token has left, once they are few enough to speak of. */
export function daysLeft(expiresAt: Date | undefined, now: number): number | undefined {
  const left = expiresAt === undefined ? undefined : Math.ceil((expiresAt.getTime() - now) / day);
  return left !== undefined && left > 0 && left <= noticeDays ? left : undefined;
}

/** How near a token's end is. */
export function isEndingToken(expiresAt: Date | undefined, now: number): 'none' | 'far' | 'soon' | 'past' {
  if (expiresAt === undefined) {
    return 'none';
  }
  if (expiresAt.getTime() <= now) {
    return 'past';
  }
  return daysLeft(expiresAt, now) === undefined ? 'far' : 'soon';
}

/** `environment.file` and what is permitted of it, in the order of the alphabet. */
export function byService(methods: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const services = new Map<string, string[]>();
  for (const method of [...new Set(methods)].sort((one, other) => one.localeCompare(other))) {
    // Platforms spell the same service in more than one way.
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
