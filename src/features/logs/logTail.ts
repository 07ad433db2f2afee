import { deployLogNames } from '../../containers/logs/stackLogs';
import { withoutLogins } from '../../containers/secretFiles';
import type { FileEntry } from '../../platform/wire/fileEntry';
import { readTimestamp } from '../../platform/wire/scalars';

/** Where the text of a log comes from. */
export interface LogSource {
  /** Returns up to `count` characters from an offset, or an empty text beyond the end. */
  read(from: number, count: number): Promise<string>;
  /** The length in a listing. It counts bytes, while `read` should count characters. */
  length(): Promise<number>;
}

/** What `read` counts. The documentation says characters, but no platform was seen yet. */
const units = ['characters', 'bytes', 'lines'] as const;
type Unit = (typeof units)[number];

/**
 * What a look at the log found. The end is read anew if the log was rotated or shortened (`restarted`), or if too much
 * was added (`skipped`).
 */
type LogChange = 'none' | 'added' | 'restarted' | 'skipped';

/** What to do if much was added: skip to the end, or read it in several looks. */
type Flood = 'skip' | 'read';

const stepOf: Readonly<Record<Unit, number>> = { characters: 64 * 1024, bytes: 64 * 1024, lines: 500 };
/** How many offsets are tried at once to find the end. */
const probes = 10;
/** How many steps one look takes. */
const maxSteps = 4;
/** A shorter text shows hardly anything, so more is loaded at once. */
const leastCharacters = 4 * 1024;
/** What following keeps. It drops the earliest lines when the text is twice as long. */
const maxKept = 1024 * 1024;
/** Known text that each read repeats, every second for hours. */
const maxOverlap = 400;
/** How far an offset may be off: a platform may count from one, or cut a character of several bytes. */
const maxShift = 4;

/**
 * The end of a log that grows. Each read includes text that is already known. This shows whether the log was rotated or
 * shortened, and what the platform's offsets count, so that no line is lost or repeated.
 */
export class LogTail {
  /** The text from `#start`, an offset as the platform counts. */
  #read = '';
  #start = 0;
  #added = '';
  #unit: Unit = 'characters';

  private constructor(
    private readonly source: LogSource,
    private readonly flood: Flood,
  ) {}

  static async open(source: LogSource, flood: Flood = 'skip'): Promise<LogTail> {
    const tail = new LogTail(source, flood);
    await tail.#readFirst();
    return tail;
  }

  /** Whole lines, except that the log may end within one. */
  get text(): string {
    return this.isFromStart ? this.#read : this.#read.slice(afterFirstLine(this.#read));
  }

  get isFromStart(): boolean {
    return this.#start === 0;
  }

  /** What the last `readOn` added, before it found that the log was rotated if it did. */
  get added(): string {
    return this.#added;
  }

  /** Reads what was added since. If a request fails after others, what they returned counts. */
  async readOn(): Promise<LogChange> {
    this.#added = '';
    try {
      return await this.#readSteps();
    } catch (error) {
      if (this.#added === '') {
        throw error;
      }
      return 'added';
    }
  }

  async #readSteps(): Promise<LogChange> {
    let change: LogChange = 'none';
    for (let step = 0; step < maxSteps; step++) {
      const added = await this.#readAdded();
      if (added === undefined) {
        await this.#readEnd();
        return 'restarted';
      }
      if (added === '') {
        return change;
      }
      this.#read += added;
      this.#added += added;
      this.#dropEarliest();
      change = 'added';
      if (size(added, this.#unit) < stepOf[this.#unit] / 2) {
        return change;
      }
    }
    if (this.flood === 'read') {
      return change;
    }
    await this.#readEnd();
    return 'skipped';
  }

