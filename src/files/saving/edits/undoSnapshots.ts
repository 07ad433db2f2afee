import type { Base } from '../baseVersion';
import type { Found } from '../serverVersion';
import { plain } from '../../text';

/** A text that undo or redo may bring back, and what it began with. */
export interface UndoSnapshot {
  readonly text: string;
  readonly base: Base | Promise<Base>;
  readonly accepted: readonly Found[];
}

const mostKept = 10;

/** Texts of one document that began with something else than what it shows now. */
export class UndoSnapshots {
  private snapshots: readonly UndoSnapshot[] = [];

  add({ text, base, accepted }: UndoSnapshot): void {
    const shown = plain(text);
    const others = this.snapshots.filter((one) => one.text !== shown);
    this.snapshots = [...others, { text: shown, base, accepted }].slice(-mostKept);
  }

  find(text: () => string): UndoSnapshot | undefined {
    if (this.snapshots.length === 0) {
      return undefined;
    }
    const shown = plain(text());
    return this.snapshots.findLast((one) => one.text === shown);
  }

  clear(): void {
    this.snapshots = [];
  }
}
