export interface SilenceWatch {
  /** Settles when nothing was heard for too long. */
  readonly silent: Promise<void>;
  heard(): void;
  stop(): void;
}

export function silenceWatch(limit: number): SilenceWatch {
  const state: { timer: NodeJS.Timeout | undefined; settle: () => void } = {
    timer: undefined,
    settle: () => undefined,
  };
  const silent = new Promise<void>((resolve) => (state.settle = resolve));
  const heard = (): void => {
    clearTimeout(state.timer);
    state.timer = setTimeout(state.settle, limit);
  };
  heard();
  return { silent, heard, stop: () => clearTimeout(state.timer) };
}
