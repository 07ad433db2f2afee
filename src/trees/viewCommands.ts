import type { ProblemElement } from './sharedElement';

/** What rows of all views have in common. */
export const viewCommands = {
  async 'gantry.view.retry'(received: unknown) {
    if (canRetry(received)) {
      await received.retry();
    }
  },
};

function canRetry(received: unknown): received is Pick<ProblemElement, 'retry'> {
  return (
    typeof received === 'object' && received !== null && 'retry' in received && typeof received.retry === 'function'
  );
}
