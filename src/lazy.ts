import { l10n } from 'vscode';
import { SharedCalls } from './async/sharedCalls';

/** What others may do with a feature or services: use them, which loads their code, or only what is loaded. */
export interface Loadable<T> {
  /** Undefined if it isn't loaded yet. */
  readonly loaded: T | undefined;
  /** Calls the listener as soon as it's loaded, before its first use. */
  whenLoaded(listener: (loaded: T) => void): void;
  load(): Promise<T>;
  /** Calls `work` synchronously if it's loaded, because a save depends on what is open at that moment. */
  use<R>(work: (loaded: T) => R): Promise<Awaited<R>>;
}

/** A feature or services whose code is loaded once, on first use, to keep startup fast. After a failure, the next use retries. */
export class Lazy<T> implements Loadable<T> {
  private readonly loading = new SharedCalls<T>('untilForgotten');
  private current: T | undefined;
  private readonly listeners: ((loaded: T) => void)[] = [];

  constructor(private readonly create: () => Promise<T>) {}

  get loaded(): T | undefined {
    return this.current;
  }

  whenLoaded(listener: (loaded: T) => void): void {
    if (this.current === undefined) {
      this.listeners.push(listener);
    } else {
      listener(this.current);
    }
  }

  load(): Promise<T> {
    return this.loading.share('load', async () => {
      const loaded = (this.current ??= await this.create().catch(rejectAsNotLoaded));
      const failures: unknown[] = [];
      for (const listener of this.listeners.splice(0)) {
        try {
          listener(loaded);
        } catch (error) {
          failures.push(error);
        }
      }
      // The listeners are called only once, so one that fails must not keep the others from it.
      if (failures.length > 0) {
        throw failures[0];
      }
      return loaded;
    });
  }

  async use<R>(work: (loaded: T) => R): Promise<Awaited<R>> {
    return await (this.current === undefined ? this.load().then(work) : work(this.current));
  }
}

class NotLoaded extends Error {}

/** Keeps the first error if something that this depends on can't be loaded. */
function rejectAsNotLoaded(cause: unknown): never {
  if (cause instanceof NotLoaded) {
    throw cause;
  }
  // After the first line, Node lists the files that required each other.
  const [reason = ''] = (cause instanceof Error ? cause.message : String(cause)).split('\n');
  throw new NotLoaded(l10n.t("Couldn't load part of Gantry ({0}). Reload the window.", reason.replace(/\.$/, '')), {
    cause,
  });
}
