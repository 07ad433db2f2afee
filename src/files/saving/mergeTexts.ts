import { diff3Merge } from 'node-diff3';
import { normalizeText } from '../text';

export interface Merged {
  /** With one kind of line end and no byte-order mark, as an editor takes it. */
  readonly text: string;
  /** How many places both sides changed differently; each stands between conflict markers. */
  readonly conflicts: number;
}

export interface Sides {
  readonly base: string;
  readonly yours: string;
  readonly theirs: string;
}

/** Three-way, by lines: what only one side changed is taken over, what both changed alike is taken once. */
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

/** Each line with its end, so that a missing end of the last one is a difference like any other. */
function linesOf(text: string): string[] {
  return normalizeText(text).split(/(?<=\n)/);
}

function closed(lines: readonly string[]): string {
  const text = lines.join('');
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}
