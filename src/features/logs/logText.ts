// What is shown of a log's text, and when its lines were written.

import { withoutLogins } from '../../containers/secretFiles';
import { DeadlineExceeded, runWithin } from '../../ui/interruptible';

export interface LineFilter {
  /** As entered. */
  readonly text: string;
  /** Whether its expression took too long. From then on, it leaves out nothing. */
  readonly isTooSlow: boolean;
  /** Returns the lines to show. */
  select(lines: readonly string[]): readonly string[];
}

/** For the lines that are filtered at once, in milliseconds. Nothing else happens in the window meanwhile. */
const longestFiltering = 500;

/** Parses a filter: text in any case, or `/regular expression/`; a `!` before it hides the lines that match. */
export function parseFilter(text: string): LineFilter | 'invalid' | undefined {
  const isExcluding = text.startsWith('!');
  const wanted = isExcluding ? text.slice(1) : text;
  if (wanted.trim() === '') {
    return undefined;
  }
  const [, expression] = /^\/(.+)\/i?$/.exec(wanted) ?? [];
  try {
    const pattern = new RegExp(expression ?? wanted.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`), 'i');
    return lineFilter(text, (line) => pattern.test(line.replace(/\n$/, '')) !== isExcluding);
  } catch {
    return 'invalid';
  }
}

/** Some expressions need hours for a single line. */
function lineFilter(text: string, isShown: (line: string) => boolean): LineFilter {
  let isTooSlow = false;
  return {
    text,
    get isTooSlow() {
      return isTooSlow;
    },
    select(lines) {
      if (isTooSlow || lines.length === 0) {
        return lines;
      }
      try {
        return runWithin(longestFiltering, () => lines.filter(isShown));
      } catch (error) {
        if (!(error instanceof DeadlineExceeded)) {
          throw error;
        }
        isTooSlow = true;
        return lines;
      }
    },
  };
}

/** Control sequences that color a terminal, and control characters that an editor shows as boxes. */
const controls = /\u001B\[[\d;?]*[ -/]*[@-~]|[\0-\u0008\u000B\u000C\u000E-\u001F\u007F]/g;

/** Returns the lines to show, each with its line end, without logins in URLs. A last line without one isn't finished. */
export function shownLines(text: string, filter: LineFilter | undefined): string {
  const read = text.replace(controls, '').replaceAll(/\r\n?/g, '\n');
  const plain = withoutLogins(read, undefined, !read.endsWith('\n'));
  if (filter === undefined) {
    return plain;
  }
  return filter.select(plain.match(/[^\n]+\n?|\n/g) ?? []).join('');
}

/** Returns whole lines at the end, which are at most this long in total if more than one. */
export function lastLines(text: string, most: number): string {
  if (text.length <= most) {
    return text;
  }
  const start = text.indexOf('\n', text.length - most - 1) + 1;
  return start === 0 || start === text.length
    ? text.slice(text.lastIndexOf('\n', text.length - 2) + 1)
    : text.slice(start);
}

interface LineTime {
  /** In milliseconds since the epoch, as if it were in UTC without a zone. */
  readonly at: number;
  readonly hasZone: boolean;
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
/** MariaDB writes a space before an hour of one digit. */
const time = String.raw`(?<h>\d\d| \d):(?<min>\d\d):(?<s>\d\d)(?:[.,](?<f>\d{1,9}))?`;
const zone = String.raw`(?: ?(?<zone>Z|[+-]\d\d:?\d\d)\b)?`;
const formats = [
  // 2026-11-24T22:03:15.123Z, 2026-11-24 22:03:15,123 and nginx's 2026/11/24 22:03:15
  String.raw`(?<y>\d{4})[-/](?<m>\d\d)[-/](?<d>\d\d)[T ]${time}${zone}`,
  // Access logs, PHP, and Redis: 24/Nov/2026:22:03:15 +0000, 24-Nov-2026 22:03:15, 24 Nov 2026 22:03:15.123
  String.raw`(?<d>\d{1,2})[-/ ](?<month>[A-Z][a-z]{2})[-/ ](?<y>\d{4})[: ]${time}${zone}`,
  // Apache: Tue Nov 24 22:03:15.123456 2026, and syslog without the year
  String.raw`(?<month>[A-Z][a-z]{2}) {1,2}(?<d>\d{1,2}) ${time}(?: (?<y>\d{4}))?`,
].map((format) => new RegExp(String.raw`(?<![\d/-])${format}`));
/** The time is at the start of a line, after a level, an address or a process at most. */
const longestStart = 200;

/** Returns when a line was written, in one of the common formats. */
function timeOf(line: string, now: number): LineTime | undefined {
  const start = line.slice(0, longestStart);
  const {
    y,
    m,
    month = '',
    d,
    h,
    min,
    s,
    f = '',
    zone: offset,
  } = formats
    .map((format) => format.exec(start))
    .filter((match) => match !== null)
    .sort((one, other) => one.index - other.index)[0]?.groups ?? {};
  const monthIndex = m === undefined ? months.indexOf(month.toLowerCase()) : Number(m) - 1;
  if (d === undefined || monthIndex < 0) {
    return undefined;
  }
  const parts = [Number(d), Number(h), Number(min), Number(s), Number(f.padEnd(3, '0').slice(0, 3))] as const;
  const year = new Date(now).getUTCFullYear();
  const inYear = (one: number) => Date.UTC(one, monthIndex, ...parts);
  const day = 24 * 60 * 60 * 1000;
  // Where the log is, the next year may have begun.
  const isNext = inYear(year + 1) <= now + 14 * 60 * 60 * 1000;
  const isLast = inYear(year) > now + 2 * day;
  const recent = inYear(isNext ? year + 1 : isLast ? year - 1 : year);
  const local = y !== undefined ? inYear(Number(y)) : recent;
  return { at: local - shiftOf(offset), hasZone: offset !== undefined };
}

/** Returns how far a zone, such as `+01:00`, is ahead of UTC, in milliseconds. */
function shiftOf(offset = ''): number {
  const [, sign, hours = 0, minutes = 0] = /([+-])(\d\d):?(\d\d)/.exec(offset) ?? [];
  return (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -60_000 : 60_000);
}

interface FoundMoment {
  /** The index of the first line at or after it; `undefined` if there's none. */
  readonly line: number | undefined;
  /** Whether the text has lines from before. If not, earlier ones may be at or after it, too. */
  readonly reachesBack: boolean;
}

const halfHour = 30 * 60 * 1000;

/**
 * Finds a recent moment. Most logs don't say their time zone. The last line was written shortly before `now`, so its
 * time shows the zone, if anything was written since the moment at all.
 */
export function findMoment(text: string, moment: number, now: number): FoundMoment {
  const lines = text.split('\n');
  const times = lines.map((line) => timeOf(line, now));
  const last = times.findLast((one) => one !== undefined && !one.hasZone);
  const offset = last === undefined ? 0 : Math.round((last.at - now) / halfHour) * halfHour;
  // Many logs count seconds.
  const since = Math.floor(moment / 1000) * 1000;
  const isSince = (one: LineTime | undefined) => one !== undefined && one.at - (one.hasZone ? 0 : offset) >= since;
  const line = times.findIndex(isSince);
  const first = times.find((one) => one !== undefined);
  return { line: line < 0 ? undefined : line, reachesBack: first !== undefined && !isSince(first) };
}
