import type { PoolSettings, SenderPool } from './sender';

/** Sends through a pool that is loaded and opened by the first request: starting up needs none. */
export function createPooledSender(settings: PoolSettings): SenderPool {
  let opening: Promise<SenderPool> | undefined;
  const open = async (): Promise<SenderPool> => (await import('./poolSender')).openPool(settings);
  return {
    send: async (request) => {
      opening ??= open();
      return (await opening).send(request);
    },
    close: async () => {
      const opened = opening;
      opening = undefined;
      await (await opened)?.close();
    },
  };
}
