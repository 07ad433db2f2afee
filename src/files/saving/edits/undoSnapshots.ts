import type { BaseVersion } from '../baseVersion';
import type { ServerVersion } from '../serverVersion';
import { normalizeText } from '../../text';

/** A text that undo or redo may bring back, and what it began with. */
export interface UndoSnapshot {
  readonly text: string;
  readonly base: BaseVersion | Promise<BaseVersion>;
  readonly accepted: readonly ServerVersion[];
}

const mostKept = 10;

/** Texts of one document that began with something else than what it shows now. */
export class UndoSnapshots {
  private snapshots: readonly UndoSnapshot[] = [];

  add({ text, base, accepted }: UndoSnapshot): void {
    const shown = normalizeText(text);
    const others = this.snapshots.filter((one) => one.text !== shown);
    this.snapshots = [...others, { text: shown, base, accepted }].slice(-mostKept);
  }

  find(text: () => string): UndoSnapshot | undefined {
    if (this.snapshots.length === 0) {
      return undefined;
    }
    const shown = normalizeText(text());
    return this.snapshots.findLast((one) => one.text === shown);
  }

  clear(): void {
    this.snapshots = [];
  }
}
