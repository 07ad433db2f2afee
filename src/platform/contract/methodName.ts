import type { OperationName } from '../contract';
import { operations } from '../contract';
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

/** The same for the operation of an error, which may be none of the service's, such as the uploader. */
export function methodNamed(operation: string): string {
  return isOperation(operation) ? methodOf(operation) : operation;
}

function isOperation(name: string): name is OperationName {
  return Object.hasOwn(operations, name);
}
