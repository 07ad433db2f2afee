const classes: Readonly<Record<string, string>> = {
  alpha: '\\p{L}',
  digit: '0-9',
  alnum: '\\p{L}0-9',
  upper: '\\p{Lu}',
  lower: '\\p{Ll}',
  space: '\\s',
  blank: ' \\t',
  punct: '!-\\/:-@\\[-`\\{-~',
  cntrl: '\\0-\\x1f\\x7f',
  print: ' -~\\u00a0-\\u{10ffff}',
  graph: '!-~\\u00a1-\\u{10ffff}',
  xdigit: '0-9A-Fa-f',
};

export interface Bracket {
  readonly source: string;
  /** The index after the closing bracket. */
  readonly end: number;
}

const escaped = (character: string): string => (/[\\\]^[-]/u.test(character) ? `\\${character}` : character);

/**
 * Parses a bracket expression, or returns undefined if it isn't closed. In `[…]`, a backslash is literal, and so are a
 * leading `]` and a trailing `-`. `[:name:]` is a class.
 */
export const readBracket = (pattern: string, start: number): Bracket | undefined => {
  let at = start + 1;
  const negated = pattern[at] === '^';
  if (negated) at += 1;
  const first = at;
  let body = '';
  while (at < pattern.length) {
    const named = /^\[:(\w+):\]/u.exec(pattern.slice(at));
    const character = String.fromCodePoint(pattern.codePointAt(at) ?? 0);
    if (named !== null) {
      const known = classes[named[1] ?? ''];
      if (known === undefined) return undefined;
      body += known;
      at += named[0].length;
    } else if (character === ']' && at > first) {
      return { source: `[${negated ? '^' : ''}${body}]`, end: at + 1 };
    } else {
      const isRange = character === '-' && at > first && pattern[at + 1] !== ']';
      // In brackets, GNU sed treats \n and \t as escapes, but not \].
      const control = /^\\[nt]/u.exec(pattern.slice(at))?.[0];
      body += control ?? (isRange ? '-' : escaped(character));
      at += control?.length ?? character.length;
    }
  }
  return undefined;
};
