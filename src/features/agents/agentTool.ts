import { l10n } from 'vscode';
import * as v from 'valibot';
import type { ChangeQuestion } from '../../ui/commands/protectedPrompt';
import { ExpectedError } from '../../ui/expectedError';
import { plainMarkdown } from '../../ui/plainText';

/** What VS Code asks before a tool changes something. The message is Markdown. */
interface Confirmation {
  readonly title: string;
  readonly message: string;
}

/** A tool that a language model can call. */
export interface AgentTool {
  readonly access: 'read' | 'write';
  /** Returns what it's about to do, for the person: as a sentence, or as a question if it changes something. */
  prepare(input: unknown, signal: AbortSignal): Promise<string | Confirmation | undefined>;
  /** Returns the result for the model. */
  invoke(input: unknown, signal: AbortSignal): Promise<string>;
}

/** Parses what a model passes. */
export function parsed<T extends v.GenericSchema>(schema: T, input: unknown): v.InferOutput<T> {
  const result = v.safeParse(schema, input);
  if (!result.success) {
    const [issue] = result.issues;
    throw new ExpectedError(
      l10n.t(
        'Nothing was done: {0} is wrong ({1}). Correct it and call again.',
        v.getDotPath(issue) ?? '',
        issue.message,
      ),
    );
  }
  return result.output;
}

const whole = v.pipe(v.number(), v.integer(), v.minValue(1));
export const pageEntries = { offset: v.optional(whole), limit: v.optional(whole) };
export const placeEntry = { place: v.pipe(v.string(), v.trim()) };
export const countEntry = v.optional(whole, 1);
const name = v.optional(v.string());
export const namesEntries = { account: name, environment: name, layer: name, project: name };

/** What was shown in confirmations, so that a tool does exactly that. */
export class ShownChanges {
  private readonly shown = new Map<string, string>();

  /** Call this before finding out what to show: the user may have declined what was shown last. */
  forget(key: string): void {
    this.shown.delete(key);
  }

  add(key: string, change: string): void {
    this.shown.set(key, change);
  }

  /** Whether exactly this change was shown last. Counts once. */
  take(key: string, change: string): boolean {
    const isShown = this.shown.get(key) === change;
    this.shown.delete(key);
    return isShown;
  }
}

export function notShown(): ExpectedError {
  return new ExpectedError(
    l10n.t('Nothing was changed: the state has changed since the user confirmed. Call the tool again.'),
  );
}

export function declined(): ExpectedError {
  return new ExpectedError(
    l10n.t(
      "Nothing was changed: the user didn't agree to change a production environment. Ask them before you try again.",
    ),
  );
}

export function confirmationOf({
  question,
  paragraphs,
}: Pick<ChangeQuestion, 'question' | 'paragraphs'>): Confirmation {
  const message = paragraphs.filter((one) => one !== undefined && one !== '').join('\n\n');
  return { title: question, message: plainMarkdown(message) };
}
