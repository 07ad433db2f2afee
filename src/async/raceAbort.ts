/** Settles as the work does, or rejects with `reason` as soon as the signal is aborted. The work itself continues. */
export function raceAbort<T>(work: Promise<T>, signal: AbortSignal, reason: Error): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(reason);
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) {
      stop();
    }
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}
