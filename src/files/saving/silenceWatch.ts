import { timeToSend } from '../../platform/client';
import { Cancelled } from '../../platform/errors';
import type { SavingFiles } from './serverVersion';

export interface SilenceWatchDeps {
  readonly files: SavingFiles;
  /** Milliseconds without a response until the user is notified. */
  readonly patience: number;
  /** Whether the save is waiting for the user to answer a question, not for the platform. */
  isAsking(): boolean;
  /** Called when the platform hasn't responded for a while. `stop` cancels the save. */
  onSilence(stop: () => void): void;
}

export interface WatchedFiles {
  readonly files: SavingFiles;
  /** Waits for work that sends nothing to the file itself. Rejects when the user stops waiting. */
  waitFor<T>(work: Promise<T>): Promise<T>;
  /** To be called when the save is over. */
  end(): void;
}

/** Detects that the platform has stopped responding during a save, and lets the user cancel it. After that, nothing more is sent. */
export function watchSilence(deps: SilenceWatchDeps): WatchedFiles {
  const { files, patience } = deps;
  const stopping = new AbortController();
  const { signal } = stopping;
  const state: { timer?: NodeJS.Timeout; isOver: boolean } = { isOver: false };
  const wait = (milliseconds: number): void => {
    clearTimeout(state.timer);
    if (state.isOver) {
      return;
    }
    state.timer = setTimeout(() => {
      if (deps.isAsking()) {
        wait(patience);
      } else {
        // The user is told only once.
        state.isOver = true;
        deps.onSilence(() => stopping.abort());
      }
    }, milliseconds);
  };
  const answered = async <T>(work: () => Promise<T>, bytes = 0): Promise<T> => {
    if (signal.aborted) {
      throw notSent();
    }
    wait(patience + timeToSend(bytes));
    try {
      return await work();
    } finally {
      wait(patience);
    }
  };
  wait(patience);
  return {
    files: {
      read: (file) => answered(() => files.read(file, { signal })),
      // Other callers may share this listing, so stop only this wait.
      lookUp: (file) => answered(() => Promise.race([files.lookUp(file), rejectedBy(signal)])),
      write: (file, text) => answered(() => files.write(file, text, { signal }), text.length),
    },
    waitFor: (work) => Promise.race([work, rejectedBy(signal)]),
    end: () => {
      state.isOver = true;
      clearTimeout(state.timer);
      // Releases the waits; nothing is in progress anymore.
      stopping.abort();
    },
  };
}

function notSent(): Cancelled {
  return new Cancelled('Save', { fateUnknown: false });
}

function rejectedBy(signal: AbortSignal): Promise<never> {
  const rejected = new Promise<never>((_, reject) =>
    signal.addEventListener('abort', () => reject(notSent()), { once: true }),
  );
  // Callers still get the rejection. At the end of a save there may be none left, which is fine.
  rejected.catch(() => undefined);
  return rejected;
}
