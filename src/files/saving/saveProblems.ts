import { Disposable, EventEmitter, window, workspace } from 'vscode';
import { type FilePlace, keyOf, filePlaceOf } from '../../containers/place';
import { BoundedMap } from '../boundedMap';
import type { SaveScope } from './saves';
import type { OpenEdits } from './edits/openEdits';
import { activeFile } from '../tabs';
import { setContextKey } from '../../ui/contextKeys';
import { setTimeout as pause } from 'node:timers/promises';
import { isPlatformError } from '../../platform/errors';
import { holdsText, readNodeVersions, type ReadFiles } from './serverFiles';

/** A failed save that the user can resolve. */
export interface SaveProblem {
  /** Used in message links instead of the URI, because VS Code truncates long messages. */
  readonly id: number;
  readonly kind: 'conflict' | 'pieces';
  readonly place: FilePlace;
  readonly scope: SaveScope;
}

const maxKept = 100;

/** The last unresolved save of each file. */
export class SaveProblems implements Disposable {
  private readonly problems = new BoundedMap<string, SaveProblem>(maxKept);
  private readonly changed = new EventEmitter<void>();
  readonly onDidChange = this.changed.event;
  private count = 0;

  /** The same problem again keeps its ID, so that earlier links to it still work. */
  add(problem: Omit<SaveProblem, 'id'>): SaveProblem {
    const key = keyOf(problem.place);
    const known = this.problems.get(key);
    const isSame = known?.kind === problem.kind && known.scope === problem.scope;
    this.count += isSame ? 0 : 1;
    const added = { ...problem, id: isSame ? known.id : this.count };
    this.problems.set(key, added);
    this.changed.fire();
    return added;
  }

  of(place: FilePlace): SaveProblem | undefined {
    return this.problems.get(keyOf(place));
  }

  find(id: number): SaveProblem | undefined {
    return [...this.problems.values()].find((problem) => problem.id === id);
  }

  delete(place: FilePlace): void {
    if (this.problems.delete(keyOf(place))) {
      this.changed.fire();
    }
  }

  dispose(): void {
    this.changed.dispose();
  }
}

/** Offers the actions for a failed save in the editor title and the Command Palette, even after its notification is gone. */
export function offerSaveProblems(problems: SaveProblems, edits: OpenEdits): Disposable {
  let shown: SaveProblem['kind'] | undefined;
  const update = () => {
    const kind = problemOfActiveFile(problems, edits)?.kind;
    if (kind !== shown) {
      shown = kind;
      void setContextKey('gantry.saveProblem', kind ?? 'none');
    }
  };
  return Disposable.from(
    problems.onDidChange(update),
    window.onDidChangeActiveTextEditor(update),
    window.tabGroups.onDidChangeTabs(update),
    window.tabGroups.onDidChangeTabGroups(update),
    // A revert ends the conflict.
    workspace.onDidChangeTextDocument(update),
  );
}

function problemOfActiveFile(problems: SaveProblems, edits: OpenEdits): SaveProblem | undefined {
  const uri = activeFile();
  const place = uri && filePlaceOf(uri);
  const problem = place && problems.of(place);
  const isOver = problem?.kind === 'conflict' && edits.conflictOf(problem.place).length === 0;
  return isOver ? undefined : problem;
}

/** The result of a save whose outcome was unknown. */
export interface LookedUpSave {
  readonly place: FilePlace;
  readonly text: string;
  readonly isSaved: boolean;
}

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
      isDirty(place: FilePlace): boolean;
      /** The pauses between checks, in milliseconds; the last one repeats. */
      pauses(): readonly number[];
    },
  ) {}

  /** @param target the scope of the save: the file's own node, or its whole layer */
  note(place: FilePlace, target: FilePlace, text: string): void {
    this.forget(place);
    const stopping = new AbortController();
    this.underway.set(keyOf(place), stopping);
    void this.lookUntilKnown({ place, target, text }, stopping.signal).then((isSaved) => {
      if (isSaved !== undefined && !stopping.signal.aborted) {
        this.underway.delete(keyOf(place));
        this.lookedUp.fire({ place, text, isSaved });
      }
    });
  }

  /** Stops the check, for example because a later save checks for itself. */
  forget(place: FilePlace): void {
    this.underway.get(keyOf(place))?.abort();
    this.underway.delete(keyOf(place));
  }

  dispose(): void {
    for (const stopping of this.underway.values()) {
      stopping.abort();
    }
    this.lookedUp.dispose();
  }

  /** Returns `undefined` if the check was stopped, or if repeating it is pointless. */
  private async lookUntilKnown(
    { place, target, text }: { readonly place: FilePlace; readonly target: FilePlace; readonly text: string },
    signal: AbortSignal,
  ): Promise<boolean | undefined> {
    let missing = 0;
    for (let look = 0; ; look++) {
      const pauses = this.deps.pauses();
      // An abort only ends the pause early.
      await pause(pauses[Math.min(look, pauses.length - 1)] ?? 0, undefined, { signal }).catch(() => undefined);
      if (signal.aborted || !this.deps.isDirty(place)) {
        return undefined;
      }
      try {
        const nodes = await readNodeVersions(this.deps.files, await this.deps.nodesOf(target));
        if (nodes.every(({ found }) => holdsText(found, text))) {
          return true;
        }
        missing += 1;
        if (missing >= looksUntilMissing) {
          return false;
        }
      } catch (error) {
        if (!isPlatformError(error) || !mayAnswerLater.has(error.kind)) {
          // The next save reports what's wrong.
          return undefined;
        }
      }
    }
  }
}

/** The write may still arrive after the platform responds to a check. */
const looksUntilMissing = 3;

const mayAnswerLater: ReadonlySet<string> = new Set(['timeout', 'unreachable', 'protocol', 'unauthenticated']);
