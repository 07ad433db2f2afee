/** A request that the platform received. Secrets are already masked and long texts cut. */
export interface JournalEntry {
  readonly id: number;
  /** The contract's name, such as `Read`, or the path if there is none. */
  readonly operation: string;
  readonly path: string;
  readonly httpMethod: string;
  readonly parameters: Readonly<Record<string, string>>;
  /** Names of the parameters in the URL. */
  readonly inUrl: readonly string[];
  readonly userAgent: string;
  readonly requestBytes: number;
  /** Milliseconds since the epoch, by the machine's clock. */
  readonly start: number;
}

/** A request that was answered, or whose connection was cut. */
export interface FinishedEntry extends JournalEntry {
  readonly end: number;
  readonly answerBytes: number;
  /** The `result` of the response, or undefined if it has none. */
  readonly result: unknown;
  readonly status: number;
  /** Kinds of the faults that affected it. */
  readonly faults: readonly string[];
}

export type EntryTest<Entry> = (entry: Entry) => boolean;

interface Waiter<Entry> {
  readonly matches: EntryTest<Entry>;
  readonly tell: (entry: Entry) => void;
}

const told = <Entry>(waiters: Set<Waiter<Entry>>, entry: Entry): void => {
  for (const waiter of [...waiters]) {
    if (!waiter.matches(entry)) continue;
    waiters.delete(waiter);
    waiter.tell(entry);
  }
};

/** A platform that runs for days removes the oldest requests. */
const mostEntries = 20_000;

const keep = <Entry>(entries: Entry[], entry: Entry): void => {
  entries.push(entry);
  if (entries.length > mostEntries) entries.splice(0, mostEntries / 2);
};

/** The platform's requests in order of arrival. */
export class Journal {
  readonly #started: JournalEntry[] = [];
  readonly #finished: FinishedEntry[] = [];
  readonly #startWaiters = new Set<Waiter<JournalEntry>>();
  readonly #finishWaiters = new Set<Waiter<FinishedEntry>>();
  #nextId = 1;

  /** Answered requests in the order of their responses. */
  get entries(): readonly FinishedEntry[] {
    return this.#finished;
  }

  /** All requests, answered or not, in order of arrival. */
  get arrivals(): readonly JournalEntry[] {
    return this.#started;
  }

  count(matches: EntryTest<JournalEntry>): number {
    return this.#started.filter(matches).length;
  }

  /** Returns the next matching request that is answered. */
  next(matches: EntryTest<FinishedEntry> = () => true): Promise<FinishedEntry> {
    return new Promise((tell) => this.#finishWaiters.add({ matches, tell }));
  }

  /** Returns the next matching request that arrives. */
  nextArrival(matches: EntryTest<JournalEntry> = () => true): Promise<JournalEntry> {
    return new Promise((tell) => this.#startWaiters.add({ matches, tell }));
  }

  /** Clears the journal. Pending requests are still added when they are answered. */
  reset(): void {
    this.#started.length = 0;
    this.#finished.length = 0;
  }

  begin(entry: Omit<JournalEntry, 'id' | 'start'>): JournalEntry {
    const begun: JournalEntry = { ...entry, id: this.#nextId++, start: Date.now() };
    keep(this.#started, begun);
    told(this.#startWaiters, begun);
    return begun;
  }

  finish(begun: JournalEntry, outcome: Omit<FinishedEntry, keyof JournalEntry | 'end'>): void {
    const finished: FinishedEntry = { ...begun, ...outcome, end: Date.now() };
    keep(this.#finished, finished);
    told(this.#finishWaiters, finished);
  }
}
