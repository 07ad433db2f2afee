/** What a user searches for, and in which files. */
export interface SearchQuery {
  readonly text: string;
  readonly isRegex: boolean;
  readonly matchCase: boolean;
  readonly wholeWord: boolean;
  /** Patterns for the files to search, separated by commas; empty for all. */
  readonly include: string;
  /** Patterns for files and folders to leave out. */
  readonly exclude: string;
}

export const emptyQuery: SearchQuery = {
  text: '',
  include: '',
  exclude: '',
  isRegex: false,
  matchCase: false,
  wholeWord: false,
};

/** A query, ready to run. */
export interface Matcher {
  /** Always global. */
  readonly expression: RegExp;
  /** Whether a match can span lines. */
  readonly isMultiline: boolean;
  /** Whether a user wrote the expression, which may need very long for some texts. */
  readonly isOwn: boolean;
}

/** Compiles the query. Throws a `SyntaxError` if it isn't a regular expression. */
export function matcherOf(query: Pick<SearchQuery, 'text' | 'isRegex' | 'matchCase' | 'wholeWord'>): Matcher {
  const source = query.isRegex ? withLineFeeds(query.text) : escaped(query.text.replaceAll(/\r\n?/g, '\n'));
  const isMultiline = query.isRegex ? tokensOf(source).some(isLineFeed) : source.includes('\n');
  const flags = `g${query.matchCase ? '' : 'i'}${isMultiline ? 'm' : ''}`;
  return { expression: compile(source, flags, query), isMultiline, isOwn: query.isRegex };
}

function compile(source: string, flags: string, query: Pick<SearchQuery, 'isRegex' | 'wholeWord'>): RegExp {
  const { isRegex, wholeWord } = query;
  if (!isRegex && !wholeWord && /^[\t\n -~]*$/.test(source)) {
    // The same for plain ASCII, and several times as fast if case doesn't matter.
    return new RegExp(source, flags);
  }
  for (const strict of [source, asStrict(source)]) {
    try {
      return new RegExp(wholeWord ? asWord(strict, String.raw`[\p{L}\p{M}\p{N}_]`) : strict, `${flags}u`);
    } catch {
      // Not strict yet, or not an expression.
    }
  }
  return new RegExp(wholeWord ? asWord(source, String.raw`\w`) : source, flags);
}

/**
 * Strict expressions know characters outside of the first 65,536, but reject escapes that aren't needed, such as `\"`, and
 * braces and brackets that should be escaped, such as in `server {`. Other tools accept both.
 */
function asStrict(source: string): string {
  let isInClass = false;
  return source.replaceAll(/\\[pPux]\{[^}]*\}|\\[^]|\{\d+,?\d*\}|[^]/g, (token) => {
    const wasInClass = isInClass;
    isInClass = token === '[' || (wasInClass && token !== ']');
    if (token.startsWith('\\') && token.length === 2) {
      const character = token.slice(1);
      const isNeeded = /[A-Za-z\d^$\\.*+?()[\]{}|/]/.test(character) || (wasInClass && character === '-');
      return isNeeded ? token : character;
    }
    return !wasInClass && /^[{}\]]$/.test(token) ? `\\${token}` : token;
  });
}

/** A match may not start or end inside a word, as in an editor. */
function asWord(source: string, letter: string): string {
  const notInside = `(?:(?<!${letter})|(?!${letter}))`;
  return `${notInside}(?:${source})${notInside}`;
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}

/** Lines are joined by line feeds for a search across lines, so an expression for Windows line ends finds those. */
function withLineFeeds(source: string): string {
  const tokens = tokensOf(source);
  return tokens.filter((token, index) => !(isReturn(token) && isLineFeed(tokens[index + 1] ?? ''))).join('');
}

/** Divides an expression into escapes and single characters. */
function tokensOf(source: string): readonly string[] {
  return source.match(/\\[^]|[^]/g) ?? [];
}

function isReturn(token: string): boolean {
  return token === '\r' || token === String.raw`\r`;
}

function isLineFeed(token: string): boolean {
  return token === '\n' || token === String.raw`\n`;
}
