import * as v from 'valibot';
import { systemTime, type TimeSource } from '../../../async/waiting';
import { deployLogNames } from '../../../containers/logs/stackLogs';
import { withoutLogins } from '../../../containers/secretFiles';
import { readTimestamp } from '../../../platform/wire/scalars';

/** What one log on one node says about a redeploy. */
export const logSection = v.object({ node: v.string(), path: v.string(), text: v.string() });
export type LogSection = Readonly<v.InferOutput<typeof logSection>>;

const failureWords =
  /\b(?:error|fatal|fail(?:ed|ure)?|conflicts?|denied|refused|cannot|could not|unable|not found|abort(?:ed|ing)?|overwritten|exception|not currently on a branch|to merge with the ref|E\d{6})\b/i;
/** How programs mark the line with the cause of a failure. */
const cause = /(?:^|\s)(?:error|fatal|ERR!|E\d{6})(?::|\s)/i;
/** What programs add after the cause. */
const echo = /^\W*(?:abort(?:ing|ed)?\W*$|please\b)/i;
/** Said by the message already. */
const prefix = /^failed:\s*/i;
const timestamp = /^\[?(\d{4}-\d\d-\d\d[T ][\d:.,Z+-]+?)\]?:?\s+/;
/**
 * As `date` and `date +%D.%k:%M:%S.%N` print it. The vendor's scripts write a level before the first one, and the second one
 * without a space, or twice.
 */
const dates =
  /^(?:(?:\[[A-Z]+\] )?[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d(?: [AP]M)? \S+ \d{4}(?:\s+|$)|\d\d\/\d\d\/\d\d\.[ \d]\d:\d\d:\d\d\.\d{9})+\s*/;
const longest = 200;

/** Picks the log line that explains a failed deployment best. For display only: nothing depends on it. */
export function decisiveLine(log: string): string | undefined {
  const lines = linesOf(log).filter((line) => line !== '');
  const index = decisiveIndex(lines);
  const line = lines[index];
  if (line === undefined) {
    return undefined;
  }
  // Programs list the files below such a line, or Git says after a branch's name that it's gone.
  const next = lines[index + 1];
  const whole = /:$|\bmerge with the ref '[^']*'$/.test(line) && next !== undefined ? `${line} ${next}` : line;
  return shortened(whole.replace(prefix, ''));
}

function shortened(line: string): string {
  return line.length > longest ? `${line.slice(0, longest - 1)}…` : line;
}

/** How a failed hook ended, according to `hooks.log`. */
export interface HookFailure {
  /** What the hook printed that explains it best, if it printed anything. */
  readonly words: string | undefined;
  /** The line that says that the hook failed. */
  readonly ending: string;
  /** The index of the line with the words, or else of the one that says that it failed. */
  readonly index: number;
}

const hookBegins = /^Applying .* hook\b/;

function isHookEnd(line: string): boolean {
  const hook = line.search(/\bhook\b/i);
  return hook >= 0 && /\b(?:failed|timed out)\b/i.test(line.slice(hook));
}

export function hookFailure(log: string): HookFailure | undefined {
  const lines = linesOf(log);
  const end = lines.findLastIndex(isHookEnd);
  if (end < 0) {
    return undefined;
  }
  const begin = lines.findLastIndex((line, index) => index < end && hookBegins.test(line)) + 1;
  const printed = lines.slice(begin, end);
  const decisive = decisiveIndex(printed);
  const index = decisive < 0 ? printed.findLastIndex((line) => line !== '') : decisive;
  const words =
    index < 0 ? undefined : decisive < 0 ? shortened(printed[index] ?? '') : decisiveLine(printed.join('\n'));
  return { words, ending: shortened(lines[end] ?? ''), index: index < 0 ? end : begin + index };
}

/** Divides a log into lines as VS Code does, also where programs show their progress. */
export function splitLines(log: string): readonly string[] {
  return log.split(/\r\n|\r|\n/);
}

