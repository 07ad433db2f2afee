import { type Disposable, EventEmitter } from 'vscode';
import { type FilePlace, keyOf } from '../../containers/place';
import type { Reach } from './saves';

/** A failed save that the user can resolve. */
export interface SaveProblem {
  /** Used in message links instead of the URI, because VS Code truncates long messages. */
  readonly id: number;
  readonly kind: 'conflict' | 'pieces';
  readonly place: FilePlace;
  readonly reach: Reach;
}

const mostKept = 100;

/** The last unresolved save of each file. */
export class SaveProblems implements Disposable {
  private readonly problems = new Map<string, SaveProblem>();
  private readonly changed = new EventEmitter<void>();
  readonly onDidChange = this.changed.event;
  private count = 0;

  /** The same problem again keeps its ID, so that earlier links to it still work. */
  add(problem: Omit<SaveProblem, 'id'>): SaveProblem {
    const key = keyOf(problem.place);
    const known = this.problems.get(key);
    const isSame = known?.kind === problem.kind && known.reach === problem.reach;
    this.count += isSame ? 0 : 1;
    const added = { ...problem, id: isSame ? known.id : this.count };
    this.problems.delete(key);
    this.problems.set(key, added);
    for (const oldest of this.problems.keys()) {
      if (this.problems.size <= mostKept) {
        break;
      }
      this.problems.delete(oldest);
    }
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
