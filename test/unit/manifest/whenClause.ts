/** The values of keys in `when` clauses. Missing keys are false. */
export type Situation = Readonly<Record<string, string | boolean | readonly string[]>>;

export interface WhenClause {
  /** The keys in the clause. */
  readonly keys: readonly string[];
  /** The values that keys are compared with. */
  readonly comparisons: readonly { readonly key: string; readonly value: string }[];
  holds(situation: Situation): boolean;
}

/** Parses `when` clauses, as far as the manifest uses them. */
export function parseWhen(text: string): WhenClause {
  const reader = new Reader(text);
  const holds = reader.either();
  reader.demandEnd();
  return { keys: reader.keys, comparisons: reader.comparisons, holds };
}

type Test = (situation: Situation) => boolean;

class Reader {
  readonly keys: string[] = [];
  readonly comparisons: { key: string; value: string }[] = [];
  private rest: string;

  constructor(private readonly text: string) {
    this.rest = text.trim();
  }

  either(): Test {
    const parts = [this.both()];
    while (this.take(/^\|\|/) !== undefined) parts.push(this.both());
    return (situation) => parts.some((part) => part(situation));
  }

  demandEnd(): void {
    if (this.rest !== '') this.fail();
  }

  private both(): Test {
    const parts = [this.one()];
    while (this.take(/^&&/) !== undefined) parts.push(this.one());
    return (situation) => parts.every((part) => part(situation));
  }

  private one(): Test {
    if (this.take(/^!(?!=)/) !== undefined) {
      const part = this.one();
      return (situation) => !part(situation);
    }
    if (this.take(/^\(/) !== undefined) {
      const inner = this.either();
      if (this.take(/^\)/) === undefined) this.fail();
      return inner;
    }
    const word = this.take(/^(true|false)\b/) ?? this.take(/^[\w.:-]+/) ?? this.fail();
    if (word === 'true' || word === 'false') return () => word === 'true';
    this.keys.push(word);
    return this.comparison(word);
  }

  private comparison(key: string): Test {
    if (this.take(/^in\b/) !== undefined) {
      const list = this.take(/^[\w.:-]+/) ?? this.fail();
      this.keys.push(list);
      return (situation) => {
        const values = situation[list];
        return Array.isArray(values) && values.includes(situation[key]);
      };
    }
    const operator = this.take(/^(==|!=|=~)/);
    if (operator === undefined) return (situation) => situation[key] === true || Boolean(situation[key]);
    if (operator === '=~') {
      const [, body = '', flags = ''] = /^\/(.*)\/([a-z]*)$/.exec(this.take(/^\/(?:\\.|[^/\\])+\/[a-z]*/) ?? '') ?? [];
      if (body === '') this.fail();
      const pattern = new RegExp(body, flags);
      return (situation) => pattern.test(String(situation[key] ?? ''));
    }
    const value = (this.take(/^('[^']*'|[\w.:-]+)/) ?? this.fail()).replaceAll("'", '');
    this.comparisons.push({ key, value });
    return (situation) => (String(situation[key] ?? '') === value) === (operator === '==');
  }

  private take(pattern: RegExp): string | undefined {
    const found = pattern.exec(this.rest)?.[0];
    if (found !== undefined) this.rest = this.rest.slice(found.length).trimStart();
    return found;
  }

  private fail(): never {
    throw new Error(`“${this.text}” cannot be read at “${this.rest}”`);
  }
}
