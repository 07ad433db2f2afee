import { commands, l10n, type LogOutputChannel, type MessageItem, type MessageOptions, window } from 'vscode';
import type { CommandId } from '../manifest';
import { isCanceled, isPlatformError } from '../platform/errors';
import { failureText, isExpected } from './failureMessages';
import { escapeLinks } from './escapeMarkup';
import type { RecentErrors } from './recentErrors';

/** The arguments after the text: the buttons, and before them the options of a modal. */
type Rest = readonly (MessageOptions | string)[];

/** Shows an information message without links, even if names or the platform's words contain some. */
export function showInformationMessage(text: string, ...rest: Rest): Thenable<string | undefined> {
  return show('showInformationMessage', escapeLinks(text), rest);
}

/** The same, with buttons that have more properties than a title. */
export function showInformationItems<T extends MessageItem>(
  text: string,
  options: MessageOptions,
  ...items: readonly T[]
): Thenable<T | undefined> {
  return window.showInformationMessage(escapeLinks(text), options, ...items);
}

export function showWarningMessage(text: string, ...rest: Rest): Thenable<string | undefined> {
  return show('showWarningMessage', escapeLinks(text), rest);
}

export function showErrorMessage(text: string, ...rest: Rest): Thenable<string | undefined> {
  return show('showErrorMessage', escapeLinks(text), rest);
}

/** Further buttons of a message, each with its action. */
export type OtherButtons = ReadonlyMap<string, () => unknown>;

/** Returned by the action of a question's other button if the user agreed there. Commands often return true. */
export const agreed = 'agreed';

/**
 * Asks a question, with its consequences as paragraphs. Returns whether the user chose the button. Any other button
 * runs its own action instead, which returns `agreed` if the user agreed there. Others may return anything.
 */
export async function confirm(
  question: string,
  paragraphs: readonly (string | undefined)[],
  button: string,
  others: OtherButtons = new Map(),
): Promise<boolean> {
  const detail = paragraphs.filter((paragraph) => paragraph !== undefined && paragraph !== '').join('\n\n');
  const chosen = await showWarningMessage(question, { modal: true, detail }, button, ...others.keys());
  return chosen === button || (await others.get(chosen ?? '')?.()) === agreed;
}

/** What a message says before and after an error. */
export interface AroundError {
  readonly before?: string;
  readonly after?: string;
}

/** Shows an error, and offers the diagnostics unless it's expected. Only a failed save's message keeps its links, because they are ours. */
export async function showFailure(
  { before = '', after = '' }: AroundError,
  error: unknown,
  ...buttons: readonly string[]
): Promise<string | undefined> {
  const text = [escapeLinks(before), failureText(error), escapeLinks(after)].filter(Boolean).join(' ');
  const copy = l10n.t('Copy Diagnostics');
  const offered = isExpected(error) ? buttons : [...buttons, copy];
  const chosen = await show('showErrorMessage', text, offered);
  if (chosen === copy) {
    await copyDiagnostics([error]);
  }
  return chosen;
}

/** Copies the diagnostics, with these errors among the last ones. */
export async function copyDiagnostics(errors: readonly unknown[]): Promise<void> {
  const command: CommandId = 'gantry.diagnostics.copy';
  await commands.executeCommand(command, { errors });
}

type How = 'showInformationMessage' | 'showWarningMessage' | 'showErrorMessage';

function show(how: How, text: string, rest: Rest): Thenable<string | undefined> {
  const options = rest.find((one) => typeof one === 'object');
  const buttons = rest.filter((one) => typeof one === 'string');
  return options === undefined ? window[how](text, ...buttons) : window[how](text, options, ...buttons);
}

/** Notifies the user of an error and offers the log. Canceling isn't an error. */
export async function notifyFailure(
  error: unknown,
  {
    log,
    recent,
    tryAgain,
  }: {
    readonly log: Pick<LogOutputChannel, 'error' | 'show'>;
    readonly recent: RecentErrors;
    readonly tryAgain?: (() => unknown) | undefined;
  },
): Promise<void> {
  if (isCanceled(error)) {
    if (error.isOutcomeUnknown) {
      void showInformationMessage(l10n.t('Canceled. The platform may still make the change.'));
    }
    return;
  }
  recent.note(error);
  log.error(error instanceof Error ? error.message : failureText(error));
  const showLog = l10n.t('Show Gantry Log');
  const check = l10n.t('Check Compatibility…');
  const again = l10n.t('Try Again');
  // A proxy may have answered instead of the platform.
  const isRepeatable = tryAgain !== undefined && isPlatformError(error) && error.obstacle === 'notOffered';
  const buttons = [...(isRepeatable ? [again] : []), showLog, ...(isUnexplained(error) ? [check] : [])];
  const chosen = await showFailure({}, error, ...buttons);
  if (chosen === showLog) {
    log.show();
  } else if (chosen === again) {
    await tryAgain?.();
  } else if (chosen === check) {
    const command: CommandId = 'gantry.platform.checkCompatibility';
    await commands.executeCommand(command);
  }
}

/** Whether Gantry can't read the platform's response. A web page or a redirect has another cause. */
function isUnexplained(error: unknown): boolean {
  return isPlatformError(error) && error.kind === 'protocol' && error.obstacle === undefined;
}

/** A modal has no room for more names. */
export const maxNamed = 10;

/** Formats the second paragraph of a modal: a name on each line, and how many more there are. */
export function modalLines(names: readonly string[]): string {
  const more = names.length - maxNamed;
  return [...names.slice(0, maxNamed), ...(more > 0 ? [l10n.t('and {0} more', more)] : [])].join('\n');
}
