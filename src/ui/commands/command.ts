import { commands as vscodeCommands, Disposable, l10n } from 'vscode';
import type { actsOn, TargetKind } from '../../commands';
import type { Loadable } from '../../lazy';
import { type CommandId, viewTitleCommands } from '../../manifest';
import { ExpectedError } from '../expectedError';

/** A command as it's registered. Only `command` makes one. */
export interface Handler<K extends TargetKind> {
  (...received: readonly unknown[]): Promise<void>;
  readonly actsOn: K;
}

/**
 * Makes a command.
 * @param resolve turns what VS Code, a key, or a link passes into what the command acts on; `undefined` ends it silently
 */
export function command<K extends TargetKind, T>(
  actsOn: K,
  resolve: (received: readonly unknown[]) => T | undefined | Promise<T | undefined>,
  run: (target: T) => unknown,
): Handler<K> {
  const handle = async (...received: readonly unknown[]) => {
    const target = await resolve(received);
    if (target !== undefined) {
      await run(target);
    }
  };
  return Object.assign(handle, { actsOn });
}

export function commandOnNothing(run: () => unknown): Handler<'none'> {
  return command('none', () => true, run);
}

export type Some<T> = readonly [T, ...T[]];

/** Returns `undefined` if there are none, so that a command does nothing. */
export function some<T>([first, ...others]: readonly T[]): Some<T> | undefined {
  return first && [first, ...others];
}

/** The commands' handlers, each for what its command acts on. */
export type CommandTable<C extends CommandId> = { readonly [Id in C]: Handler<(typeof actsOn)[Id]> };

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