  /** Puts earlier lines before the text. */
  async loadEarlier(): Promise<LogChange> {
    if (this.isFromStart) {
      return 'none';
    }
    const head = this.#read.slice(0, maxOverlap);
    const from = Math.max(0, this.#start - stepOf[this.#unit]);
    const read = await this.#readAt(from, this.#start - from + Buffer.byteLength(head) + maxShift);
    const joint = indexNear(read, head, this.#start - from);
    if (joint < 0) {
      await this.#readEnd();
      return 'restarted';
    }
    this.#read = read.slice(0, joint) + this.#read;
    this.#start = joint === 0 ? 0 : from;
    return joint === 0 ? 'none' : 'added';
  }

  /** Returns the text behind the known one, or undefined if the known one isn't there anymore. */
  async #readAdded(): Promise<string | undefined> {
    if (this.#read === '' && !this.isFromStart) {
      // The log was shortened while its end was read. Nothing is known that could show where it goes on.
      return undefined;
    }
    const known = this.#read.slice(0, startOfOverlap(this.#read));
    const overlap = this.#read.slice(known.length);
    const tried = new Set<number>();
    for (const unit of [this.#unit, ...units]) {
      const from = this.#start + size(known, unit);
      if (tried.has(from)) {
        continue;
      }
      tried.add(from);
      const read = await this.#readAt(from, stepOf[unit] + Buffer.byteLength(overlap) + maxShift);
      const joint = unit === 'lines' ? read.indexOf(overlap) : indexNear(read, overlap, 0);
      if (joint >= 0) {
        this.#unit = unit;
        return read.slice(joint + overlap.length);
      }
    }
    return undefined;
  }

  /** Changes nothing if a request fails, so that the next look finds out again that the end is to be read. */
  async #readEnd(): Promise<void> {
    const end = await LogTail.open(this.source, this.flood);
    [this.#read, this.#start, this.#unit] = [end.#read, end.#start, end.#unit];
  }

  async #readFirst(): Promise<void> {
    const [length, first] = await Promise.all([this.source.length(), this.source.read(0, 2)]);
    // Two lines are longer than two characters.
    this.#unit = first.length > 2 ? 'lines' : 'characters';
    this.#start = this.#unit === 'lines' ? await this.#offsetNearEnd(length) : Math.max(0, length - stepOf.characters);
    this.#read = await this.#readFromStart();
    if (this.#read === '' && this.#start > 0) {
      // The listing counts more than the log has characters, or the log was shortened.
      this.#start = await this.#offsetNearEnd(this.#start);
      this.#read = await this.#readFromStart();
    }
    if (this.#read.length < leastCharacters) {
      await this.loadEarlier();
    }
  }

  #readFromStart(): Promise<string> {
    return this.#readAt(this.#start, 2 * stepOf[this.#unit]);
  }

  /** Leaves out characters that are cut at the ends. Those at the end are read again later. */
  async #readAt(from: number, count: number): Promise<string> {
    const read = (await this.source.read(from, count)).replace(/[\uFFFD\uD800-\uDBFF]$/, '');
    return from > 0 ? read.replace(/^[\uFFFD\uDC00-\uDFFF]+/, '') : read;
  }

  /** Finds an offset that is at most a step before the end, with several requests at once. */
  async #offsetNearEnd(beyond: number): Promise<number> {
    let [before, after] = [0, beyond];
    while (after - before > stepOf[this.#unit]) {
      const [first, width] = [before, (after - before) / (probes + 1)];
      const offsets = Array.from({ length: probes }, (_, index) => Math.floor(first + (index + 1) * width));
      const texts = await Promise.all(offsets.map((offset) => this.source.read(offset, 2)));
      const [end, bounds] = [texts.indexOf(''), [before, ...offsets, after]];
      const index = end < 0 ? probes : end;
      [before, after] = [bounds[index] ?? before, bounds[index + 1] ?? after];
    }
    return before;
  }

  #dropEarliest(): void {
    if (this.#read.length > 2 * maxKept) {
      const dropped = afterFirstLine(this.#read, this.#read.length - maxKept);
      this.#start += size(this.#read.slice(0, dropped), this.#unit);
      this.#read = this.#read.slice(dropped);
    }
  }
}

function size(text: string, unit: Unit): number {
  switch (unit) {
    case 'characters':
      return text.length;
    case 'bytes':
      return Buffer.byteLength(text);
    case 'lines':
      return text.split('\n').length - 1;
  }
}

/** Returns where the first line after an index begins, or the index if no line ends there. */
function afterFirstLine(text: string, from = 0): number {
  const end = text.indexOf('\n', from);
  return end < 0 ? from : end + 1;
}

