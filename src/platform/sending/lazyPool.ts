import type { openPool } from './undiciPool';
import type { PoolSettings, SenderPool } from './sender';

/** Sends through a pool that is loaded and opened by the first request: starting up needs none. */
export function createPooledSender(settings: PoolSettings): SenderPool {
  const state: { open?: typeof openPool; pool?: SenderPool } = {};
  return {
    send: async (request) => {
      // Import only once, because a loader may resolve the module again at each import.
      state.open ??= (await import('./undiciPool')).openPool;
      state.pool ??= state.open(settings);
      return state.pool.send(request);
    },
    close: async () => {
      const { pool } = state;
      delete state.pool;
      await pool?.close();
    },
  };
}
