import { Disposable, window, workspace } from 'vscode';
import type { Gantry } from '../../gantry';
import { beforeEditScheme, deployScheme, hookScheme } from '../../manifest';
import { isAnyProjectKnown } from '../../storage/storageKeys';
import { LazyFileSystem, registerLazyText } from '../../lazy';

export function registerDeployments(gantry: Gantry) {
  const { complete, recent, report, state } = gantry.host;
  const { accounts, files } = gantry.levels;
  const deployments = gantry.add({
    id: 'deployments',
    needs: 'files',
    storesForAccounts: true,
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
  files.whenLoaded(({ services: { fileSystem, onDidVerify } }) => {
    fileSystem.onDidSave((saved) => complete(deployments.use(({ noteSave }) => noteSave(saved))));
    onDidVerify(({ isUnannounced, waitUntil, ...saved }) => {
      // The file system announces only saves that reached all of their nodes.
      if (isUnannounced === true) complete(waitUntil(deployments.use(({ noteMade }) => noteMade(saved))));
    });
    fileSystem.onDidAlter((changes) => complete(deployments.use(({ noteChanges }) => noteChanges(changes))));
  });
  gantry.onWillClose(async (settled) => {
    await settled;
    await deployments.loaded?.settled();
  });
  // For the status bar. Another window may use a project at any time.
  const showProject = async () => {
    const isSignedIn = (accounts.loaded?.services.accounts.list.length ?? 0) > 0;
    if (isSignedIn && deployments.loaded === undefined && isAnyProjectKnown(state)) {
      await deployments.load();
    }
  };
  const follow = () => void showProject().catch(report);
  gantry.onDidSignIn(showProject);
  gantry.own(window.onDidChangeActiveTextEditor(follow));
  gantry.own(workspace.onDidChangeWorkspaceFolders(follow));
  return deployments;
}
