import { type OperationName, operations } from '../contract';
import type { Area, Operation } from './operation';

const services: Readonly<Record<Area, string>> = {
  authentication: 'users.authentication',
  vcs: 'environment.vcs',
  file: 'environment.file',
  control: 'environment.control',
};

/** Returns an operation's name in a token's `apiList`, such as `environment.file.Read`. */
export function methodOf(operation: OperationName): string {
  return `${services[operations[operation].area]}.${operation}`;
}

/** The method for uploading binary data. It isn't an operation of the service, but a token may lack it. */
export const uploaderMethod = 'storage.uploader.Upload';

/** What each method that Gantry knows does: read, or change something. */
export const methodEffects: ReadonlyMap<string, Operation['effect']> = new Map([
  ...Object.entries(operations).map(([name, { area, effect }]) => [`${services[area]}.${name}`, effect] as const),
  [uploaderMethod, 'write'],
]);
