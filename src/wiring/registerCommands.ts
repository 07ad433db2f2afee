import { commands, Disposable } from 'vscode';
import type { CommandId } from '../manifest';

/** What each command does. A command may be called by anyone with anything, so its arguments are unknown. */
export type CommandTable = Readonly<Record<CommandId, (...received: readonly unknown[]) => Promise<void> | void>>;

/** Registers every command; whatever one of them throws goes to `report`. */
export function registerCommands(table: CommandTable, report: (error: unknown) => void): Disposable {
  const registered = Object.entries(table).map(([id, run]) =>
    commands.registerCommand(id, async (...received: unknown[]) => {
      try {
        await run(...received);
      } catch (error) {
        report(error);
      }
    }),
  );
  return Disposable.from(...registered);
}
