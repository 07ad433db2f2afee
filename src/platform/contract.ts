import type { AnswerReader } from './wire/fields';
import { authentication } from './contract/authentication';
import { file, sharing } from './contract/file';
import {
  flag,
  int,
  type Operation,
  type Parameter,
  requiredInt,
  requiredText,
  session,
  text,
  type Area,
} from './contract/operation';
import { vcs } from './contract/vcs';
import { userInfo } from './wire/accounts';
import { containerVariables, currentActions, environment, environments } from './wire/environments';
import { acknowledged, fileText, listing, ranOnNodes } from './wire/files';

const ofEnvironments = { area: 'control', effect: 'read', pace: 'accounts', extra: true } as const;

/** Lists an account's environments. Publicly documented but not in the contract, and many tokens may not call it. */
const discovery = {
  GetEnvs: { ...ofEnvironments, path: 'getenvs', parameters: { session }, answer: environments },
  GetEnvInfo: {
    ...ofEnvironments,
    path: 'getenvinfo',
    parameters: { envName: requiredText, session },
    answer: environment,
  },
} as const satisfies Record<string, Operation>;

/**
 * Restarts the main service of nodes, and lists what's still running. Publicly documented but not in the contract, and
 * many tokens may not call it.
 */
const services = {
  RestartServices: {
    area: 'control',
    effect: 'write',
    pace: 'long',
    extra: true,
    path: 'restartservices',
    parameters: { envName: requiredText, session, nodeGroup: text, nodeId: int, isSequential: flag, delay: int },
    answer: ranOnNodes,
  },
  GetCurrentActions: {
    area: 'tracking',
    effect: 'read',
    pace: 'accounts',
    extra: true,
    path: 'getcurrentactions',
    parameters: { session },
    answer: currentActions,
  },
} as const satisfies Record<string, Operation>;

/** Container variables as a JSON object: names and their values. */
const variables = { ...requiredText, carries: 'variables' } as const satisfies Parameter;
const ofVariables = { area: 'control', pace: 'files', extra: true } as const;
const somewhere = { envName: requiredText, session, nodeGroup: text, nodeId: int } as const;

/**
 * Container variables. Publicly documented but not in the contract, and many tokens may not call it. There's also
 * SetContainerEnvVars, which replaces everything, PATH included: Gantry never sends it.
 */
const containerVariableOperations = {
  GetContainerEnvVars: {
    ...ofVariables,
    effect: 'read',
    path: 'getcontainerenvvars',
    parameters: { envName: requiredText, session, nodeId: requiredInt },
    answer: containerVariables,
  },
  AddContainerEnvVars: {
    ...ofVariables,
    effect: 'write',
    path: 'addcontainerenvvars',
    parameters: { ...somewhere, vars: variables },
    answer: acknowledged,
  },
  RemoveContainerEnvVars: {
    ...ofVariables,
    effect: 'write',
    path: 'removecontainerenvvars',
    parameters: { ...somewhere, vars: requiredText },
    answer: acknowledged,
  },
} as const satisfies Record<string, Operation>;

const log = { envName: requiredText, session, nodeId: requiredInt, path: requiredText } as const;

/** Logs of nodes. Publicly documented but not in the contract, and many tokens may not call it. */
const logs = {
  GetLogs: {
    area: 'control',
    effect: 'read',
    pace: 'files',
    extra: true,
    path: 'getlogs',
    parameters: log,
    answer: listing,
  },
  ReadLog: {
    area: 'control',
    effect: 'read',
    pace: 'files',
    extra: true,
    path: 'readlog',
    parameters: { ...log, from: int, count: int },
    answer: fileText,
  },
} as const satisfies Record<string, Operation>;

/** The user's own account. Publicly documented but not in the contract, and many tokens may not call it. */
const profile = {
  GetUserInfo: {
    area: 'account',
    effect: 'read',
    pace: 'accounts',
    extra: true,
    path: 'getuserinfo',
    parameters: { session },
    answer: userInfo,
  },
} as const satisfies Record<string, Operation>;

/** All operations of the service: the 40 in the contract, and extra ones that aren't. */
export const operations = {
  ...authentication,
  ...vcs,
  ...file,
  ...sharing,
  ...discovery,
  ...services,
  ...containerVariableOperations,
  ...logs,
  ...profile,
} as const satisfies Record<string, Operation>;

export type OperationName = keyof typeof operations;

type ValueOf<P extends Parameter> = P extends { readonly values: readonly (infer V)[] }
  ? V
  : { string: string; int: number; boolean: boolean }[P['type']];

type RequiredNames<P extends Readonly<Record<string, Parameter>>> = {
  [K in keyof P]: P[K]['required'] extends true ? K : never;
}[keyof P];

type ParametersIn<P extends Readonly<Record<string, Parameter>>> = {
  readonly [K in RequiredNames<P>]: ValueOf<P[K]>;
} & {
  readonly [K in Exclude<keyof P, RequiredNames<P>>]?: ValueOf<P[K]> | undefined;
};

type SignedInParametersIn<P extends Readonly<Record<string, Parameter>>> = ParametersIn<{
  readonly [K in Exclude<keyof P, 'session'>]: P[K];
}>;

type AnswerIn<A extends AnswerReader<unknown>> = A extends AnswerReader<infer T> ? T : never;

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
  account: 'users.account',
  tracking: 'environment.tracking',
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

/** The operations that Gantry calls with an account's token, by purpose. */
export const operationsByPurpose = {
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
export const documentedOperations: readonly OperationName[] = Object.values(operationsByPurpose).flat();
