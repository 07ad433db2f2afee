import {
  Disposable,
  FileChangeType,
  TabInputCustom,
  TabInputText,
  TabInputTextDiff,
  type Uri,
  window,
  workspace,
} from 'vscode';
import { scheme } from '../../manifest';
import type { FileEntry } from '../../platform/wire/fileEntry';
import type { Containers } from '../../containers/containers';
import type { ListingRequest } from '../../containers/listingRequests';
import { childOf, type FilePlace, filePlaceOf, keyOf, nameOf, parentOrSelf } from '../../containers/place';
import type { ContainerFileSystem } from '../provider/containerFileSystem';
import type { ListingDifference } from './listingDifferences';
import type { FolderWatcher } from './watchFolders';

const types = {
  created: FileChangeType.Created,
  changed: FileChangeType.Changed,
  deleted: FileChangeType.Deleted,
} as const;

/** Adjusts the check intervals to window events. */
export function watchWindow(
  watching: FolderWatcher,
  fileSystem: Pick<ContainerFileSystem, 'onDidChangeFile' | 'onWillChange'>,
): Disposable {
  watching.focus(window.state.focused);
  return Disposable.from(
    window.onDidChangeWindowState(({ focused }) => watching.focus(focused)),
    window.onDidChangeActiveTextEditor(() => watching.active()),
    window.tabGroups.onDidChangeTabs(() => watching.active()),
    workspace.onDidChangeTextDocument(({ document }) => {
      if (document.uri.scheme === scheme) {
        watching.typing();
      }
    }),
    fileSystem.onWillChange(({ place, done }) => watching.changing(place, done)),
    fileSystem.onDidChangeFile((changes) => {
      for (const { type, uri } of changes) {
        const place = filePlaceOf(uri);
        if (place !== undefined) {
          const result = type === FileChangeType.Deleted ? 'gone' : 'there';
          watching.recordOwnChange(parentOrSelf(place), nameOf(place), result);
        }
      }
    }),
    watching,
  );
}

/** Returns the folders of the active files in all editor groups, including both sides of a comparison. */
export function visibleFolders(): FilePlace[] {
  const shown = window.tabGroups.all.flatMap(({ activeTab }) => urisOf(activeTab?.input));
  const files = shown.flatMap((uri) => filePlaceOf(uri) ?? []);
  const folders = files.map(parentOrSelf);
  return [...new Map(folders.map((folder) => [keyOf(folder), folder])).values()];
}

/** Returns the container folders in the workspace. */
export function openFolders(): FilePlace[] {
  return (workspace.workspaceFolders ?? []).flatMap(({ uri }) => filePlaceOf(uri) ?? []);
}

/** Lists folders and passes the results to the watcher. The watcher's own requests never prompt the user. */
export function watched(containers: Pick<Containers, 'list'>, watching: FolderWatcher) {
  return async (folder: FilePlace, request: ListingRequest): Promise<readonly FileEntry[]> => {
    const asked = containers.list(folder, { ...request, unattended: watching.isLookingAt(folder) });
    if (request.filter === undefined) {
      return watching.onListing(folder, asked, request.signal === undefined ? 'shown' : 'searched');
    }
    const entries = await asked;
    watching.onEntriesListed(folder, entries);
    return entries;
  };
}

export function changesIn(folder: FilePlace, differences: readonly ListingDifference[]) {
  return differences.map(({ name, kind }) => ({ place: childOf(folder, name), type: types[kind] }));
}

function urisOf(input: unknown): readonly Uri[] {
  if (input instanceof TabInputText || input instanceof TabInputCustom) {
    return [input.uri];
  }
  return input instanceof TabInputTextDiff ? [input.original, input.modified] : [];
}
