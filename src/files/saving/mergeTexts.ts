import { diff3Merge } from 'node-diff3';
import { linesOf } from '../text';

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

/**
 * Merges three ways by line. Keeps a change of one side, and identical changes of both sides once.
 *
 * @param middle the line between the sides of a conflict: by default that of Git, which VS Code finds in local files
 */
export function mergeTexts(
  sides: Sides,
  names: { readonly yours: string; readonly theirs: string },
  middle = '=======',
): Merged {
  const regions = diff3Merge(linesOf(sides.yours), linesOf(sides.base), linesOf(sides.theirs), {
    excludeFalseConflicts: true,
  });
  let conflicts = 0;
  const parts = regions.map(({ ok, conflict }) => {
    if (conflict === undefined) {
      return (ok ?? []).join('');
    }
    conflicts += 1;
    return `<<<<<<< ${names.yours}\n${closed(conflict.a)}${middle}\n${closed(conflict.b)}>>>>>>> ${names.theirs}\n`;
  });
  return { text: parts.join(''), conflicts };
}

function closed(lines: readonly string[]): string {
  const text = lines.join('');
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}