/** Starts with a whole line if there is one, because a platform may count lines. */
function startOfOverlap(text: string): number {
  const earliest = Math.max(0, text.length - maxOverlap);
  return earliest === 0
    ? 0
    : Math.min(afterFirstLine(text, earliest), Math.max(earliest, text.lastIndexOf('\n', text.length - 2) + 1));
}

/** Returns where a part begins, next to the expected index if the part repeats. */
function indexNear(text: string, part: string, expected: number): number {
  for (let shift = 0; shift <= maxShift; shift++) {
    if (text.startsWith(part, expected + shift)) {
      return expected + shift;
    }
  }
  return expected === 0 ? -1 : text.lastIndexOf(part);
}

export interface Least {
  readonly lines: number;
  readonly characters: number;
}

/** Reads the end of a log, until there are so many lines or characters. Leaves out logins in URLs. */
export async function endOfLog(source: LogSource, { lines, characters }: Least) {
  const tail = await LogTail.open(source);
  const isEnough = () => tail.text.length > characters || tail.text.split('\n').length > lines;
  while (!tail.isFromStart && !isEnough() && (await tail.loadEarlier()) === 'added') {
    // Goes on until there are enough lines.
  }
  const { text } = tail;
  return { text: withoutLogins(text, undefined, !text.endsWith('\n')), isWhole: tail.isFromStart };
}

/** Logs that say why a service didn't start, the most telling first. */
const telling: readonly RegExp[] = [/err/i, /catalina|server\.log|run\.log|node|mysqld|postgres|fpm/i];
/** Written to whether a service works or not. */
const beside = /access|slow|\/(?:audit|btmp|cron|dpkg|jelastic|maillog|messages|secure|yum)/i;
/** Written by deployments. Of those with the same time, the most telling is the first. */
const ofDeployments: readonly string[] = [
  deployLogNames.hooks,
  deployLogNames.update,
  deployLogNames.autoResolve,
  deployLogNames.deploy,
];
/** In milliseconds. Services write several logs while they fail to start. */
const atTheSameTime = 5 * 60 * 1000;

export interface Failure {
  /** Whether a deployment failed, not a service. */
  readonly isDeployment?: boolean;
  /** In milliseconds since the epoch. */
  readonly moment: number;
  /** The node's type, such as `nginxphp`. */
  readonly type?: string | undefined;
}

/**
 * Returns the log that most likely says why a service failed to start, or a deployment failed, at a moment, by name, of those
 * written to since then.
 */
export function logThatMatters(
  logs: readonly FileEntry[],
  { moment, type = '', isDeployment = false }: Failure,
): FileEntry | undefined {
  const stack =
    /^(?:nginx|apache|httpd|tomcat|mysql|mariadb|postgres|node|redis|mongo|haproxy|php)/i.exec(type)?.[0] ?? '';
  const orderOf = ({ name }: FileEntry) => (isDeployment ? ofDeployments.indexOf(name) : -1);
  const candidates = logs.filter((log) => log.length !== 0 && (orderOf(log) >= 0 || !beside.test(log.absolutePath)));
  const changed = candidates.map((log) => ({ log, at: readTimestamp(log.lastModified)?.getTime() ?? 0 }));
  // The platform's clock may be behind.
  const since = Math.min(moment, Math.max(0, ...changed.map(({ at }) => at))) - atTheSameTime;
  const recent = changed.filter(({ at }) => at >= since);
  const rank = (log: FileEntry) => {
    if (orderOf(log) >= 0) {
      return -1;
    }
    const { absolutePath, name } = log;
    const kind = telling.findIndex((pattern) => pattern.test(name));
    return (kind < 0 ? telling.length : kind) * 2 + (stack !== '' && absolutePath.includes(stack) ? 0 : 1);
  };
  // A deployment ends at the step that fails, so of its logs, the newest has the failure.
  const compare = (one: (typeof recent)[number], other: (typeof recent)[number]) =>
    rank(one.log) - rank(other.log) ||
    (orderOf(one.log) < 0 ? 0 : other.at - one.at || orderOf(one.log) - orderOf(other.log));
  return [...recent].sort(compare)[0]?.log;
}
