export interface SilenceWatch {
  /** Settles when nothing was heard for too long. */
  readonly silent: Promise<void>;
  heard(): void;
  stop(): void;
}

/** What is to be heard of may take this long to begin, however short the limit is. */
const beginning = 60_000;

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
  wait(Math.max(limit, beginning));
  return { silent, heard: () => wait(limit), stop: () => clearTimeout(state.timer) };
}
