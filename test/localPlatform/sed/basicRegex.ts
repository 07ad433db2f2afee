import { readBracket } from './bracket';

const word = '[\\p{L}\\p{N}_]';
const wordStart = `(?<!${word})(?=${word})`;
const wordEnd = `(?<=${word})(?!${word})`;

const escapes: Readonly<Record<string, string>> = {
  n: '\\n',
  t: '\\t',
  r: '\\r',
  w: word,
  W: '[^\\p{L}\\p{N}_]',
  s: '\\s',
  S: '\\S',
  b: `(?:${wordStart}|${wordEnd})`,
  B: `(?!${wordStart}|${wordEnd})`,
  '<': wordStart,
  '>': wordEnd,
  '`': '^',
  "'": '$',
};

const literal = (character: string): string => (/[\\^$.*+?()[\]{}|/]/u.test(character) ? `\\${character}` : character);

const characterAt = (text: string, at: number): string => String.fromCodePoint(text.codePointAt(at) ?? 0);

/** Reads a sed (basic) regular expression from left to right and writes it as JavaScript's. */
class Translation {
  /** Finished pieces; a quantifier goes to the last one, whatever quantifier that has already. */
  readonly #pieces: string[] = [];
  /** Where open groups begin among the pieces. */
  readonly #groups: number[] = [];
  readonly #pattern: string;
  #at = 0;
  /** Nothing but anchors stands before this place of its group or alternative. */
  #empty = true;

  constructor(pattern: string) {
    this.#pattern = pattern;
  }

  /** The JavaScript source; undefined when the pattern is no basic regular expression. */
  read(): string | undefined {
    while (this.#at < this.#pattern.length) if (!this.#step()) return undefined;
    return this.#groups.length === 0 ? this.#pieces.join('') : undefined;
  }

  #step(): boolean {
    const character = characterAt(this.#pattern, this.#at);
    const isFirst = this.#empty && this.#pieces.at(-1) !== '^';
    this.#at += character.length;
    if (character === '\\') return this.#escape();
    if (character === '[') return this.#bracket();
    if (character === '*' && !this.#empty) return this.#quantify('*');
    if (character === '^' && isFirst) {
      this.#pieces.push('^');
      return true;
    }
    const endsHere = /^(?:$|\\\)|\\\|)/u.test(this.#pattern.slice(this.#at));
    return this.#add(character === '$' && endsHere ? '$' : character === '.' ? '[^]' : literal(character));
  }

  #add(piece: string): boolean {
    this.#pieces.push(piece);
    this.#empty = false;
    return true;
  }

  #quantify(quantifier: string): boolean {
    this.#pieces.push(`(?:${this.#pieces.pop() ?? ''})${quantifier}`);
    return true;
  }

  #escape(): boolean {
    if (this.#at >= this.#pattern.length) return false;
    const next = characterAt(this.#pattern, this.#at);
    this.#at += next.length;
    if (next === '(') return this.#open();
    if (next === ')') return this.#close();
    if (next === '|') {
      this.#pieces.push('|');
      this.#empty = true;
      return true;
    }
    if (next === '{') return this.#count();
    if (next === '+' || next === '?') return this.#empty ? this.#add(`\\${next}`) : this.#quantify(next);
    if (/[1-9]/u.test(next)) return this.#add(`\\${next}`);
    return this.#add(escapes[next] ?? literal(next));
  }

  #open(): boolean {
    this.#groups.push(this.#pieces.length);
    this.#empty = true;
    return true;
  }

  #close(): boolean {
    const start = this.#groups.pop();
    return start !== undefined && this.#add(`(${this.#pieces.splice(start).join('')})`);
  }

  #count(): boolean {
    const count = /^(\d+(?:,\d*)?|,\d*)\\\}/u.exec(this.#pattern.slice(this.#at));
    if (count === null || this.#empty) return false;
    this.#at += count[0].length;
    return this.#quantify(`{${(count[1] ?? '').replace(/^,/u, '0,')}}`);
  }

  #bracket(): boolean {
    const bracket = readBracket(this.#pattern, this.#at - 1);
    if (bracket === undefined) return false;
    this.#at = bracket.end;
    return this.#add(bracket.source);
  }
}

export const basicRegexSource = (pattern: string): string | undefined => new Translation(pattern).read();
