/** One request as the platform saw it. Secrets are masked and long texts cut before they get here. */
export interface JournalEntry {
  readonly id: number;
  /** The contract's name, `Read`; for other paths the path itself. */
  readonly operation: string;
  readonly path: string;
  readonly httpMethod: string;
  readonly parameters: Readonly<Record<string, string>>;
  /** Names of the parameters that stood in the URL. */
  readonly inUrl: readonly string[];
  readonly userAgent: string;
  readonly requestBytes: number;
  /** Milliseconds since the epoch, from the machine's own clock. */
  readonly start: number;
}

/** The same once it was answered, or its connection was cut. */
export interface FinishedEntry extends JournalEntry {
  readonly end: number;
  readonly answerBytes: number;
  /** `result` of the answer; undefined where it has none. */
  readonly result: unknown;
  readonly status: number;
  /** Kinds of the faults that were played. */
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

/** A platform that runs for days forgets the oldest requests. */
const mostEntries = 20_000;

const keep = <Entry>(entries: Entry[], entry: Entry): void => {
  entries.push(entry);
  if (entries.length > mostEntries) entries.splice(0, mostEntries / 2);
};

/** What was asked of the platform, in the order it arrived. */
export class Journal {
  readonly #started: JournalEntry[] = [];
  readonly #finished: FinishedEntry[] = [];
  readonly #startWaiters = new Set<Waiter<JournalEntry>>();
  readonly #finishWaiters = new Set<Waiter<FinishedEntry>>();
  #nextId = 1;

  /** Answered requests, in the order of their answers. */
  get entries(): readonly FinishedEntry[] {
    return this.#finished;
  }

  /** All requests, answered or not, in the order of their arrival. */
  get arrivals(): readonly JournalEntry[] {
    return this.#started;
  }

  count(matches: EntryTest<JournalEntry>): number {
    return this.#started.filter(matches).length;
  }

  /** The next request to be answered from now on that matches. */
  next(matches: EntryTest<FinishedEntry> = () => true): Promise<FinishedEntry> {
    return new Promise((tell) => this.#finishWaiters.add({ matches, tell }));
  }

  /** The next request to arrive from now on that matches. */
  nextArrival(matches: EntryTest<JournalEntry> = () => true): Promise<JournalEntry> {
    return new Promise((tell) => this.#startWaiters.add({ matches, tell }));
  }

  /** Forgets what was; requests on their way are still noted when they are answered. */
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
