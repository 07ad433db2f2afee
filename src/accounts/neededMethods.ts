import type { OperationName } from '../platform/contract';
import { methodOf, uploaderMethod } from '../platform/contract/methodName';

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
