import { Disposable, type Uri, window } from 'vscode';
import type { Environments } from '../containers/environments';
import { type FilePlace, filePlaceOf, keyOf, parentOf, uriParts } from '../containers/place';
import { uriOfTab } from '../files/tabs';
import { setContextKey } from '../ui/contextKeys';

/**
 * Keeps the context key with the folders of layers with several nodes, for the menus of the Explorer and of tabs: `when`
 * clauses can only look up a file's folder. VS Code asks for the decoration of every file that it shows in the Explorer,
 * so this learns the folders from that, without a request. A layer that isn't known yet may have several nodes.
 */
export function keepSeveralNodesKey(
  environments: Pick<Environments, 'knownLayer' | 'onDidList'>,
  report: (error: unknown) => void,
): Disposable {
  const folders = new Map<string, FilePlace>();
  let shown = '';
  const update = () => {
    const several = [...folders.values()].filter((folder) => mayHaveSeveralNodes(folder, environments));
    const paths = several.map((folder) => uriParts(folder).path).sort();
    const now = paths.join('\n');
    if (now !== shown) {
      shown = now;
      setContextKey('gantry.foldersOnSeveralNodes', paths).catch(report);
    }
  };
  const note = (uris: readonly (Uri | undefined)[]) => {
    const known = folders.size;
    for (const uri of uris) {
      const place = uri && filePlaceOf(uri);
      const folder = place && parentOf(place);
      if (folder !== undefined) {
        folders.set(keyOf(folder), folder);
      }
    }
    if (folders.size !== known) {
      update();
    }
  };
  const noteTabs = () => note(window.tabGroups.all.flatMap(({ tabs }) => tabs).map(uriOfTab));
  noteTabs();
  return Disposable.from(
    window.tabGroups.onDidChangeTabs(noteTabs),
    window.registerFileDecorationProvider({
      provideFileDecoration(uri) {
        note([uri]);
        return undefined;
      },
    }),
    environments.onDidList(update),
  );
}

function mayHaveSeveralNodes(
  { account, environment, target }: FilePlace,
  environments: Pick<Environments, 'knownLayer'>,
): boolean {
  const layer = environments.knownLayer(account, environment, target.nodeGroup);
  return layer === undefined || layer.nodes.length > 1;
}
