/** A part of what was typed. All parts must match. */
export interface NamePart {
  readonly text: string;
  readonly lower: string;
  /** Parts with a slash are compared with paths only. */
  readonly isPath: boolean;
  readonly mask: number;
}

/** What a user typed to find a file by its name. */
export interface NameQuery {
  readonly parts: readonly NamePart[];
  /** The typed path, if it starts at the container's root. */
  readonly absolutePath: string | undefined;
  /** Counted from 0, as in an editor. */
  readonly position: { readonly line: number; readonly column: number } | undefined;
}

/** Reads a query such as `conf shop`, `sites/shop.conf`, `shop.conf:12`, or `/etc/hosts:3:5`. */
export function parseNameQuery(typed: string): NameQuery {
  const { name, position } = splitPosition(typed.trim());
  const parts = name
    .split(' ')
    .filter((part) => part !== '')
    .map(partOf);
  return { parts, absolutePath: name.startsWith('/') ? name : undefined, position };
}

function splitPosition(text: string): { readonly name: string; readonly position: NameQuery['position'] } {
  const match = /^(.*?):(\d+)?(?::(\d+)?)?$/s.exec(text);
  if (match === null) {
    return { name: text, position: undefined };
  }
  const [, name = '', line, column] = match;
  return { name, position: line === undefined ? undefined : { line: fromOne(line), column: fromOne(column ?? '1') } };
}

function fromOne(text: string): number {
  return Math.max(0, Number(text) - 1);
}

function partOf(text: string): NamePart {
  const lower = text.toLowerCase();
  return { text, lower, isPath: text.includes('/'), mask: letterMask(lower) };
}

/**
 * Returns the letters and digits of a text as bits. A text that lacks one of a query's bits can't match, which is quicker
 * to see than by comparing the texts.
 */
export function letterMask(lower: string): number {
  let mask = 0;
  for (let index = 0; index < lower.length; index += 1) {
    const code = lower.charCodeAt(index);
    if (code >= 97 && code <= 122) {
      mask |= 1 << (code - 97);
    } else if (code >= 48 && code <= 57) {
      // Five bits are left for ten digits.
      mask |= 1 << (26 + ((code - 48) >> 1));
    } else if (code !== 47) {
      mask |= otherBit;
    }
  }
  return mask;
}

/** All characters but letters, digits, and slashes, which are in every path. */
const otherBit = 1 << 31;
