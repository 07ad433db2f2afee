import type { AnswerOf, OperationName, ParametersOf } from '../../../../src/platform/contract';
import type { Stage } from './stage';

/** Prepares the platform and returns the parameters to send. */
export type Scenario<N extends OperationName> = (stage: Stage) => Promise<ParametersOf<N>> | ParametersOf<N>;

/** The expected behavior of one operation: its success, and each way in which it fails. */
export interface Conduct<N extends OperationName> {
  readonly works: Scenario<N>;
  /** Asserts that the operation succeeded. */
  readonly shows?: (answer: AnswerOf<N>, stage: Stage) => void | Promise<void>;
  /** Scenarios by the code that the platform must return. */
  readonly fails: Readonly<Record<number, Scenario<N>>>;
}

export type Conducts<N extends OperationName> = { readonly [Name in N]: Conduct<Name> };
