import type { AnswerReader } from './wire/answer';
import { authentication } from './contract/authentication';
import { discovery } from './contract/discovery';
import { file } from './contract/file';
import type { AnswerIn, Operation, ParametersIn, SignedInParametersIn } from './contract/operation';
import { sharing } from './contract/sharing';
import { vcs } from './contract/vcs';

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
