import type { AnswerReader } from './wire/fields';
import { authentication } from './contract/authentication';
import { file, sharing } from './contract/file';
import {
  type AnswerIn,
  flag,
  int,
  type Operation,
  type ParametersIn,
  requiredText,
  session,
  type SignedInParametersIn,
  text,
  type Area,
} from './contract/operation';
import { vcs } from './contract/vcs';
import { environment, environments } from './wire/environments';
import { ranOnNodes } from './wire/files';

const listing = { area: 'control', effect: 'read', pace: 'accounts', extra: true } as const;

/** Lists an account's environments. Publicly documented but not in the contract, and many tokens may not call it. */
const discovery = {
  GetEnvs: { ...listing, path: 'getenvs', parameters: { session }, answer: environments },
  GetEnvInfo: { ...listing, path: 'getenvinfo', parameters: { envName: requiredText, session }, answer: environment },
} as const satisfies Record<string, Operation>;

/** Restarts the main service of nodes. Publicly documented but not in the contract, and many tokens may not call it. */
const services = {
  RestartServices: {
    ...{ area: 'control', effect: 'write', pace: 'long', extra: true, path: 'restartservices' },
    parameters: { envName: requiredText, session, nodeGroup: text, nodeId: int, isSequential: flag, delay: int },
    answer: ranOnNodes,
  },
} as const satisfies Record<string, Operation>;

/** All operations of the service: the 40 in the contract, and extra ones that list environments and restart services. */
export const operations = {
  ...authentication,
  ...vcs,
  ...file,
  ...sharing,
  ...discovery,
  ...services,
} as const satisfies Record<string, Operation>;

export type OperationName = keyof typeof operations;
export type ParametersOf<N extends OperationName> = ParametersIn<(typeof operations)[N]['parameters']>;
/** A signed-in caller's parameters: all except the session. */
export type SignedInParametersOf<N extends OperationName> = SignedInParametersIn<(typeof operations)[N]['parameters']>;
export type AnswerOf<N extends OperationName> = AnswerIn<(typeof operations)[N]['answer']>;

/** The operations without their literal types, for code that treats them all alike. */
type AnyOperation<N extends OperationName> = Omit<Operation, 'answer'> & {
  readonly answer: AnswerReader<AnswerOf<N>>;
};
export const operationsByName: { readonly [N in OperationName]: AnyOperation<N> } = operations;

const methodPrefixes: Readonly<Record<Area, string>> = {
  authentication: 'users.authentication',
  vcs: 'environment.vcs',
  file: 'environment.file',
  control: 'environment.control',
};

/** Returns an operation's name in a token's `apiList`, such as `environment.file.Read`. */
export function methodOf(operation: OperationName): string {
  return `${methodPrefixes[operations[operation].area]}.${operation}`;
}

/** The method for uploading binary data. It isn't an operation of the service, but a token may lack it. */
export const uploaderMethod = 'storage.uploader.Upload';

/** What each method that Gantry knows does: read, or change something. */
export const methodEffects: ReadonlyMap<string, Operation['effect']> = new Map([
  ...Object.entries(operations).map(([name, { area, effect }]) => [`${methodPrefixes[area]}.${name}`, effect] as const),
  [uploaderMethod, 'write'],
]);
