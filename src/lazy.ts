import { l10n } from 'vscode';
import { SharedCalls } from './async/sharedCalls';

/** What others may do with a feature: use it, which loads its code, or only what is loaded. */
export interface Loadable<T> {
  /** The feature, or undefined if it isn't loaded yet. */
  readonly loaded: T | undefined;
  /** Calls the listener as soon as the feature is loaded, before its first use. */
  whenLoaded(listener: (feature: T) => void): void;
  load(): Promise<T>;
  /** Calls `work` synchronously if the feature is loaded, because a save depends on what is open at that moment. */
  use<R>(work: (feature: T) => R): Promise<Awaited<R>>;
}

/** A feature whose code is loaded once, on first use, to keep startup fast. After a failure, the next use retries. */
export class Lazy<T> implements Loadable<T> {
  private readonly loading = new SharedCalls<T>('untilForgotten');
  private current: T | undefined;
  private readonly listeners: ((feature: T) => void)[] = [];

  constructor(private readonly wire: () => Promise<T>) {}

  get loaded(): T | undefined {
    return this.current;
  }

  whenLoaded(listener: (feature: T) => void): void {
    if (this.current === undefined) {
      this.listeners.push(listener);
    } else {
      listener(this.current);
    }
  }

  load(): Promise<T> {
    return this.loading.share('load', async () => {
      const feature = (this.current ??= await this.wire().catch(rejectAsNotLoaded));
      this.listeners.splice(0).forEach((listener) => listener(feature));
      return feature;
    });
  }

  async use<R>(work: (feature: T) => R): Promise<Awaited<R>> {
    return await (this.current === undefined ? this.load().then(work) : work(this.current));
  }
}

class NotLoaded extends Error {}

/** Keeps the first error if a feature that this one depends on can't be loaded. */
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
