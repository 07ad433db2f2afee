import { Canceled } from '../../platform/errors';

/** Works on all items, a limited number at a time. `work` must not reject. Starts no more items after an abort. */
export async function runBounded<T>(
  items: readonly T[],
  limit: number,
  signal: AbortSignal,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const waiting = items.values();
  const worker = async (): Promise<void> => {
    for (const item of waiting) {
      if (signal.aborted) {
        return;
      }
      await work(item);
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker));
}

export function stopIfAborted(signal: AbortSignal): void {
  if (signal.aborted) {
    throw new Canceled('Transfer', { isOutcomeUnknown: false });
  }
}
