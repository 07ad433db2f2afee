export interface SilenceWatch {
  /** Settles when `restart` wasn't called within the limit. */
  readonly silent: Promise<void>;
  /** Waits anew, for this long if that's more than the limit. */
  restart(least?: number): void;
  stop(): void;
}

/** The limit for the first call of `restart`, in milliseconds, if the configured limit is shorter. */
const firstLimit = 60_000;

export function silenceWatch(limit: number): SilenceWatch {
  const state: { timer: NodeJS.Timeout | undefined; settle: () => void } = {
    timer: undefined,
    settle: () => undefined,
  };
  const silent = new Promise<void>((resolve) => (state.settle = resolve));
  const wait = (milliseconds: number): void => {
    clearTimeout(state.timer);
    state.timer = setTimeout(state.settle, milliseconds);
  };
  wait(Math.max(limit, firstLimit));
  return { silent, restart: (least = 0) => wait(Math.max(limit, least)), stop: () => clearTimeout(state.timer) };
}