/** Returns the index of that line, or -1. */
export function decisiveIndex(log: readonly string[]): number {
  const lines = withoutTimes(log);
  const isCandidate = (line: string) => (failureWords.test(line) || cause.test(line)) && !echo.test(line);
  const index = lines.findIndex((line) => isCandidate(line) && cause.test(line));
  return index < 0 ? lines.findLastIndex(isCandidate) : index;
}

function linesOf(log: string): readonly string[] {
  return withoutTimes(splitLines(log));
}

function withoutTimes(lines: readonly string[]): readonly string[] {
  return lines.map((line) => line.trim().replace(timestamp, '').replace(dates, ''));
}

/** Returns the branch that Git last tried to pull, if it's gone from the repository. */
export function goneBranchIn(log: string): string | undefined {
  const said = /specifies to merge with the ref '(?:refs\/heads\/)?([^']+)'\s+from the remote, but no such ref/g;
  return [...log.matchAll(said)].at(-1)?.[1];
}

/** How Git says that a branch doesn't exist: a fetch, a clone, and a checkout. */
const missingBranch =
  /^fatal: (?:couldn't find remote ref (?:refs\/heads\/)?|Remote branch )(\S+)(?: not found in upstream .*)?$|^error: pathspec '([^']+)' did not match any file/;

/**
 * Whether Git said that a branch doesn't exist. Once something else failed, such as the connection, a branch that wasn't
 * fetched yet looks the same to it, unless the remote was reached and listed its branches.
 */
export function isBranchMissingIn(log: string, branch: string): boolean {
  const [, remote, local] =
    missingBranch.exec(linesOf(log).find((line) => /^(?:fatal|error): /.test(line)) ?? '') ?? [];
  return (remote ?? local) === branch || goneBranchIn(log) === branch;
}

/** What the vendor's scripts write in front of what `svn` prints, without a line break. */
const beforeRevision = String.raw`^(?:.*; ?Directory - [^;]*;)?`;
const revisionLine = new RegExp(`${beforeRevision}(?:At|Updated to|Checked out) revision (\\d+)\\.$`);

/** Returns the revision that `svn` reported, if it's the same on every node. */
export function subversionRevision(log: string): string | undefined {
  const said = linesOf(log).flatMap((line) => revisionLine.exec(line)?.[1] ?? []);
  return new Set(said).size === 1 ? said[0] : undefined;
}

/**
 * Returns what a node's log says since a redeploy began, as far as that's certain: earlier lines are about another one.
 * @param length how long the log was then, in bytes; `undefined` if it isn't known
 */
export function logSince(
  log: string,
  { startedAt, length }: { readonly startedAt: number; readonly length: number | undefined },
): string {
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
  const times = lines.map((line) => timeIn(line)?.getTime() ?? 0);
  const first = times.findIndex((time) => time > start);
  return first < 0 || times.some((time) => time > end) ? '' : lines.slice(first).join('\n');
}

const dateWithZone = /^(?:\[[A-Z]+\] )?([A-Z][a-z]{2} [A-Z][a-z]{2}) ([ \d]\d) (\d\d:\d\d:\d\d \S+ \d{4})/;
const shortDate = /^(\d\d)\/(\d\d)\/(\d\d)\.([ \d]\d):(\d\d:\d\d\.\d{9})/;

function timeIn(line: string): Date | undefined {
  const [, month, day, year, hour = '', rest = ''] = shortDate.exec(line) ?? [];
  if (month !== undefined) {
    return readTimestamp(`20${year}-${month}-${day} ${hour.replace(' ', '0')}:${rest}`);
  }
  const [, weekday, date = '', time] = dateWithZone.exec(line) ?? [];
  return readTimestamp(
    weekday === undefined
      ? timestamp.exec(line)?.[1]?.replace(',', '.')
      : `${weekday} ${date.replace(' ', '0')} ${time}`,
  );
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

/** The length in bytes of each log on one node, by its path. */
export type LogLengths = Readonly<Record<string, number>>;

/** When a redeploy began, and how long the logs were then, by the node's name, where that's known. */
export interface LogBaseline {
  readonly startedAt: number;
  readonly logLengths?: Readonly<Record<string, LogLengths>> | undefined;
  /** There may have been other redeploys since, whose lines aren't wanted. */
  readonly isLongAgo?: boolean;
}

/** How long after a read on a node the next one begins. */
const pauseMs = 3_000;
/** Only whole files are read, so longer ones aren't, in bytes. */
const longestFollowed = 1024 * 1024;
const followed: readonly string[] = [deployLogNames.update, deployLogNames.hooks];

/** Returns a log's whole text, or `undefined` if it doesn't exist or couldn't be read. */
type ReadLog = (node: string, path: string) => Promise<string | undefined>;

/** Follows the logs of a running redeploy while they're shown, with one read at a time on each node, and pauses between them. */
export class LiveDeployLog {
  readonly #nodes: readonly FollowedNode[];

  constructor(baseline: LogBaseline, read: ReadLog, changed: () => void, time: TimeSource = systemTime) {
    const nodes = Object.keys(baseline.logLengths ?? {});
    this.#nodes = nodes.map((node) => new FollowedNode(node, baseline, read, changed, time));
  }

  get sections(): readonly LogSection[] {
    return this.#nodes.flatMap((node) => node.sections);
  }

  show(): void {
    this.#nodes.forEach((node) => node.show());
  }

  hide(): void {
    this.#nodes.forEach((node) => node.hide());
  }
}

/** Reads one log after the other, but stays with one as long as it grows. */
class FollowedNode {
  readonly #paths: readonly string[];
  readonly #texts = new Map<string, string>();
  readonly #tooLong = new Set<string>();
  #turn = 0;
  #isVisible = false;
  #isReading = false;
  #nextAt = 0;
  #stopTimer: () => void = () => undefined;

  constructor(
    private readonly node: string,
    private readonly baseline: LogBaseline,
    private readonly read: ReadLog,
    private readonly changed: () => void,
    private readonly time: TimeSource,
  ) {
    const lengths = this.#lengths;
    this.#paths = followed.flatMap((name) => {
      const paths = Object.keys(lengths).filter((path) => path.endsWith(`/${name}`));
      // Where one was before, the next lines are expected, too.
      const found = paths.filter((path) => lengths[path] !== 0);
      return (found.length > 0 ? found : paths).filter((path) => (lengths[path] ?? 0) <= longestFollowed);
    });
  }

  get sections(): readonly LogSection[] {
    const sections = this.#paths.map((path) => ({ node: this.node, path, text: this.#texts.get(path) ?? '' }));
    return sections.filter(({ text }) => text !== '');
  }

  show(): void {
    this.#isVisible = true;
    this.#schedule();
  }

  hide(): void {
    this.#isVisible = false;
    this.#stopTimer();
  }

  get #lengths() {
    return this.baseline.logLengths?.[this.node] ?? {};
  }

  #schedule(): void {
    this.#stopTimer();
    if (this.#isVisible && !this.#isReading) {
      this.#stopTimer = this.time.after(Math.max(0, this.#nextAt - this.time.now()), () => void this.#look());
    }
  }

  async #look(): Promise<void> {
    const open = this.#paths.filter((path) => !this.#tooLong.has(path));
    const path = open[this.#turn % Math.max(1, open.length)];
    if (path === undefined) {
      return;
    }
    this.#isReading = true;
    const log = await this.read(this.node, path).catch(() => undefined);
    this.#isReading = false;
    this.#nextAt = this.time.now() + pauseMs;
    if (log === undefined) {
      // Keep what was read before.
      this.#turn += 1;
    } else {
      this.#note(path, log);
    }
    this.#schedule();
  }

  #note(path: string, log: string): void {
    const since = logSince(log, { startedAt: this.baseline.startedAt, length: this.#lengths[path] });
    const added = withoutLogins(since, undefined, !since.endsWith('\n'));
    if (log.length > longestFollowed) {
      this.#tooLong.add(path);
    }
    if (added === (this.#texts.get(path) ?? '')) {
      this.#turn += 1;
    } else {
      this.#texts.set(path, added);
      if (this.#isVisible) {
        this.changed();
      }
    }
  }
}
