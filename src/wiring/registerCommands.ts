import { commands as vscodeCommands, Disposable } from 'vscode';
import { type CommandId, commandsByFeature, type FeatureName } from '../manifest';
import type { Feature } from './feature';

/** What each command does. A command may be called by anyone with anything, so its arguments are unknown. */
export type CommandTable<F extends FeatureName> = Readonly<
  Record<CommandId<F>, (...received: readonly unknown[]) => Promise<void> | void>
>;

/** Registers the commands of a feature, which is loaded when the first of them runs. What a command throws goes to `report`. */
export function registerCommands<F extends FeatureName, L extends { readonly commands: CommandTable<F> }>(
  name: F,
  feature: Feature<L>,
  report: (error: unknown) => void,
): Disposable {
  const ids: readonly CommandId<F>[] = commandsByFeature[name];
  const registered = ids.map((id) =>
    vscodeCommands.registerCommand(id, (...received: unknown[]) =>
      feature.use(({ commands }) => commands[id](...received)).catch(report),
    ),
  );
  return Disposable.from(...registered);
}
