/** A part of a pattern between slashes; `**` stands for any number of folders. */
type Segment = '**' | ((name: string) => boolean);
type Token =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'one' }
  | { readonly kind: 'any' }
  | CharacterClass;

interface CharacterClass {
  readonly kind: 'class';
  readonly isNegated: boolean;
  readonly ranges: readonly (readonly [from: string, to: string])[];
}

/** A pattern as in VS Code's search, ready to match. */
export interface PathPattern {
  /** Compared with the path from the container's root instead of from the searched folder. */
  readonly isAbsolute: boolean;
  readonly segments: readonly Segment[];
}

/** More alternatives in braces than this are taken literally, because their number grows with each pair. */
const maxAlternatives = 500;

/**
 * Reads a list of patterns, separated by commas.
 * @param source as in VS Code, a typed `.php` stands for all names that end so, but in a setting for this name
 */
export function parsePatterns(text: string, source: 'typed' | 'setting'): readonly PathPattern[] {
  return splitOutside(text, ',')
    .map((pattern) => pattern.trim())
    .filter((pattern) => pattern !== '')
    .flatMap(alternatives)
    .map((pattern) => parsePattern(pattern, source));
}

function parsePattern(text: string, source: 'typed' | 'setting'): PathPattern {
  const isAbsolute = text.startsWith('/');
  const isFromRoot = isAbsolute || /^\.\.?\//.test(text);
  const plain = source === 'typed' && !isFromRoot && text.startsWith('.') ? `*${text}` : text;
  const names = plain.split('/').filter((name) => name !== '' && name !== '.');
  const segments = names.map((name): Segment => (name === '**' ? '**' : nameTest(tokensOf(name))));
  // `folder/**` means what is in the folder, which matching the folder itself includes.
  while (segments.length > 1 && segments.at(-1) === '**') {
    segments.pop();
  }
  return { isAbsolute, segments: isFromRoot ? segments : ['**', ...segments] };
}

function tokensOf(name: string): readonly Token[] {
  const parts = name.match(/\*+|\?|\[[^\]]+\]|[^*?[]+|\[/g) ?? [];
  return parts.map((part): Token => {
    if (part.startsWith('*')) {
      return { kind: 'any' };
    }
    if (part === '?') {
      return { kind: 'one' };
    }
    return part.length > 2 && part.startsWith('[') ? classOf(part.slice(1, -1)) : { kind: 'text', text: part };
  });
}

function classOf(text: string): CharacterClass {
  const isNegated = /^[!^]/.test(text);
  const ranges = [...(isNegated ? text.slice(1) : text).matchAll(/(.)-(.)|(.)/gsu)].map(
    ([, from, to, single = '']) => [from ?? single, to ?? single] as const,
  );
  return { kind: 'class', isNegated, ranges };
}

/** Resolves `{a,b}` to the patterns that it stands for. */
function alternatives(pattern: string): readonly string[] {
  let open: readonly string[] = [pattern];
  for (;;) {
    const next = open.flatMap((one) => {
      const braces = /\{([^{}]*)\}/.exec(one);
      return braces === null
        ? [one]
        : (braces[1] ?? '')
            .split(',')
            .map((choice) => `${one.slice(0, braces.index)}${choice}${one.slice(braces.index + braces[0].length)}`);
    });
    if (next.length > maxAlternatives) {
      return [pattern];
    }
    if (next.length === open.length && next.every((one, index) => one === open[index])) {
      return next;
    }
    open = next;
  }
}

/** Splits at a character that isn't inside braces or brackets. */
function splitOutside(text: string, separator: string): readonly string[] {
  const parts = [''];
  let depth = 0;
  for (const character of text) {
    depth += '{['.includes(character) ? 1 : 0;
    depth -= '}]'.includes(character) ? 1 : 0;
    if (character === separator && depth <= 0) {
      parts.push('');
    } else {
      parts.push(`${parts.pop() ?? ''}${character}`);
    }
  }
  return parts;
}

/** Returns whether a name matches the pattern, the quickest way for the most frequent patterns. */
function nameTest(tokens: readonly Token[]): (name: string) => boolean {
  const [first, second, ...others] = tokens;
  if (first?.kind === 'text' && second === undefined) {
    return (name) => name === first.text;
  }
  if (first?.kind === 'any' && second?.kind === 'text' && others.length === 0) {
    return (name) => name.endsWith(second.text);
  }
  return (name) => matchesTokens(tokens, name);
}

function matchesTokens(tokens: readonly Token[], name: string): boolean {
  let at = new Set([0]);
  for (const token of tokens) {
    const next = new Set<number>();
    if (token.kind === 'any') {
      for (let index = Math.min(...at); index <= name.length; index += 1) {
        next.add(index);
      }
    } else {
      for (const index of at) {
        const length = lengthAt(token, name, index);
        if (length > 0) {
          next.add(index + length);
        }
      }
    }
    if (next.size === 0) {
      return false;
    }
    at = next;
  }
  return at.has(name.length);
}

/** Returns how many characters of the name the token matches there, or 0 if it doesn't. */
function lengthAt(token: Exclude<Token, { kind: 'any' }>, name: string, index: number): number {
  if (token.kind === 'text') {
    return name.startsWith(token.text, index) ? token.text.length : 0;
  }
  const character = String.fromCodePoint(name.codePointAt(index) ?? 0);
  const isThere = index < name.length && (token.kind === 'one' || isInClass(token, character));
  return isThere ? character.length : 0;
}

function isInClass({ isNegated, ranges }: CharacterClass, character: string): boolean {
  return ranges.some(([from, to]) => from <= character && character <= to) !== isNegated;
}
