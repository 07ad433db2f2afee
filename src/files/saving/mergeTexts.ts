import { diff3Merge } from 'node-diff3';
import { normalizeText } from '../text';

export interface Merged {
  /** Like in an editor: one kind of line ending and no byte-order mark. */
  readonly text: string;
  /** The number of places that both sides changed differently. Each is enclosed in conflict markers. */
  readonly conflicts: number;
}

interface Sides {
  readonly base: string;
  readonly yours: string;
  readonly theirs: string;
}

/** Merges three ways by line. Keeps a change of one side, and identical changes of both sides once. */
export function mergeTexts(sides: Sides, names: { readonly yours: string; readonly theirs: string }): Merged {
  const regions = diff3Merge(linesOf(sides.yours), linesOf(sides.base), linesOf(sides.theirs), {
    excludeFalseConflicts: true,
  });
  let conflicts = 0;
  const parts = regions.map(({ ok, conflict }) => {
    if (conflict === undefined) {
      return (ok ?? []).join('');
    }
    conflicts += 1;
    return `<<<<<<< ${names.yours}\n${closed(conflict.a)}=======\n${closed(conflict.b)}>>>>>>> ${names.theirs}\n`;
  });
  return { text: parts.join(''), conflicts };
}

/** A conflict in a text, by the numbers of its lines with markers. */
export interface MergeConflict {
  readonly start: number;
  readonly middle: number;
  readonly end: number;
  /** How the merge named the other side. */
  readonly theirs: string;
}

/** Finds the conflicts that a merge left in a text. */
export function mergeConflicts(text: string, yours: string): readonly MergeConflict[] {
  const found: MergeConflict[] = [];
  const open = { start: -1, middle: -1 };
  linesOf(text).forEach((line, index) => {
    if (line === `<<<<<<< ${yours}\n`) {
      Object.assign(open, { start: index, middle: -1 });
    } else if (line === '=======\n' && open.start >= 0 && open.middle < 0) {
      open.middle = index;
    } else if (line.startsWith('>>>>>>> ') && open.middle >= 0) {
      found.push({ ...open, end: index, theirs: line.slice(8).trimEnd() });
      Object.assign(open, { start: -1, middle: -1 });
    }
  });
  return found;
}

/** Counts the conflicts of an earlier merge that are still in the text. */
export function unresolvedConflicts(text: string, yours: string): number {
  return linesOf(text).filter((line) => line === `<<<<<<< ${yours}\n`).length;
}

/** Splits into lines with their line breaks, so that a missing final line break counts as a difference. */
function linesOf(text: string): string[] {
  return normalizeText(text).split(/(?<=\n)/);
}

function closed(lines: readonly string[]): string {
  const text = lines.join('');
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}
