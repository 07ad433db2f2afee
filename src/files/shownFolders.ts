import { Disposable, type Uri, window } from 'vscode';
import type { Accounts } from '../accounts/accounts';
import type { Environments } from '../containers/environments';
import { type FilePlace, filePlaceOf, keyOf, parentOf, uriParts } from '../containers/place';
import { uriOfTab } from './tabs';
import type { ContextKeys } from '../manifest';
import type { OperationName } from '../platform/contract';
import { setContextKey } from '../ui/contextKeys';

/** What commands in the Explorer need, by the context key for folders whose account lacks it. */
const lackedKeys = [
  ['gantry.foldersWithoutWrite', 'Write'],
  ['gantry.foldersWithoutUpload', 'Upload'],
  ['gantry.foldersWithoutUnpackById', 'UnpackById'],
  ['gantry.foldersWithoutUnpackByType', 'UnpackByType'],
  ['gantry.foldersWithoutAddFavorite', 'AddFavorite'],
] as const satisfies readonly (readonly [keyof ContextKeys, OperationName])[];

type FoldersKey = 'gantry.foldersOnSeveralNodes' | 'gantry.deployedFolders' | (typeof lackedKeys)[number][0];
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

  /**
   * Keeps a context key with the paths of those folders that match, and checks them again after an event. Folders of
   * several accounts can have the same path.
   */
  keepKey(
    key: keyof KeptKeys,
    matches: (folder: FilePlace) => boolean,
    changed: (listener: () => void) => Disposable,
    { ofAccounts = 'some' }: { readonly ofAccounts?: 'some' | 'all' } = {},
  ): Disposable {
    let shown = '';
    const update = () => {
      const all = [...this.folders.values()].map((folder) => ({ path: uriParts(folder).path, is: matches(folder) }));
      const excluded = new Set(ofAccounts === 'all' ? all.filter(({ is }) => !is).map(({ path }) => path) : []);
      const paths = all.filter(({ is, path }) => is && !excluded.has(path)).map(({ path }) => path);
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

/** Folders whose account is known to lack what a command needs, so that menus in the Explorer leave it out. */
export function keepLackedKeys(
  shown: ShownFolders,
  accounts: Pick<Accounts, 'find' | 'onDidChange' | 'onDidChangeRights'>,
): Disposable {
  const changed = (listener: () => void) =>
    Disposable.from(accounts.onDidChange(listener), accounts.onDidChangeRights(listener));
  const isLackedIn = ({ account }: FilePlace, operation: OperationName) =>
    accounts.find(account)?.lacks(operation) === true;
  return Disposable.from(
    ...lackedKeys.map(([key, operation]) =>
      shown.keepKey(key, (folder) => isLackedIn(folder, operation), changed, { ofAccounts: 'all' }),
    ),
  );
}
