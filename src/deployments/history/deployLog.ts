import { readTimestamp } from '../../platform/wire/timestamp';

/** The folder where nodes keep their deployment logs. */
export const nodeLogFolder = '/var/log/jelastic/vcs';
export const nodeLogName = 'vcs_update.log';

const failureWords =
  /\b(?:error|fatal|fail(?:ed|ure)?|conflicts?|denied|refused|cannot|could not|unable|not found|abort(?:ed|ing)?|overwritten|exception|E\d{6})\b/i;
/** How programs mark the line with the cause of a failure. */
const cause = /(?:^|\s)(?:error|fatal|ERR!|E\d{6})(?::|\s)/i;
/** What programs add after the cause. */
const echo = /^\W*(?:abort(?:ing|ed)?\W*$|please\b)/i;
/** Said by the message already. */
const prefix = /^failed:\s*/i;
const timestamp = /^\[?(\d{4}-\d\d-\d\d[T ][\d:.,Z+-]+?)\]?:?\s+/;
/** As `date` and `date +%D.%k:%M:%S.%N` print it. The vendor's scripts write the second one without a space, or twice. */
const dates =
  /^(?:[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d(?: [AP]M)? \S+ \d{4}(?:\s+|$)|\d\d\/\d\d\/\d\d\.[ \d]\d:\d\d:\d\d\.\d{9})+\s*/;
const longest = 200;

/** Picks the log line that explains a failed deployment best. For display only: nothing depends on it. */
export function decisiveLine(log: string): string | undefined {
  const lines = withoutTimes(log.split('\n')).filter((line) => line !== '');
  const index = decisiveIndex(lines);
  const line = lines[index];
  if (line === undefined) {
    return undefined;
  }
  // Programs list the files below such a line.
  const next = lines[index + 1];
  const whole = line.endsWith(':') && next !== undefined ? `${line} ${next}` : line;
  const said = whole.replace(prefix, '');
  return said.length > longest ? `${said.slice(0, longest - 1)}…` : said;
}

/** Returns the index of that line, or -1. */
export function decisiveIndex(log: readonly string[]): number {
  const lines = withoutTimes(log);
  const isCandidate = (line: string) => (failureWords.test(line) || cause.test(line)) && !echo.test(line);
  const index = lines.findIndex((line) => isCandidate(line) && cause.test(line));
  return index < 0 ? lines.findLastIndex(isCandidate) : index;
}

function withoutTimes(lines: readonly string[]): readonly string[] {
  return lines.map((line) => line.trim().replace(timestamp, '').replace(dates, ''));
}

/** Returns the branch that Git last tried to pull, if it's gone from the repository. */
export function goneBranchIn(log: string): string | undefined {
  const said = /specifies to merge with the ref '(?:refs\/heads\/)?([^']+)'\s+from the remote, but no such ref/g;
  return [...log.matchAll(said)].at(-1)?.[1];
}

/** Returns the revision that `svn` reported, if it's the same on every node. */
export function subversionRevision(log: string): string | undefined {
  const said = [...log.matchAll(/^(?:At|Updated to|Checked out) revision (\d+)\.$/gm)].map(([, revision]) => revision);
  return new Set(said).size === 1 ? said[0] : undefined;
}

/** Returns the `svn` revision in the part added to a log; `undefined` if there is none or more than one. */
export function revisionSince(before: string | undefined, after: string | undefined): string | undefined {
  return before === undefined || after?.startsWith(before) !== true
    ? undefined
    : subversionRevision(after.slice(before.length));
}

/** When a redeploy began, and how long a node's log was then, in bytes. */
export interface LogStart {
  readonly startedAt: number;
  /** `undefined` if it isn't known. */
  readonly length: number | undefined;
}

/** Returns what a node's log says since a redeploy began, as far as that's certain: earlier lines are about another one. */
export function logSince(log: string, { startedAt, length }: LogStart): string {
  // Each of these characters replaces at least one byte. Too few bytes leave out a new line, too many show an old one.
  const bytes = Buffer.from(log.replaceAll('\uFFFD', '?'));
  // A shorter log was replaced or read in part.
  return length !== undefined && length <= bytes.length
    ? bytes.subarray(length).toString()
    : writtenBetween(log, startedAt, Date.now());
}

/**
 * Returns the part from the first line with a time after the start. The node's clock may differ, or be in another time
 * zone. If it's ahead, an old line looks new, so nothing counts if a line is from the future. If it's behind, nothing
 * looks new.
 */
function writtenBetween(log: string, start: number, end: number): string {
  const lines = log.split('\n');
  const times = lines.map((line) => readTimestamp(timestamp.exec(line)?.[1]?.replace(',', '.'))?.getTime() ?? 0);
  const first = times.findIndex((time) => time > start);
  return first < 0 || times.some((time) => time > end) ? '' : lines.slice(first).join('\n');
}

/** What a log says since a deployment began. */
export interface LogPart {
  readonly text: string;
  /** Whether no line can be about a later deployment. */
  readonly isEndKnown: boolean;
}

/** Leaves out later deployments from what a log says since one began, if the next one begins with the same line. */
export function firstDeployment(log: string): LogPart {
  const lines = log.split('\n');
  const texts = withoutTimes(lines);
  const [begin] = texts.filter((text) => text !== '');
  const next = begin === undefined ? -1 : texts.indexOf(begin, texts.indexOf(begin) + 1);
  return next < 0
    ? { text: log, isEndKnown: begin === undefined }
    : { text: lines.slice(0, next).join('\n'), isEndKnown: true };
}
