import { setTimeout as pause } from 'node:timers/promises';
import { type Disposable, EventEmitter } from 'vscode';
import { isCanceled, isPlatformError } from '../../platform/errors';
import { type FilePlace, keyOf } from '../../containers/place';
import type { FileWriter } from '../provider/writeFile';
import type { SaveOutcome } from './saveFile';
import { writeTargetOf } from './saves';
import { holdsText, type NodeVersion, readNodeVersions, type ReadFiles } from './serverFiles';

/** The result of a save whose outcome was unknown. */
export interface LookedUpSave {
  readonly place: FilePlace;
  readonly text: string;
  /** `undefined` if that can't be found out. */
  readonly isSaved: boolean | undefined;
  /** Why it can't be. */
  readonly cause?: unknown;
}

type Finding = Pick<LookedUpSave, 'isSaved' | 'cause'>;

/** Checks the result of saves with an unknown outcome as soon as the platform responds again. Writes nothing. */
export class UncertainSaves implements Disposable {
  private readonly underway = new Map<string, AbortController>();
  private readonly lookedUp = new EventEmitter<LookedUpSave>();
  readonly onDidLookUp = this.lookedUp.event;

  constructor(
    private readonly deps: {
      readonly files: ReadFiles;
      /** The same file on each node that a write to the place reaches. */
      nodesOf(place: FilePlace): Promise<readonly FilePlace[]>;
      /** The pauses between checks, in milliseconds; the last one repeats. */
      pauses(): readonly number[];
      /** Called with what the nodes have. Resolves once what a save turns out to have made is noted. */
      onDidCheck(found: readonly NodeVersion[]): Promise<void>;
    },
  ) {}

  /** Checks each document's save that ended like this, until its next save, which checks for itself. */
  follow({ onWillSave }: FileWriter): Disposable {
    return onWillSave(({ place, job, source, outcome }) => {
      if (source !== 'document') {
        return;
      }
      this.forget(place);
      const look = ({ kind }: SaveOutcome) => {
        if (kind === 'unknown') {
          this.note(place, writeTargetOf(place, job.scope), job.text);
        }
      };
      // The save's own caller gets its error.
      outcome.then(look, () => undefined);
    });
  }

  /** @param target the scope of the save: the file's own node, or its whole layer */
  note(place: FilePlace, target: FilePlace, text: string): void {
    this.forget(place);
    const stopping = new AbortController();
    this.underway.set(keyOf(place), stopping);
    void this.lookUntilKnown({ target, text }, stopping.signal).then((finding) => {
      if (finding !== undefined && !stopping.signal.aborted) {
        this.underway.delete(keyOf(place));
        this.lookedUp.fire({ place, text, ...finding });
      }
    });
  }

  private forget(place: FilePlace): void {
    this.underway.get(keyOf(place))?.abort();
    this.underway.delete(keyOf(place));
  }

  dispose(): void {
    for (const stopping of this.underway.values()) {
      stopping.abort();
    }
    this.lookedUp.dispose();
  }

  /**
   * Returns `undefined` if the check was stopped. Gives up if repeating it is pointless. Goes on if the document was
   * reverted, because a save that succeeded must be recorded.
   */
  private async lookUntilKnown(
    { target, text }: { readonly target: FilePlace; readonly text: string },
    signal: AbortSignal,
  ): Promise<Finding | undefined> {
    let missing = 0;
    for (let look = 0; ; look++) {
      const pauses = this.deps.pauses();
      // An abort only ends the pause early.
      await pause(pauses[Math.min(look, pauses.length - 1)] ?? 0, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) {
        return undefined;
      }
      try {
        const nodes = await readNodeVersions(this.deps.files, await this.deps.nodesOf(target));
        await this.deps.onDidCheck(nodes);
        if (nodes.every(({ found }) => holdsText(found, text))) {
          return { isSaved: true };
        }
        missing += 1;
        if (missing >= looksUntilMissing) {
          return { isSaved: false };
        }
      } catch (error) {
        if (!isPlatformError(error) || !mayAnswerLater.has(error.kind)) {
          return isCanceled(error) ? undefined : { isSaved: undefined, cause: error };
        }
      }
    }
  }
}

/** The write may still arrive after the platform responds to a check. */
const looksUntilMissing = 3;

/** An environment that doesn't run isn't asked again, because a read could wake it up. */
const mayAnswerLater: ReadonlySet<string> = new Set(['timeout', 'unreachable', 'protocol', 'unauthenticated']);
