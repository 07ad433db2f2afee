import { workspace } from 'vscode';
import { commandsOf } from '../../commands';
import type { Gantry } from '../../gantry';
import { variablesScheme } from '../../manifest';
import { LazyFileSystem } from '../../lazy';

export function registerVariables(gantry: Gantry) {
  const variables = gantry.add({
    id: 'variables',
    needs: 'tree',
    commands: commandsOf.variables,
    load: async () => (await import('./variables')).createVariables,
  });
  gantry.register(() => {
    const fileSystem = new LazyFileSystem(variables, ({ documents }) => documents, gantry.host.recent);
    return workspace.registerFileSystemProvider(variablesScheme, fileSystem, { isCaseSensitive: true });
  });
  return variables;
}
