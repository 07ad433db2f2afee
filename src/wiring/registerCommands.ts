import { ExpectedError } from '../ui/expectedError';
import { commands as vscodeCommands, Disposable, l10n } from 'vscode';
import type { Loadable } from '../lazy';
import { type CommandId, viewTitleCommands } from '../manifest';

/** The commands' functions. Anyone can call a command, so its arguments are unknown. */
export type CommandTable<C extends CommandId> = Readonly<
  Record<C, (...received: readonly unknown[]) => Promise<void> | void>
>;

/**
 * Registers a feature's commands. The first one to run loads the feature. Errors go to `report`, with a function that runs
 * the command again.
 */
export function registerCommands<C extends CommandId>(
  ids: readonly C[],
  feature: Loadable<{ readonly commands: CommandTable<C> }>,
  report: (error: unknown, runAgain: () => unknown) => void,
): Disposable {
  const run = async (id: C, received: readonly unknown[]) => {
    if (isRowGone(received) && !viewTitleCommands.includes(id)) {
      throw new ExpectedError(
        l10n.t('Nothing was done, because the view reloaded while its menu was open. Try again.'),
      );
    }
    await feature.use(({ commands }) => commands[id](...received));
  };
  const runAndReport = (id: C, received: readonly unknown[]): Promise<void> =>
    run(id, received).catch((error: unknown) => report(error, () => runAndReport(id, received)));
  const registered = ids.map((id) =>
    vscodeCommands.registerCommand(id, (...received: unknown[]) => runAndReport(id, received)),
  );
  return Disposable.from(...registered);
}

/**
 * VS Code passes `undefined` for a row that was reloaded while its menu was open. The command must not fall back to
 * the selection or the active editor then, because the user clicked something else.
 */
function isRowGone(received: readonly unknown[]): boolean {
  const [first, several] = received;
  return received.length > 0 && (first === undefined || (Array.isArray(several) && several.includes(undefined)));
}
