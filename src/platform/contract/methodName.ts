import { type OperationName, operations } from '../contract';
import type { Area } from './operation';

const services: Readonly<Record<Area, string>> = {
  authentication: 'users.authentication',
  vcs: 'environment.vcs',
  file: 'environment.file',
  control: 'environment.control',
};

/** What the `apiList` of a token calls an operation: `environment.file.Read`. */
export function methodOf(operation: OperationName): string {
  return `${services[operations[operation].area]}.${operation}`;
}

/** What takes bytes that are no text; it is no operation of the service's, but a method that a token may lack. */
export const uploaderMethod = 'storage.uploader.Upload';
