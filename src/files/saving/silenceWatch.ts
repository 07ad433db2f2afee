import { timeToSend } from '../../platform/client';
import { Cancelled } from '../../platform/errors';
import type { SavingFiles } from './serverVersion';

export interface SilenceWatchDeps {
  readonly files: SavingFiles;
  /** Milliseconds without an answer until the person is told. */
  readonly patience: number;
  /** Whether a question to the person, and not the platform, is what the save waits for. */
  isAsking(): boolean;
  /** The platform has not answered for a while. The save ends when `stop` is called. */
  onSilence(stop: () => void): void;
}

export interface WatchedFiles {
  readonly files: SavingFiles;
  /** To be called when the save is over. */
  end(): void;
}

/** Notices when the platform stops answering during a save, and lets the person give it up. After that nothing is sent any more. */
export function watchSilence(deps: SilenceWatchDeps): WatchedFiles {
  const { files, patience } = deps;
  const stopping = new AbortController();
  const { signal } = stopping;
  const state: { timer?: NodeJS.Timeout; wasTold: boolean } = { wasTold: false };
  const wait = (milliseconds: number): void => {
    clearTimeout(state.timer);
    state.timer = setTimeout(() => {
      if (deps.isAsking()) {
        wait(patience);
      } else if (!state.wasTold) {
        state.wasTold = true;
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
      // Others may wait for the same listing, so only this wait for it ends.
      lookUp: (file) => answered(() => Promise.race([files.lookUp(file), rejectedBy(signal)])),
      write: (file, text) => answered(() => files.write(file, text, { signal }), text.length),
    },
    end: () => {
      clearTimeout(state.timer);
      // Lets go of the waits; nothing is under way any more.
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
  // Whoever still waits for it learns of it; at the end of a save there may be nobody.
  rejected.catch(() => undefined);
  return rejected;
}
