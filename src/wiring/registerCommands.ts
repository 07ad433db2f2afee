import { commands as vscodeCommands, Disposable } from 'vscode';
import { type CommandId, commandsByFeature, type FeatureName } from '../manifest';
import type { Feature } from './feature';

/** The commands' functions. Anyone can call a command, so its arguments are unknown. */
export type CommandTable<F extends FeatureName> = Readonly<
  Record<CommandId<F>, (...received: readonly unknown[]) => Promise<void> | void>
>;

/** Registers a feature's commands. The first one to run loads the feature. Errors go to `report`. */
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
