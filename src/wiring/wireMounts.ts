// Already loaded at this point. The import keeps the bundler from splitting shared code into many small files.
import './wireFileTree';
import { FileChangeType, type TreeView } from 'vscode';
import { type FilePlace, parentOf } from '../containers/place';
import { mountCommands } from '../mounts/mountCommands';
import type { MountViewElement } from '../mounts/mountElement';
import { Mounts } from '../mounts/mounts';
import { MountsView } from '../mounts/mountsView';
import { changedFolders } from './changedFolders';
import type { FileParts } from './wireFiles';
import type { FileTreeParts } from './wireFileTree';
import type { WiringDeps } from './wiringDeps';

interface MountsWiringDeps
  extends
    WiringDeps,
    Pick<FileParts, 'accounts' | 'environments' | 'containers' | 'listings' | 'fileSystem'>,
    Pick<FileTreeParts, 'announce' | 'show'> {
  readonly tree: TreeView<MountViewElement>;
  /** Called with the folders whose content changed because of a mount or unmount. */
  readonly refreshFolders: (folders: readonly FilePlace[]) => void;
}

/** Mounts and exports. */
export function wireMounts(deps: MountsWiringDeps) {
  const { accounts, environments, containers, listings, fileSystem, texts, announce, show, tree } = deps;
  const mounts = new Mounts(containers);
  const shared = { accounts, environments, listings, show, mounts };
  const view = new MountsView(shared);
  const disposables = [
    ...[mounts, view],
    accounts.onDidSignOut(() => mounts.refresh()),
    mounts.onDidChange((places) => {
      announce(places.map((place) => ({ place, type: FileChangeType.Changed })));
      deps.refreshFolders(places.flatMap((place) => [place, parentOf(place) ?? place]));
    }),
    fileSystem.onDidChangeFile((changes) => view.refreshFolders(changedFolders(changes))),
  ];
  const commands = mountCommands({ ...shared, view, texts, selection: () => tree.selection });
  return { mounts, view, commands, disposables };
}
