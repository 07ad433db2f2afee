import type { OperationName } from '../../../../src/platform/contract';
import type { Stage } from './stage';

/**
 * How a user runs one operation, and its effect on the platform. Each performance creates the data it needs without the
 * extension, under unique names, so that performances can run alone and in any order.
 */
export interface Performance {
  readonly operation: OperationName;
  /** A sentence about the platform that `play` proves. */
  readonly effect: string;
  /** Performs the gesture and asserts the effect. */
  readonly play: (stage: Stage) => Promise<void>;
}
