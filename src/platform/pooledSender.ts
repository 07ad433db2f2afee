import type { PoolSettings, SenderPool } from './sender';

/** Sends through a pool that is loaded and opened by the first request: starting up needs none. */
export function createPooledSender(settings: PoolSettings): SenderPool {
  const state: { pool?: SenderPool } = {};
  return {
    send: async (request) => {
      const { openPool } = await import('./poolSender');
      state.pool ??= openPool(settings);
      return state.pool.send(request);
    },
    close: async () => {
      const { pool } = state;
      delete state.pool;
      await pool?.close();
    },
  };
}
