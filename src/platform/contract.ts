import type { AnswerReader } from './wire/fields';
import { authentication } from './contract/authentication';
import { file } from './contract/file';
import {
  type AnswerIn,
  type Operation,
  type ParametersIn,
  requiredText,
  session,
  type SignedInParametersIn,
} from './contract/operation';
import { sharing } from './contract/sharing';
import { vcs } from './contract/vcs';
import { environment, environments } from './wire/environments';

const listing = { area: 'control', effect: 'read', pace: 'accounts', extra: true } as const;

/** What environments an account has. Not in the contract, publicly documented; a token may well not permit it. */
const discovery = {
  GetEnvs: { ...listing, path: 'getenvs', parameters: { session }, answer: environments },
  GetEnvInfo: { ...listing, path: 'getenvinfo', parameters: { envName: requiredText, session }, answer: environment },
} as const satisfies Record<string, Operation>;

/** Everything that the service can be asked: the contract's 40 operations, and as extras the two that list environments. */
export const operations = {
  ...authentication,
  ...vcs,
  ...file,
  ...sharing,
  ...discovery,
} as const satisfies Record<string, Operation>;

export type OperationName = keyof typeof operations;
export type ParametersOf<N extends OperationName> = ParametersIn<(typeof operations)[N]['parameters']>;
/** What a signed-in caller gives: everything but the session. */
export type SignedInParametersOf<N extends OperationName> = SignedInParametersIn<(typeof operations)[N]['parameters']>;
export type AnswerOf<N extends OperationName> = AnswerIn<(typeof operations)[N]['answer']>;

/** The operations without their literal types, for code that treats all of them alike. */
export type AnyOperation<N extends OperationName> = Omit<Operation, 'answer'> & {
  readonly answer: AnswerReader<AnswerOf<N>>;
};
export const operationsByName: { readonly [N in OperationName]: AnyOperation<N> } = operations;
