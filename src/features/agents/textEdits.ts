import { diffLines, formatPatch, structuredPatch } from 'diff';
import { l10n } from 'vscode';
import { hasMixedLineEnds } from '../../files/text';
import { ExpectedError } from '../../ui/expectedError';

export interface TextEdit {
  readonly oldText: string;
  readonly newText: string;
  /** How often the old text must occur. */
  readonly count: number;
}

interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly newText: string;
}

/**
 * Returns where edits replace what, all in this same text. Rejects if an old text doesn't occur exactly as often as stated, or
 * if it's unclear what to replace because occurrences overlap.
 */
export function replacementsIn(text: string, edits: readonly TextEdit[]): readonly Replacement[] {
  // Models write LF. Where a file has CRLF only, that is meant.
  const isMixed = hasMixedLineEnds(text);
  const isWindows = !isMixed && text.includes('\r\n');
  const asInFile = (part: string) => (isWindows ? part.replaceAll(/\r?\n/g, '\r\n') : part);
  const replacements = edits.flatMap(({ oldText, newText, count }, index) => {
    const old = asInFile(oldText);
    const found = startsOf(old, text);
    if (found.length !== count) {
      throw new ExpectedError(
        isMixed && oldText.includes('\n')
          ? l10n.t(
              'Nothing was changed: oldText of edit {0} occurs {1} times instead of {2}. The file has line ends of two kinds: change one line at a time.',
              ...([index + 1, found.length, count] as const),
            )
          : l10n.t(
              'Nothing was changed: oldText of edit {0} occurs {1} times instead of {2}. Read the file, and make oldText longer or state the count.',
              ...([index + 1, found.length, count] as const),
            ),
      );
    }
    const changes = changesOf(old, asInFile(newText));
    return found.map((start) => ({ start, end: start + old.length, changes, edit: index + 1 }));
  });
  const inOrder = replacements.sort((one, other) => one.start - other.start);
  for (const [index, { start, edit }] of inOrder.entries()) {
    if (start < (inOrder[index - 1]?.end ?? 0)) {
      throw new ExpectedError(
        l10n.t('Nothing was changed: edit {0} overlaps another one. Make one edit of both.', edit),
      );
    }
  }
  return inOrder.flatMap(({ start: from, changes }) =>
    changes.map(({ start, end, newText }) => ({ start: from + start, end: from + end, newText })),
  );
}

/** Returns what changes, without lines that are the same, and without what changed lines begin and end with: models repeat what is around a change. */
function changesOf(old: string, newText: string): readonly Replacement[] {
  const parts = diffLines(old, newText, { timeout: longestDiff });
  if (parts === undefined) {
    return [{ start: 0, end: old.length, newText }];
  }
  const changes: Replacement[] = [{ start: 0, end: 0, newText: '' }];
  for (const { value, added, removed } of parts) {
    const { start, end, newText: text } = changes.pop() ?? { start: 0, end: 0, newText: '' };
    if (added) {
      changes.push({ start, end, newText: text + value });
    } else if (removed) {
      changes.push({ start, end: end + value.length, newText: text });
    } else {
      // What follows is another change, maybe of nothing.
      const next = end + value.length;
      changes.push({ start, end, newText: text }, { start: next, end: next, newText: '' });
    }
  }
  return changes.map((one) => withoutEqualEnds(old, one)).filter((one) => one.start < one.end || one.newText !== '');
}

function withoutEqualEnds(text: string, { start, end, newText }: Replacement): Replacement {
  const most = Math.min(end - start, newText.length);
  let before = 0;
  while (before < most && text[start + before] === newText[before]) {
    before += 1;
  }
  let after = 0;
  while (after < most - before && text[end - after - 1] === newText[newText.length - after - 1]) {
    after += 1;
  }
  return { start: start + before, end: end - after, newText: newText.slice(before, newText.length - after) };
}

export function withReplacements(text: string, replacements: readonly Replacement[]): string {
  const parts: string[] = [];
  let done = 0;
  for (const { start, end, newText } of replacements) {
    parts.push(text.slice(done, start), newText);
    done = end;
  }
  return [...parts, text.slice(done)].join('');
}

/** Returns where a part occurs. The first occurrence that overlaps the one before is the last that counts. */
function startsOf(part: string, text: string): readonly number[] {
  const starts: number[] = [];
  let end = 0;
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) {
    starts.push(at);
    if (at < end) {
      break;
    }
    end = at + part.length;
  }
  return starts;
}

interface NamedText {
  readonly node: string;
  readonly text: string;
}

/** Comparing long texts that have little in common would block all extensions. After this many milliseconds, give up. */
const longestDiff = 1000;

/**
 * Returns `undefined` if the texts have too little in common to compare them in time.
 * @param share of the time that the comparison may take, if it's one of several
 */
export function diffText(before: NamedText, after: NamedText, share = 1): string | undefined {
  const timeout = longestDiff * share;
  const patch = structuredPatch(before.node, after.node, before.text, after.text, '', '', { context: 3, timeout });
  return patch === undefined ? undefined : formatPatch(patch);
}

/** Encloses a diff in a code block that nothing in it can end. */
export function diffBlock(diff: string): string {
  const longest = Math.max(2, ...(diff.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}diff\n${diff}\n${fence}`;
}
