import { Disposable, type Event, type Uri, window } from 'vscode';
import type { Environments } from '../containers/environments';
import { type FilePlace, filePlaceOf, keyOf, parentOf, uriParts } from '../containers/place';
import { uriOfTab } from '../files/tabs';
import type { ContextKeys } from '../manifest';
import { setContextKey } from '../ui/contextKeys';

type FoldersKey = 'gantry.foldersOnSeveralNodes' | 'gantry.deployedFolders';
type KeptKeys = { readonly [K in FoldersKey]: ContextKeys[K] };

/**
 * The folders of open files and of those in the Explorer, for context keys: `when` clauses can only look up a file's
 * folder. VS Code asks for the decoration of every file that it shows in the Explorer, so this learns the folders from
 * that, without a request.
 */
export class ShownFolders implements Disposable {
  private readonly folders = new Map<string, FilePlace>();
  private readonly updates = new Set<() => void>();
  private readonly listening: Disposable;

  constructor(private readonly report: (error: unknown) => void) {
    const noteTabs = () => this.note(window.tabGroups.all.flatMap(({ tabs }) => tabs).map(uriOfTab));
    noteTabs();
    this.listening = Disposable.from(
      window.tabGroups.onDidChangeTabs(noteTabs),
      window.registerFileDecorationProvider({
        provideFileDecoration: (uri) => {
          this.note([uri]);
          return undefined;
        },
      }),
    );
  }

  /** Keeps a context key with the paths of those folders that match, and checks them again after an event. */
  keepKey(key: keyof KeptKeys, matches: (folder: FilePlace) => boolean, changed: Event<unknown>): Disposable {
    let shown = '';
    const update = () => {
      const paths = [...this.folders.values()].filter(matches).map((folder) => uriParts(folder).path);
      const now = paths.sort().join('\n');
      if (now !== shown) {
        shown = now;
        setContextKey(key, paths).catch(this.report);
      }
    };
    this.updates.add(update);
    update();
    return Disposable.from(changed(update), new Disposable(() => this.updates.delete(update)));
  }

  dispose(): void {
    this.listening.dispose();
  }

  private note(uris: readonly (Uri | undefined)[]): void {
    const known = this.folders.size;
    for (const uri of uris) {
      const place = uri && filePlaceOf(uri);
      const folder = place && parentOf(place);
      if (folder !== undefined) {
        this.folders.set(keyOf(folder), folder);
      }
    }
    if (this.folders.size !== known) {
      this.updates.forEach((update) => update());
    }
  }
}

/** A layer that isn't known yet may have several nodes. */
export function keepSeveralNodesKey(
  shown: ShownFolders,
  environments: Pick<Environments, 'knownLayer' | 'onDidList'>,
): Disposable {
  const mayHaveSeveralNodes = ({ account, environment, target }: FilePlace) => {
    const layer = environments.knownLayer(account, environment, target.nodeGroup);
    return layer === undefined || layer.nodes.length > 1;
  };
  return shown.keepKey('gantry.foldersOnSeveralNodes', mayHaveSeveralNodes, environments.onDidList);
}
