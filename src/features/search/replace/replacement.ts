import { eachMatch, type Match, type Matcher, type TextRange, withinDeadline } from '../searchQuery';

export interface MatchReplacement {
  readonly text: string;
  /** Whether `$1`, `\n` and the like stand for something else, as in VS Code after a regular expression. */
  readonly isPattern: boolean;
}

export interface NewText {
  readonly text: string;
  readonly count: number;
}

/**
 * Replaces the matches that are chosen, and keeps every other character, including line endings and a byte-order mark.
 * Line breaks in the replacement become those of the text.
 */
export function replaceMatches(
  text: string,
  matcher: Matcher,
  replacement: MatchReplacement,
  isChosen: (range: TextRange) => boolean = () => true,
): NewText {
  return withinDeadline(matcher, () => replace(text, matcher, replacement, isChosen));
}

function replace(
  text: string,
  matcher: Matcher,
  replacement: MatchReplacement,
  isChosen: (range: TextRange) => boolean,
): NewText {
  const starts = lineStarts(text);
  const offsetOf = ({ line, column }: TextRange['start']) => (starts[line] ?? 0) + column;
  const lineEnd = /\r\n|\r|\n/.exec(text)?.[0] ?? '\n';
  const parts: string[] = [];
  let [from, count] = [0, 0];
  for (const match of eachMatch(text, matcher)) {
    if (isChosen(match.range)) {
      const written = replacement.isPattern ? expand(replacement.text, match) : replacement.text;
      parts.push(text.slice(from, offsetOf(match.range.start)), written.replaceAll(/\r\n|\r|\n/g, lineEnd));
      from = offsetOf(match.range.end);
      count += 1;
    }
  }
  return { text: `${parts.join('')}${text.slice(from)}`, count };
}

/** Where each line starts. An editor doesn't count a byte-order mark to the first one. */
function lineStarts(text: string): readonly number[] {
  const starts = [text.startsWith('\uFEFF') ? 1 : 0];
  for (const { index, 0: end } of text.matchAll(/\r\n|\r|\n/g)) {
    starts.push(index + end.length);
  }
  return starts;
}

/** Reads `$&`, `$0`, `$1`, `$<name>`, `$$`, `\n`, `\t` and `\\`. */
function expand(pattern: string, { found }: Match): string {
  return pattern.replaceAll(
    /\$(?:(&)|(\$)|<([^>]+)>|(\d{1,2}))|\\([nt\\])/g,
    (whole: string, ...captured: readonly (string | undefined)[]) => {
      const [all, dollar, name, digits, letter] = captured;
      if (letter !== undefined) {
        return letters.get(letter) ?? '';
      }
      if (dollar !== undefined) {
        return '$';
      }
      if (name !== undefined) {
        return found.groups === undefined ? whole : (found.groups[name] ?? '');
      }
      return all === undefined ? groupText(digits ?? '0', found, whole) : found[0];
    },
  );
}

/** `$12` is the first group and a 2 if there are fewer than twelve groups. */
function groupText(digits: string, found: RegExpMatchArray, whole: string): string {
  if (Number(digits) < found.length) {
    return found[Number(digits)] ?? '';
  }
  const [first = '', second = ''] = digits;
  return second !== '' && Number(first) < found.length ? `${found[Number(first)] ?? ''}${second}` : whole;
}

const letters = new Map([
  ['n', '\n'],
  ['t', '\t'],
  ['\\', '\\'],
]);
