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

/** Translates a basic regular expression of sed to JavaScript. */
class Translation {
  /** Translated pieces. A quantifier applies to the last one, even if that has one already. */
  readonly #pieces: string[] = [];
  /** The indexes of the pieces where open groups begin. */
  readonly #groups: number[] = [];
  readonly #pattern: string;
  #at = 0;
  /** Whether there are only anchors before this position in its group or alternative. */
  #empty = true;

  constructor(pattern: string) {
    this.#pattern = pattern;
  }

  /** Returns the JavaScript source, or undefined if the pattern isn't a basic regular expression. */
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
