import { systemTime, type TimeSource } from '../../async/waiting';
import { type PlatformErrorKind, isPlatformError } from '../../platform/errors';
import { type LogSource, LogTail } from './logTail';
import { findMoment, type LineFilter } from './logText';
import { type LogPosition, ShownLog } from './shownLog';

export interface FollowedSource extends LogSource {
  /** Rejects if reading the log could wake up its environment. */
  ensureRunning(): Promise<void>;
  /** About how many bytes were transferred so far because only whole files can be read. */
  readonly wholeBytes: number;
}

interface FollowOptions {
  /** The system's, except in tests. */
  readonly time?: TimeSource;
  /** Called when the text, or what is said about it, has changed. */
  readonly changed: () => void;
  /** Says that the log was rotated, in the line above what it has since. */
  readonly rotationText: (moment: number) => string;
  /** Called with all that is added, however much it is. */
  readonly added?: (text: string) => void;
}

/** How long after a look the next one begins, in milliseconds. */
const interval = 1000;
const intervalAfterFailure = 5000;
const checkInterval = 60_000;
/**
 * Whole files are read at most this fast at first, in bytes a second, and by a factor of e slower after each of these
 * amounts. So 8 hours take less than 50 MB.
 */
const wholeRate = 100_000;
const wholeAmount = 6_000_000;
const maxSteps = 16;
/** They don't go away on their own. */
const lasting: readonly PlatformErrorKind[] = [
  'unauthenticated',
  'tokenLacksMethod',
  'forbidden',
  'invalid',
  'notRunning',
];

const noticeStart = '——— ';

/** Whether a line is Gantry's, which the log doesn't have. */
export const isNotice = (line: string): boolean => line.startsWith(noticeStart);

/** The shown part of a log. Follows the log while it's visible, unless it's paused. */
export class FollowedLog {
  readonly #shown: ShownLog;
  #isPaused = false;
  #isVisible = false;
  #problem: unknown;
  #restartedAt: number | undefined;
  #stopTimer: () => void = () => undefined;
  #reading: Promise<void> | undefined;
  #checkedAt: number;
  /** What was transferred before the person last came here, and by the last look. */
  #earlierBytes: number;
  #lookBytes = 0;
  #isDisposed = false;

  private constructor(
    private readonly source: FollowedSource,
    private readonly tail: LogTail,
    private readonly time: TimeSource,
    private readonly options: FollowOptions,
  ) {
    this.#checkedAt = time.now();
    this.#earlierBytes = source.wholeBytes;
    this.#shown = new ShownLog(tail);
  }

  static async open(source: FollowedSource, options: FollowOptions): Promise<FollowedLog> {
    const { time = systemTime, added } = options;
    return new FollowedLog(source, await LogTail.open(source, added && 'read'), time, options);
  }

  get text(): string {
    return this.#shown.text;
  }

  /** The start of a line whose end isn't written yet, as the log has it: if that's a login, it shows only with its end. */
  get unfinished(): string {
    return /[^\r\n]*$/.exec(this.tail.text)?.[0] ?? '';
  }

  /** Whether the text begins where the log does. */
  get isFromStart(): boolean {
    return this.#shown.isFromStart;
  }

  get filter(): LineFilter | undefined {
    return this.#shown.filter;
  }

  get isPaused(): boolean {
    return this.#isPaused;
  }

  /** Whether there are new lines that aren't shown, because the person reads earlier ones. */
  get isBehind(): boolean {
    return this.#shown.isBehind;
  }

  /** Why the last look failed. */
  get problem(): unknown {
    return this.#problem;
  }

  /** When the log was last found to be rotated or shortened. */
  get restartedAt(): number | undefined {
    return this.#restartedAt;
  }

  get position(): LogPosition {
    return this.#shown.position;
  }

  /** Looks at once, and then regularly. */
  show(): void {
    if (!this.#isVisible) {
      this.#isVisible = true;
      this.#earlierBytes = this.source.wholeBytes;
      this.#look();
    }
  }

  /** Sends nothing until it's shown again. */
  hide(): void {
    this.#isVisible = false;
    this.#stopTimer();
  }

  follow(): void {
    this.#isPaused = false;
    this.#problem = undefined;
    this.#earlierBytes = this.source.wholeBytes;
    this.moveTo('end');
    this.options.changed();
    this.#look();
  }

  pause(): void {
    this.#isPaused = true;
    this.#stopTimer();
    this.options.changed();
  }

  moveTo(position: LogPosition): void {
    const shown = this.#shown;
    if (shown.position !== position) {
      shown.position = position;
      if (position === 'end' && shown.isBehind) {
        shown.showEnd();
      }
      this.options.changed();
    }
  }

