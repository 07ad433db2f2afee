import { Disposable, type TreeView, window, workspace } from 'vscode';
import type { Environments } from '../containers/environments';
import { filePlaceOf } from '../containers/place';
import { uriOfTab } from '../files/tabs';
import { setContextKey } from '../ui/contextKeys';

/**
 * Keeps the context key that hides commands for several nodes in the menus of the Explorer and editors, which can't tell
 * files apart by their layer. Sends no request: a layer that isn't known yet may have several nodes.
 */
export function keepSeveralNodesKey(
  environments: Pick<Environments, 'knownLayer' | 'onDidList'>,
  tree: Pick<TreeView<unknown>, 'onDidExpandElement' | 'onDidChangeVisibility'>,
  report: (error: unknown) => void,
): Disposable {
  const update = () => {
    const tabs = window.tabGroups.all.flatMap((group) => group.tabs).map(uriOfTab);
    const folders = (workspace.workspaceFolders ?? []).map(({ uri }) => uri);
    const places = [...tabs, ...folders].flatMap((uri) => (uri && filePlaceOf(uri)) ?? []);
    const isAmongSeveral = places.some(({ account, environment, target }) => {
      const layer = environments.knownLayer(account, environment, target.nodeGroup);
      return layer === undefined || layer.nodes.length > 1;
    });
    setContextKey('gantry.severalNodes', isAmongSeveral ? 'some' : 'none').catch(report);
  };
  update();
  return Disposable.from(
    window.tabGroups.onDidChangeTabs(update),
    workspace.onDidChangeWorkspaceFolders(update),
    environments.onDidList(update),
    tree.onDidExpandElement(update),
    tree.onDidChangeVisibility(update),
  );
}
