import type { AnswerOf, OperationName, ParametersOf } from '../../../../src/platform/contract';
import type { Stage } from './stage';

/** What to send, after whatever has to be there first was put there. */
export type Scenario<N extends OperationName> = (stage: Stage) => Promise<ParametersOf<N>> | ParametersOf<N>;

/** How one operation is to behave: what it does, and each way in which it can be refused. */
export interface Conduct<N extends OperationName> {
  readonly works: Scenario<N>;
  /** What shows that it did. */
  readonly shows?: (answer: AnswerOf<N>, stage: Stage) => void | Promise<void>;
  /** By the code that the platform must answer. */
  readonly fails: Readonly<Record<number, Scenario<N>>>;
}

export type Conducts<N extends OperationName> = { readonly [Name in N]: Conduct<Name> };
