import * as v from 'valibot';
import type { EnvironmentPlace } from '../../containers/place';
import type { SearchQuery } from './searchQuery';

const searchQuery = v.object({
  ...{ text: v.string(), include: v.string(), exclude: v.string() },
  ...{ isRegex: v.boolean(), matchCase: v.boolean(), wholeWord: v.boolean() },
});
const kept = v.record(v.string(), v.record(v.string(), searchQuery));

const key = 'gantry.search.queries';

interface Memory {
  get(key: string): unknown;
  update(key: string, value: unknown): Thenable<void>;
}

export const emptyQuery: SearchQuery = {
  ...{ text: '', include: '', exclude: '' },
  ...{ isRegex: false, matchCase: false, wholeWord: false },
};

/** Remembers the last search in each environment. */
export class SearchMemory {
  constructor(private readonly memory: Memory) {}

  last({ account, environment }: EnvironmentPlace): SearchQuery {
    return this.all()[account]?.[environment] ?? emptyQuery;
  }

  async remember({ account, environment }: EnvironmentPlace, query: SearchQuery): Promise<void> {
    const all = this.all();
    await this.memory.update(key, { ...all, [account]: { ...all[account], [environment]: query } });
  }

  async forgetAccount(slug: string): Promise<void> {
    const others = Object.entries(this.all()).filter(([account]) => account !== slug);
    await this.memory.update(key, others.length === 0 ? undefined : Object.fromEntries(others));
  }

  /** Ignores data that another version of Gantry stored and this one can't read. */
  private all(): v.InferOutput<typeof kept> {
    const parsed = v.safeParse(kept, this.memory.get(key));
    return parsed.success ? parsed.output : {};
  }
}
