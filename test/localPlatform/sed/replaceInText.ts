import { codes, Refusal } from '../refusal';
import { basicRegexSource } from './basicRegex';

const invalid = (): Refusal => new Refusal(codes.invalidParameter, 'invalid parameter [pattern]');

const compiled = (source: string, flags: string): RegExp => {
  try {
    return new RegExp(source, flags);
  } catch {
    // A pattern that JavaScript can't compile is invalid for the client too.
    throw invalid();
  }
};

/** Returns the leftmost match, and the longest of those. POSIX requires the longest, but JavaScript finds the first. */
const matchFrom = (source: string, line: string, from: number): { start: number; end: number } | undefined => {
  const expression = compiled(source, 'gu');
  expression.lastIndex = from;
  const first = expression.exec(line);
  if (first === null) return undefined;
  const start = first.index;
  const end = start + first[0].length;
  const behind = Array.from(line.slice(end)).length;
  for (let left = 0; left < behind; left += 1) {
    const toThere = compiled(`(?:${source})(?=[^]{${left}}(?![^]))`, 'yu');
    toThere.lastIndex = start;
    const longer = toThere.exec(line);
    if (longer !== null) return { start, end: start + longer[0].length };
  }
  return { start, end };
};

/** A character outside the basic plane has two code units. */
const widthAt = (line: string, at: number): number => ((line.codePointAt(at) ?? 0) > 0xffff ? 2 : 1);

const replaceInLine = (
  source: string,
  line: string,
  replacement: string,
  most: number,
): { text: string; count: number } => {
  let text = '';
  let count = 0;
  let copied = 0;
  let from = 0;
  while (count < most && from <= line.length) {
    const match = matchFrom(source, line, from);
    if (match === undefined) break;
    // An empty match right after the previous match doesn't count.
    if (match.end > match.start || match.start > copied || count === 0) {
      text += line.slice(copied, match.start) + replacement;
      copied = match.end;
      count += 1;
    }
    from = match.end > match.start ? match.end : match.end + widthAt(line, match.end);
  }
  return { text: text + line.slice(copied), count };
};

/**
 * Replaces like `sed s/pattern/replacement/` in each line, at most `most` times in all. The replacement is plain text.
 */
export const replaceInText = (pattern: string, replacement: string, most = Infinity): ((text: string) => string) => {
  const source = basicRegexSource(pattern);
  if (source === undefined || pattern === '') throw invalid();
  compiled(source, 'u');
  return (text) => {
    let left = most;
    const lines = text.split('\n');
    const replaced = lines.map((line, index) => {
      const isBehindLast = line === '' && index === lines.length - 1;
      if (left <= 0 || isBehindLast) return line;
      const { text: changed, count } = replaceInLine(source, line, replacement, left);
      left -= count;
      return changed;
    });
    return replaced.join('\n');
  };
};
