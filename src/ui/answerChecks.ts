import type { QuickInput } from 'vscode';
import { failureText } from './failureMessages';

/** Checks an answer, for example by a request. Returns a message if it's wrong. */
export type AnswerCheck = (text: string, signal: AbortSignal) => Promise<string | undefined>;

/** Runs the check of an accepted answer while its question stays open. A changed answer cancels it. */
export class AnswerChecks {
  private running = new AbortController();

  constructor(private readonly input: QuickInput) {}

  async run(check: AnswerCheck | undefined, text: string): Promise<{ readonly text: string } | 'canceled' | undefined> {
    if (check === undefined) {
      return undefined;
    }
    const { signal } = (this.running = new AbortController());
    this.input.busy = true;
    const problem = await check(text, signal).catch((error: unknown) => failureText(error));
    if (signal.aborted) {
      return 'canceled';
    }
    this.input.busy = false;
    return problem === undefined ? undefined : { text: problem };
  }

  cancel(): void {
    this.running.abort();
    this.input.busy = false;
  }
}
