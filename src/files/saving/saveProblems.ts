import { Disposable, EventEmitter, window, workspace } from 'vscode';
import { type FilePlace, keyOf, filePlaceOf } from '../../containers/place';
import { BoundedMap } from '../boundedMap';
import type { SaveScope } from './saves';
import { isSameVersion, type NodeVersion } from './serverFiles';
import type { OpenEdits } from './edits/openEdits';
import { activeFile } from '../tabs';
import { setContextKey } from '../../ui/contextKeys';

/** A failed save that the user can resolve. */
export interface SaveProblem {
  /** Used in message links instead of the URI, because VS Code truncates long messages. */
  readonly id: number;
  readonly kind: 'conflict' | 'pieces';
  readonly place: FilePlace;
  readonly scope: SaveScope;
  /** What the nodes have, as its message says. A choice is only about that. */
  readonly nodes: readonly NodeVersion[];
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
    const isSame = known?.kind === problem.kind && known.scope === problem.scope && areSame(known.nodes, problem.nodes);
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

  /** Call this after a decision about a conflict, which may be over without a save. */
  noteDecision(): void {
    this.changed.fire();
  }

  dispose(): void {
    this.changed.dispose();
  }
}

function areSame(some: readonly NodeVersion[], others: readonly NodeVersion[]): boolean {
  const isIn = ({ node, found }: NodeVersion) =>
    others.some((other) => keyOf(other.node) === keyOf(node) && isSameVersion(other.found, found));
  return some.length === others.length && some.every(isIn);
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
