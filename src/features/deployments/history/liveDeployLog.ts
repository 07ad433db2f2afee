import { withoutLogins } from '../../../containers/secretFiles';
import { systemTime, type TimeSource } from '../../../async/waiting';
import { deployLogNames } from '../../../containers/logs/stackLogs';
import type { LogBaseline } from '../deployedState/deployLogs';
import { type LogSection, logSince } from './deployLog';

/** How long after a read on a node the next one begins, in milliseconds. */
const interval = 3_000;
/** Only whole files are read, so longer ones aren't, in bytes. */
const longest = 1024 * 1024;
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
      return (found.length > 0 ? found : paths).filter((path) => (lengths[path] ?? 0) <= longest);
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
    this.#nextAt = this.time.now() + interval;
    if (log === undefined) {
      // Keep what was read before.
      this.#turn += 1;
    } else {
      this.#note(path, log);
    }
    this.#schedule();
  }

  #note(path: string, log: string): void {
    const added = withoutLogins(logSince(log, { startedAt: this.baseline.startedAt, length: this.#lengths[path] }));
    if (log.length > longest) {
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
