import { Disposable, EventEmitter, ProgressLocation, window } from 'vscode';
import type { CommandId, ViewId } from '../manifest';
import { Canceled } from '../platform/errors';
import { raceAbort } from '../async/waiting';
import { escapeLinks } from './escapeMarkup';

/** A handle for work that shows progress and can be canceled. */
export interface ProgressHandle {
  readonly signal: AbortSignal;
  /** @param share how much is done, from 0 to 1, if known */
  readonly say: (message: string, share?: number) => void;
}

interface ProgressOptions {
  readonly canStop?: boolean;
  readonly delay?: number;
  /** Shown after each message. */
  readonly link?: CommandLink;
}

interface CommandLink {
  readonly text: string;
  readonly command: CommandId;
  readonly argument: unknown;
}

/** Work that ends within this time, in milliseconds, shows no progress. */
const quiet = 800;

/**
 * Runs the work. If it takes longer than a moment, shows a notification, with a Cancel button if the work can be
 * stopped.
 * @param title a present participle and an object, without an ellipsis: "Renaming notes.txt"
 */
export async function withProgress<T>(
  title: string,
  work: (running: ProgressHandle) => Promise<T>,
  { canStop = true, delay = quiet, link }: ProgressOptions = {},
): Promise<T> {
  const stopping = new AbortController();
  const reported = new EventEmitter<Report>();
  const latest: { last: Report } = { last: {} };
  const result = work({
    signal: stopping.signal,
    say: (message, share) => {
      latest.last = share === undefined ? { message } : { message, share };
      reported.fire(latest.last);
    },
  });
  const timer = setTimeout(() => show(title, result, { stopping, reported, latest, canStop, link }), delay);
  return result.finally(() => {
    clearTimeout(timer);
    reported.dispose();
  });
}

/** Shows a bar at the top of a view while the work runs. */
export function showProgressIn(viewId: ViewId, work: Promise<unknown>): void {
  void window.withProgress({ location: { viewId } }, () => work);
}

/** For work that can't be stopped: cancel only stops waiting, with a note that the work may continue. */
export async function withDetachableProgress<T>(title: string, work: () => Thenable<T>): Promise<T> {
  return withProgress(title, ({ signal }) =>
    raceAbort(Promise.resolve(work()), signal, new Canceled(title, { isOutcomeUnknown: true })),
  );
}

/** For reads: cancel skips the rest, and nothing has changed. */
export async function withCancelableRead<T>(title: string, look: (signal: AbortSignal) => Promise<T>): Promise<T> {
  return withProgress(title, ({ signal }) =>
    raceAbort(look(signal), signal, new Canceled(title, { isOutcomeUnknown: false })),
  );
}

interface Report {
  readonly message?: string;
  readonly share?: number;
}

interface Shown {
  readonly stopping: AbortController;
  readonly reported: EventEmitter<Report>;
  readonly latest: { readonly last: Report };
  readonly canStop: boolean;
  readonly link: CommandLink | undefined;
}

function show(title: string, result: Promise<unknown>, { stopping, reported, latest, canStop, link }: Shown): void {
  // VS Code shows the title and a message as "title: message".
  const shownTitle = escapeLinks(latest.last.message === undefined ? `${title}…` : title);
  const options = { location: ProgressLocation.Notification, title: shownTitle, cancellable: canStop };
  void window.withProgress(options, async (progress, token) => {
    const shown = { share: 0 };
    const after = link === undefined ? '' : ` ${linkTo(link)}`;
    const report = ({ message, share = shown.share }: Report) => {
      const increment = Math.max(0, share - shown.share) * 100;
      shown.share = Math.max(share, shown.share);
      progress.report({ increment, ...(message === undefined ? {} : { message: escapeLinks(message) + after }) });
    };
    report(latest.last);
    const listening = Disposable.from(
      reported.event(report),
      token.onCancellationRequested(() => stopping.abort()),
    );
    // The caller handles the result. This only waits for the end.
    await result.catch(() => undefined);
    listening.dispose();
  });
}

/** VS Code ends a link's address at a bracket. */
function linkTo({ text, command, argument }: CommandLink): string {
  const query = encodeURIComponent(JSON.stringify([argument]))
    .replaceAll('(', '%28')
    .replaceAll(')', '%29');
  return `[${text}](command:${command}?${query})`;
}
