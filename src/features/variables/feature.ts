import { workspace } from 'vscode';
import type { Gantry } from '../../gantry';
import { variablesScheme } from '../../manifest';
import type { FeatureHandles } from '../../services';
import { LazyFileSystem } from '../../wiring/loading/lazyProviders';

export function registerVariables(gantry: Gantry, { tree }: Pick<FeatureHandles, 'tree'>) {
  const variables = gantry.add({
    id: 'variables',
    needs: 'files',
    after: [tree],
    commands: [
      'gantry.variables.edit',
      'gantry.variables.showSecrets',
      'gantry.variables.hideSecrets',
      'gantry.variables.compare',
      'gantry.variables.merge',
      'gantry.variables.overwrite',
    ],
    load: async () => (await import('./variables')).createVariables,
  });
  gantry.register(() => {
    const fileSystem = new LazyFileSystem(variables, ({ documents }) => documents, gantry.host.recent);
    return workspace.registerFileSystemProvider(variablesScheme, fileSystem, { isCaseSensitive: true });
  });
  return variables;
}
