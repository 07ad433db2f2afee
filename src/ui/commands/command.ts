import { commands as vscodeCommands, Disposable, l10n } from 'vscode';
import type { TargetKind, TargetOf } from '../../commands';
import type { Loadable } from '../../lazy';
import type { CommandId } from '../../manifest';
import { ExpectedError } from '../expectedError';
import { Call } from './call';

/** A command as it's registered. Only `command` makes one. */
export interface Handler<K extends TargetKind> {
  (call: Call): Promise<void>;
  readonly actsOn: K;
}

/**
 * Makes a command.
 * @param resolve turns what the command was called with into what it acts on; `undefined` ends it silently
 */
export function command<K extends TargetKind, T>(
  actsOn: K,
  resolve: (call: Call) => T | undefined | Promise<T | undefined>,
  run: (target: T) => unknown,
): Handler<K> {
  const handle = async (call: Call) => {
    const target = await resolve(call);
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

/** The handlers of commands. Each acts on what the table of all commands says. */
export type CommandTable<C extends CommandId> = { readonly [Id in C]: Handler<TargetOf<Id>> };

/**
 * Registers a feature's commands. The first one to run loads the feature. Errors go to `report`, with a function that runs
 * the command again.
 */
export function registerCommands<C extends CommandId>(
  ids: readonly C[],
  feature: Loadable<{ readonly commands: CommandTable<C> }>,
  report: (error: unknown, runAgain: () => unknown) => void,
  mayLackRow: (id: C) => boolean,
): Disposable {
  const run = async (id: C, call: Call) => {
    if (call.isRowGone && !mayLackRow(id)) {
      throw new ExpectedError(
        l10n.t('Nothing was done, because the view reloaded while its menu was open. Try again.'),
      );
    }
    await feature.use(({ commands }) => commands[id](call));
  };
  const runAndReport = (id: C, call: Call): Promise<void> =>
    run(id, call).catch((error: unknown) => report(error, () => runAndReport(id, call)));
  const registered = ids.map((id) =>
    vscodeCommands.registerCommand(id, (...passed: unknown[]) => runAndReport(id, new Call(passed))),
  );
  return Disposable.from(...registered);
}
