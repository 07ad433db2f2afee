import { Canceled } from '../../platform/errors';

export function stopIfAborted(signal: AbortSignal): void {
  if (signal.aborted) {
    throw new Canceled('Transfer', { isOutcomeUnknown: false });
  }
}
