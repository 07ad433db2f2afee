import { EventEmitter, type Pseudoterminal } from 'vscode';
import { failureText } from './failureMessages';
import { terminalText } from './terminalText';

/** What a task's work gets from its terminal. */
export interface TaskRun {
  /** Aborted when the user stops the task or closes its terminal. */
  readonly signal: AbortSignal;
  /** Shows lines, without anything that could control the terminal. */
  readonly say: (text: string) => void;
}

/** Runs a task's work as a terminal process. */
export class TaskTerminal implements Pseudoterminal {
  readonly #written = new EventEmitter<string>();
  readonly #closed = new EventEmitter<number>();
  readonly #stopping = new AbortController();
  readonly onDidWrite = this.#written.event;
  readonly onDidClose = this.#closed.event;

  /** @param work returns the exit code of the process */
  constructor(
    private readonly work: (run: TaskRun) => Promise<number>,
    private readonly exitCodeOfFailure = 1,
  ) {}

  open(): void {
    void this.#run();
  }

  close(): void {
    this.#stopping.abort();
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    const say = (text: string) => this.#written.fire(`${terminalText(text)}\r\n`);
    try {
      this.#closed.fire(await this.work({ signal, say }));
    } catch (error) {
      say(failureText(error));
      this.#closed.fire(this.exitCodeOfFailure);
    }
  }
}
