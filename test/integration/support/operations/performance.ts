import type { OperationName } from '../../../../src/platform/contract';
import type { Stage } from './stage';

/** How a person reaches one operation, and what comes of it on the platform. */
export interface Performance {
  readonly operation: OperationName;
  /** A sentence about the platform that `play` has shown to be true. */
  readonly effect: string;
  /** Makes the gesture, and demands the effect. */
  readonly play: (stage: Stage) => Promise<void>;
}
