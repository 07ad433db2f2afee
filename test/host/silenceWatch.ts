export interface SilenceWatch {
  /** Settles when `restart` wasn't called in time, with how long that was, in milliseconds. */
  readonly silent: Promise<number>;
  /** Starts waiting again. What is running now may take this much longer than usual. */
  restart(more: number): void;
  stop(): void;
}

/** The least time for the first call of `restart`, in milliseconds. */
const firstTime = 60_000;

/** @param usual how long the silence may be, in milliseconds */
export function silenceWatch(usual: number): SilenceWatch {
  const state: { timer: NodeJS.Timeout | undefined; settle: (time: number) => void } = {
    timer: undefined,
    settle: () => undefined,
  };
  const silent = new Promise<number>((resolve) => (state.settle = resolve));
  const wait = (time: number): void => {
    clearTimeout(state.timer);
    state.timer = setTimeout(state.settle, time, time);
  };
  wait(Math.max(usual, firstTime));
  return { silent, restart: (more) => wait(usual + more), stop: () => clearTimeout(state.timer) };
}
