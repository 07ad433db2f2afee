import { Disposable, workspace } from 'vscode';
import type { Gantry } from '../../gantry';
import { beforeEditScheme, deployScheme, hookScheme } from '../../manifest';
import type { FeatureHandles } from '../../services';
import { LazyFileSystem, registerLazyText } from '../../wiring/loading/lazyProviders';

export function registerDeployments(gantry: Gantry, { files }: Pick<FeatureHandles, 'files'>) {
  const { complete, recent } = gantry.host;
  const deployments = gantry.add({
    id: 'deployments',
    needs: 'files',
    storesForAccounts: true,
    commands: [
      'gantry.deployments.refresh',
      'gantry.project.add',
      'gantry.project.remove',
      'gantry.project.showActions',
      'gantry.project.redeploy',
      'gantry.project.redeployWith',
      'gantry.project.checkDrift',
      'gantry.project.showLog',
      'gantry.project.showChanges',
      'gantry.project.checkResult',
      'gantry.project.selectFolder',
      'gantry.project.create',
      'gantry.project.edit',
      'gantry.hook.apply',
      'gantry.project.rollBack',
      'gantry.project.deployNewest',
      'gantry.project.clone',
      'gantry.project.delete',
      'gantry.project.applyEdits',
      'gantry.edits.compare',
      'gantry.edits.apply',
    ],
    view: { id: 'gantry.deployments' },
    load: async () => (await import('./deployments')).createDeployments,
  });
  gantry.register(() => {
    const hooks = new LazyFileSystem(deployments, (loaded) => loaded.hooks, recent);
    return Disposable.from(
      workspace.registerFileSystemProvider(hookScheme, hooks, { isCaseSensitive: true }),
      registerLazyText(deployScheme, deployments, ({ deployLogs }) => deployLogs),
      registerLazyText(beforeEditScheme, deployments, ({ textsBeforeEdits }) => textsBeforeEdits),
    );
  });
  // Record changes on nodes, because a redeploy warns about them.
  files.whenLoaded(({ fileSystem }) => {
    fileSystem.onDidSave((saved) => complete(deployments.use(({ noteSave }) => noteSave(saved))));
    fileSystem.onDidAlter((changes) => complete(deployments.use(({ noteChanges }) => noteChanges(changes))));
  });
  return deployments;
}
