import type { LogTail } from './logTail';
import { lastLines, type LineFilter, shownLines } from './logText';

/** Where the view of the log is. It scrolls with new lines only at the end. */
export type LogPosition = 'end' | 'above';

/**
 * VS Code finds out what changed in a text only up to this length. A longer one is replaced: selections are lost, and
 * everything is colored anew.
 */
export const maxCompared = 100_000;
const kept = 64_000;
/** What is remembered of the shown lines, in characters. */
const maxLines = 2 * 1024 * 1024;

/** What is shown of the end of a log: the lines that a filter leaves, as many as an editor can show quickly. */
export class ShownLog {
  position: LogPosition = 'end';
  /** How often everything that was read was shown anew. */
  rendered = 0;
  #filter: LineFilter | undefined;
  /** What is shown of the complete lines that were read, the incomplete last line, and what is shown of that. */
  #lines = '';
  #unended = '';
  #shownUnended = '';
  /** What was read of the log before it was rotated, the line that says so, and what is shown of both. */
  #rotated = '';
  #notice = '';
  #head = '';
  #text = '';
  #isBehind = false;

  constructor(private readonly tail: LogTail) {
    this.showEnd();
  }

  get text(): string {
    return this.#text;
  }

  /** All that was read and that the filter leaves, also before the shown text. */
  get all(): string {
    return this.#head + this.#lines + this.#shownUnended;
  }

  get filter(): LineFilter | undefined {
    return this.#filter;
  }

  /** Whether there are new lines that aren't shown, because the person reads earlier ones. */
  get isBehind(): boolean {
    return this.#isBehind;
  }

  /** Whether the text begins where the log does. */
  get isFromStart(): boolean {
    return this.tail.isFromStart && !this.#isBehind && this.#text.length >= this.#lines.length;
  }

  filterBy(filter: LineFilter | undefined): void {
    this.#filter = filter;
    this.position = 'end';
    this.showEnd();
  }

  showAll(): void {
    this.#render();
    this.#text = this.all;
    this.#isBehind = false;
  }

  showEnd(): void {
    this.#render();
    this.#text = lastLines(this.all, kept);
    this.#isBehind = false;
  }

  /** Shows what was added to the log. A text that is being read stays as it is, except that lines may be added to a short one. */
  add(read: string): void {
    const added = this.#append(read);
    if (added === undefined) {
      this.replace();
    } else if (added !== '') {
      this.#extend(added);
    }
  }

  /** Keeps what was read of a log that was rotated, above a line that says so and what was read since. */
  rotate(read: string, notice: string): void {
    const before = this.#rotated + this.#notice + read;
    this.#rotated = lastLines(/[^\n]$/.test(before) ? `${before}\n` : before, kept);
    this.#notice = notice;
    this.replace();
  }

  /** Shows the end of a log that was read anew, unless the person reads earlier lines. */
  replace(): void {
    if (this.position === 'above') {
      this.#isBehind = true;
    } else {
      this.showEnd();
    }
  }

  #extend(added: string): void {
    if (!this.#isBehind && this.#text.length <= maxCompared) {
      this.#text += added;
    } else if (this.position === 'above') {
      this.#isBehind = true;
    } else {
      this.#text = lastLines(this.all, kept);
    }
  }

  /** Returns what to add to the shown text, or `undefined` if it can't only be extended. */
  #append(added: string): string | undefined {
    if (this.#unended.length > maxLines) {
      this.#render();
      return undefined;
    }
    const [before, wasTooSlow] = [this.#shownUnended, this.#isTooSlow];
    const text = this.#unended + added;
    const end = text.lastIndexOf('\n') + 1;
    const lines = shownLines(text.slice(0, end), this.#filter);
    this.#unended = text.slice(end);
    this.#shownUnended = shownLines(this.#unended, this.#filter);
    if (this.#isTooSlow !== wasTooSlow) {
      this.#render();
      return undefined;
    }
    this.#lines = this.#lines.length > maxLines ? lastLines(this.#lines, maxLines / 2) + lines : this.#lines + lines;
    const now = lines + this.#shownUnended;
    return now.startsWith(before) ? now.slice(before.length) : undefined;
  }

  get #isTooSlow(): boolean {
    return this.#filter?.isTooSlow === true;
  }

  #render(): void {
    this.rendered += 1;
    const wasTooSlow = this.#isTooSlow;
    this.#head = shownLines(this.#rotated, this.#filter) + this.#notice;
    const { text } = this.tail;
    const end = text.lastIndexOf('\n') + 1;
    this.#lines = shownLines(text.slice(0, end), this.#filter);
    this.#unended = text.slice(end);
    this.#shownUnended = shownLines(this.#unended, this.#filter);
    if (this.#isTooSlow !== wasTooSlow) {
      // It leaves out nothing from now on, so show what it left out before.
      this.#render();
    }
  }
}
