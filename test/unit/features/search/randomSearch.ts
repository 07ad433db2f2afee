import type { SearchQuery } from '../../../../src/features/search/searchQuery';
import type { SeededRandom } from '../../../soak/seededRandom';

const words = ['port', 'Port', 'listen', 'server', 'name', 'on', 'x1', '80', '443', 'max_size', 'log'] as const;
/** No letters or digits, because programs differ in whether one beyond ASCII is part of a word. */
const symbols = ['→', '€', '\u{1F600}'] as const;
const marks = [' ', '=', ';', '.', '*', '(', ')', '[', '$', '{', '}', '|', '\\', '/', '-', '"', '\t'] as const;

/** A line of a configuration, in which random searches find something. */
export function randomLine(random: SeededRandom): string {
  const mark = () => (random.chance(0.05) ? random.pick(symbols) : random.chance(0.5) ? ' ' : random.pick(marks));
  const part = () => (random.chance(0.5) ? random.pick(words) : mark());
  return Array.from({ length: random.below(14) }, part).join('');
}

/** A search, and the options with which grep finds the same. */
export interface RandomSearch {
  readonly query: SearchQuery;
  readonly options: readonly string[];
}

export function randomSearch(random: SeededRandom): RandomSearch {
  const [isRegex, matchCase, wholeWord] = [random.chance(0.7), random.chance(0.5), random.chance(0.3)];
  const text = isRegex ? new CommonExpressions(random).next({ wholeWord }) : randomText(random, { wholeWord });
  const { include = '', exclude = '', options } = random.pick(filters);
  return {
    query: { text, isRegex, matchCase, wholeWord, include, exclude },
    options: [
      isRegex ? '-P' : '-F',
      ...(matchCase ? [] : ['-i']),
      ...(wholeWord ? ['-w'] : []),
      ...options,
      '-e',
      text,
    ],
  };
}

interface Filter {
  readonly include?: string;
  readonly exclude?: string;
  readonly options: readonly string[];
}

const filters: readonly [Filter, ...Filter[]] = [
  { options: [] },
  { options: [] },
  { include: '*.conf', options: ['--include=*.conf'] },
  { include: '.php', options: ['--include=*.php'] },
  { include: '*.{php,conf}', options: ['--include=*.php', '--include=*.conf'] },
  { include: '[bx]*, *y.*', options: ['--include=[bx]*', '--include=*y.*'] },
  { exclude: '*.log, ?.php', options: ['--exclude=*.log', '--exclude=?.php'] },
  { exclude: 'vendor', options: ['--exclude-dir=vendor'] },
  { include: '*.conf', exclude: 'deep', options: ['--include=*.conf', '--exclude-dir=deep'] },
];

/** Starts and ends with a part of a word if whole words are wanted: `grep -w` demands that, and editors don't. */
function randomText(random: SeededRandom, { wholeWord }: Pick<SearchQuery, 'wholeWord'>): string {
  const within = random.chance(0.5) ? random.pick(marks) : '';
  return wholeWord || random.chance(0.5)
    ? `${random.pick(words)}${within === '' ? '' : `${within}${random.pick(words)}`}`
    : `${within}${random.pick(words).slice(1)}${random.pick(marks)}`;
}

/**
 * The subset "common expressions", in which those of JavaScript and Perl (PCRE2) agree: one line at a time; texts
 * without letters or digits beyond ASCII; literals, `.`, classes of ASCII characters, `\d`, `\w`, `^`, `$`, `\b`,
 * alternatives, groups and look-aheads; greedy and lazy repetition of a single character or class, or of a group that
 * repeats nothing itself; back references to a group right before them. Left out: `\s` and `\W` (other sets), `\h`,
 * `\K`, atomic groups, and options inside of an expression, which JavaScript doesn't have or reads in another way.
 */
class CommonExpressions {
  private groups = 0;

  constructor(private readonly random: SeededRandom) {}

  next({ wholeWord }: Pick<SearchQuery, 'wholeWord'>): string {
    const { random } = this;
    if (wholeWord) {
      const edge = () => random.pick([random.pick(words), String.raw`\w`, '[a-z]', String.raw`\d`, '(?:port|on)']);
      return `${edge()}${random.chance(0.5) ? '' : this.sequence(1)}${edge()}`;
    }
    return `${random.chance(0.1) ? '^' : ''}${this.sequence(2)}${random.chance(0.1) ? '$' : ''}`;
  }

  private sequence(depth: number): string {
    return Array.from({ length: 1 + this.random.below(2) }, () => this.part(depth)).join('');
  }

  private part(depth: number): string {
    const { random } = this;
    const leaf = [
      () => `${this.single()}${this.repetition()}`,
      () => `${this.single()}${this.repetition()}`,
      () => escapedForBoth(random.pick(words)),
      () => String.raw`\b`,
      () => this.repeatedBefore(),
    ] as const;
    const inner = [() => this.alternatives(depth), () => this.repeatedGroup(), () => this.lookAhead()] as const;
    return depth > 0 && random.chance(0.3) ? random.pick(inner)() : random.pick(leaf)();
  }

  private single(): string {
    const { random } = this;
    const classes = ['.', '[a-z]', '[^a-z]', '[0-9_]', '[^ ;=]', '[opn]', String.raw`\d`, String.raw`\w`] as const;
    const literals = [random.pick(marks), random.pick(symbols), random.pick(words).slice(0, 1)] as const;
    return random.chance(0.5) ? random.pick(classes) : escapedForBoth(random.pick(literals));
  }

  private repetition(): string {
    return this.random.pick(['', '', '*', '+', '?', '{2}', '{1,3}', '{2,}', '*?', '+?', '??', '{1,3}?']);
  }

  private alternatives(depth: number): string {
    const choices = Array.from({ length: 2 + this.random.below(2) }, () => this.sequence(depth - 1));
    return `${this.random.pick(['(', '(?:'])}${choices.join('|')})`;
  }

  private repeatedGroup(): string {
    const [one, other] = [this.single(), this.single()];
    return `(?:${one}${other}|${this.single()})${this.random.pick(['+', '*', '{1,2}', '+?'])}`;
  }

  private lookAhead(): string {
    return `(?${this.random.pick(['=', '!'])}${this.sequence(0)})`;
  }

  private repeatedBefore(): string {
    this.groups += 1;
    return `(?<g${this.groups}>${this.single()})\\k<g${this.groups}>`;
  }
}

function escapedForBoth(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