  filterBy(filter: LineFilter | undefined): void {
    this.#shown.filterBy(filter);
    this.options.changed();
  }

  /** Puts earlier lines before the text: the next part of the log, or of what the filter shows. */
  async loadEarlier(): Promise<void> {
    await this.#exclusively(async () => {
      const shown = this.#shown;
      shown.position = 'above';
      const before = shown.text.length;
      shown.showAll();
      for (let step = 0; step < maxSteps && shown.text.length <= before && !this.tail.isFromStart; step++) {
        await this.#loadStep();
      }
    });
    this.options.changed();
  }

  /** Returns the first shown line at or after a moment. Loads earlier lines until there are some from before. */
  async showMoment(moment: number): Promise<number | undefined> {
    let found = findMoment(this.#shown.all, moment, this.time.now());
    await this.#exclusively(async () => {
      for (let step = 0; step < maxSteps && !found.reachesBack && found.line !== undefined; step++) {
        if (this.tail.isFromStart) {
          break;
        }
        await this.#loadStep();
        found = findMoment(this.#shown.all, moment, this.time.now());
      }
    });
    if (found.line !== undefined) {
      this.#shown.position = 'above';
      this.#shown.showAll();
      this.options.changed();
    }
    return found.line;
  }

  dispose(): void {
    this.#isDisposed = true;
    this.hide();
  }

  /** The environment may have stopped since it was last checked, also while nothing was followed. */
  async #ensureRunning(): Promise<void> {
    const { time } = this;
    if (time.now() - this.#checkedAt >= checkInterval) {
      await this.source.ensureRunning();
      this.#checkedAt = time.now();
    }
  }

  async #loadStep(): Promise<void> {
    await this.#ensureRunning();
    const known = this.tail.text;
    if ((await this.tail.loadEarlier()) === 'restarted') {
      this.#noteRotation(known);
    }
    this.#shown.showAll();
  }

  /** As `tail -F`, keeps what was shown, and says that the rest is from another file. */
  #noteRotation(known: string): void {
    const { added, rotationText } = this.options;
    this.#restartedAt = this.time.now();
    const notice = `${noticeStart}${rotationText(this.#restartedAt)} ———\n`;
    this.#shown.rotate(known, notice);
    added?.(`\n${notice}${this.tail.text}`);
  }

  /** Waits for what is under way, because both change the same text. */
  async #exclusively(work: () => Promise<void>): Promise<void> {
    this.#stopTimer();
    while (this.#reading !== undefined) {
      // If it fails, its own caller hears of that.
      await this.#reading.catch(() => undefined);
    }
    try {
      await (this.#reading = work());
    } finally {
      this.#reading = undefined;
      this.#schedule(interval);
    }
  }

  #look(): void {
    this.#stopTimer();
    if (this.#isActive && this.#reading === undefined) {
      this.#reading = this.#readOn().finally(() => (this.#reading = undefined));
    }
  }

  get #isActive(): boolean {
    return this.#isVisible && !this.#isPaused && !this.#isDisposed;
  }

  #schedule(delay: number): void {
    this.#stopTimer();
    if (this.#isActive) {
      this.#stopTimer = this.time.after(delay, () => this.#look());
    }
  }

  async #readOn(): Promise<void> {
    const { changed, added } = this.options;
    const known = this.tail.text;
    const state = () => [this.#problem, this.text, this.isBehind];
    const [before, bytesBefore] = [state(), this.source.wholeBytes];
    try {
      await this.#ensureRunning();
      const { rendered } = this.#shown;
      const change = await this.tail.readOn();
      this.#problem = undefined;
      if (change !== 'none') {
        const read = this.tail.added;
        // What was shown anew during the look may have some of the added lines already.
        if (change === 'added' && rendered === this.#shown.rendered) {
          this.#shown.add(read);
        } else if (change !== 'restarted') {
          this.#shown.replace();
        }
        if (read !== '') {
          added?.(read);
        }
        if (change === 'restarted') {
          this.#noteRotation(known + read);
        }
      }
    } catch (error) {
      this.#problem = error;
      // The environment stopped, or the person has to do something first.
      this.#isPaused ||= !isPlatformError(error) || lasting.includes(error.kind);
    }
    this.#lookBytes = this.source.wholeBytes - bytesBefore;
    if (state().some((one, index) => one !== before[index])) {
      changed();
    }
    this.#schedule(this.#delay());
  }

  #delay(): number {
    const rate = wholeRate * Math.exp((this.#earlierBytes - this.source.wholeBytes) / wholeAmount);
    return Math.max(this.#problem === undefined ? interval : intervalAfterFailure, (this.#lookBytes / rate) * 1000);
  }
}
