import {
  Disposable,
  FileChangeType,
  TabInputCustom,
  TabInputText,
  TabInputTextDiff,
  type Uri,
  window,
  workspace,
  type Event,
  type TextDocument,
  TextDocumentChangeReason,
  type Tab,
} from 'vscode';
import { scheme } from '../manifest';
import type { FileEntry } from '../platform/wire/fileEntry';
import type { Containers } from '../containers/containers';
import type { ListingRequest } from '../containers/listingCache';
import { childOf, type FilePlace, filePlaceOf, keyOf, nameOf, parentOrSelf } from '../containers/place';
import type { ContainerFileSystem, FileChange } from './provider/containerFileSystem';
import type { FolderTrust } from './provider/folderTrust';
import type { SavedConfigurations } from './saving/savedConfigurations';
import type { ListingDifference } from './watching/listingDifferences';
import type { FolderWatcher } from './watching/watchFolders';
import type { Listings } from '../containers/listings';
import type { Account, Accounts } from '../accounts/accounts';
import type { Environments } from '../containers/environments';
import type { ChangeKind } from './saving/edits/edit';
import type { OpenEdits } from './saving/edits/openEdits';
import type { ReadOnlyFiles } from './provider/readOnlyFiles';
import { isOpaqueTab, tabsOf, uriOfTab } from './tabs';

const types = {
  created: FileChangeType.Created,
  changed: FileChangeType.Changed,
  deleted: FileChangeType.Deleted,
} as const;

/** Tells VS Code, and the parts that know its open files, what may be different now. */
export function followChanges(
  {
    accounts,
    environments,
    checked,
    watching,
  }: {
    readonly accounts: Accounts;
    readonly environments: Environments;
    /** Fires with an account whose platform was checked. */
    readonly checked: Event<string>;
    readonly watching: FolderWatcher;
  },
  saving: { readonly edits: OpenEdits; readonly savedConfigurations: SavedConfigurations },
  {
    fileSystem,
    readOnly,
    trust,
    noteHidden,
  }: {
    readonly fileSystem: ContainerFileSystem;
    readonly readOnly: ReadOnlyFiles;
    readonly trust: FolderTrust;
    readonly noteHidden: () => void;
  },
): Disposable {
  const { edits, savedConfigurations } = saving;
  return Disposable.from(
    followDocuments(edits, readOnly, fileSystem),
    followOpaqueEditors(edits),
    followRights(accounts.onDidChangeRights, readOnly, fileSystem),
    followNodes(environments.onDidChange, fileSystem),
    followChecks(checked, fileSystem),
    watchWindow(watching, fileSystem),
    fileSystem.onDidChangeFile((changes) => {
      const placesOf = (wanted: FileChangeType) =>
        changes.flatMap(({ type, uri }) => (type === wanted ? (filePlaceOf(uri) ?? []) : []));
      placesOf(FileChangeType.Deleted).forEach((place) => readOnly.gone(place));
      // What this window creates is trusted, but only known once it's created.
      void trust.settled().then(() => {
        if (placesOf(FileChangeType.Created).some((place) => trust.hides(place))) {
          noteHidden();
        }
      });
    }),
    fileSystem.onDidSave(({ place, isNew }) => isNew && savedConfigurations.noteCreated(place)),
  );
}

/** Adjusts the check intervals to window events. */
function watchWindow(
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

/** Announces container changes that weren't made through VS Code: to VS Code, the views and the cached listings. */
export function announceChanges(listings: Listings, fileSystem: Pick<ContainerFileSystem, 'announce' | 'announceOwn'>) {
  return (changes: readonly FileChange[], { isCertain } = { isCertain: true }): void => {
    // The platform creates missing folders, such as the one that an archive is unpacked into.
    const created = changes.flatMap(({ place }) => listings.topmostUnlisted(parentOrSelf(place)) ?? []);
    for (const folder of created) {
      listings.forget(parentOrSelf(folder));
    }
    if (created.length > 0) {
      fileSystem.announce(created.map((place) => ({ place, type: FileChangeType.Created })));
    }
    for (const { place } of changes) {
      listings.forget(parentOrSelf(place));
    }
    if (isCertain) {
      fileSystem.announceOwn(changes);
    } else {
      fileSystem.announce(changes);
    }
  };
}

function followDocuments(
  edits: OpenEdits,
  readOnly: ReadOnlyFiles,
  fileSystem: Pick<ContainerFileSystem, 'announce'>,
): Disposable {
  const opened = (document: TextDocument) =>
    inContainer(document, (place) => {
      edits.opened(place, document);
      if (readOnly.reasonFor(place, {}) !== undefined) {
        // The earlier event was sent before the editor opened.
        fileSystem.announce([{ place, type: FileChangeType.Changed }]);
      }
    });
  workspace.textDocuments.forEach(opened);
  return Disposable.from(
    workspace.onDidOpenTextDocument(opened),
    workspace.onDidChangeTextDocument(({ document, reason }) =>
      inContainer(document, (place) => edits.changed(place, document, kindOf(reason))),
    ),
    workspace.onDidSaveTextDocument((document) =>
      inContainer(document, (place) => edits.changed(place, document, 'saved')),
    ),
    workspace.onDidCloseTextDocument((document) => inContainer(document, (place) => edits.closed(place, document))),
  );
}

function kindOf(reason: TextDocumentChangeReason | undefined): ChangeKind {
  return reason === undefined ? 'typed' : reason === TextDocumentChangeReason.Undo ? 'undone' : 'redone';
}

/** Makes VS Code check again whether open files, and folders in the Explorer, are read-only when a token's rights change. */
function followRights(
  rightsChanged: Event<Account>,
  readOnly: Pick<ReadOnlyFiles, 'canChangeNothing'>,
  fileSystem: Pick<ContainerFileSystem, 'announce' | 'announceInExplorer'>,
): Disposable {
  /**
   * The first change of an account is always announced: what its token lacks may have been known before there were
   * files.
   */
  const announced = new WeakMap<Account, { readonly files: boolean; readonly folders: boolean }>();
  return rightsChanged((account) => {
    const before = announced.get(account);
    const now = { files: account.lacks('Write'), folders: readOnly.canChangeNothing(account.slug) };
    announced.set(account, now);
    if (now.files !== before?.files) {
      fileSystem.announce(openFiles((place) => place.account === account.slug));
    }
    if (now.folders !== before?.folders) {
      const folders = (workspace.workspaceFolders ?? []).map(({ uri }) => uri);
      fileSystem.announceInExplorer(folders.filter((uri) => filePlaceOf(uri)?.account === account.slug));
    }
  });
}

/** Makes a whole layer's files editable once its nodes are known. */
function followNodes(nodesChanged: Event<unknown>, fileSystem: Pick<ContainerFileSystem, 'announce'>): Disposable {
  return nodesChanged(() => fileSystem.announce(openFiles(({ target }) => target.nodeId === undefined)));
}

/** A check of an account's platform can make its files read-only, or editable again. */
function followChecks(platformChecked: Event<string>, fileSystem: Pick<ContainerFileSystem, 'announce'>): Disposable {
  return platformChecked((slug) => fileSystem.announce(openFiles(({ account }) => account === slug)));
}

/** Returns the open files as changes, so that VS Code reads their state again. */
function openFiles(isMeant: (place: FilePlace) => boolean): readonly FileChange[] {
  const open = workspace.textDocuments.flatMap(({ uri }) => filePlaceOf(uri) ?? []);
  return open.filter(isMeant).map((place) => ({ place, type: FileChangeType.Changed }));
}

function inContainer(document: TextDocument, tell: (place: FilePlace) => void): void {
  const place = filePlaceOf(document.uri);
  if (place !== undefined) {
    tell(place);
  }
}

/** Whether the file is open as a notebook or in a custom editor. */
export function hasOpaqueEditor(place: FilePlace): boolean {
  return tabsOf(place).some(isOpaqueTab);
}

/** Forwards events of such editors to the edits, so that their saves are checked like any others. */
function followOpaqueEditors(edits: OpenEdits): Disposable {
  // VS Code exposes whether such a document is dirty, but not its text.
  const documentOf = (place: FilePlace) => ({
    get isDirty() {
      return tabsOf(place).some((tab) => isOpaqueTab(tab) && tab.isDirty);
    },
  });
  const all = window.tabGroups.all.flatMap(({ tabs }) => tabs);
  opaqueFilesIn(all).forEach((place) => edits.opened(place, documentOf(place), 'restored'));
  return window.tabGroups.onDidChangeTabs((event) => {
    opaqueFilesIn(event.opened).forEach((place) => edits.opened(place, documentOf(place)));
    opaqueFilesIn(event.changed).forEach((place) => edits.changed(place, documentOf(place)));
    const closed = opaqueFilesIn(event.closed).filter((place) => !hasOpaqueEditor(place));
    closed.forEach((place) => edits.closed(place, documentOf(place)));
  });
}

function opaqueFilesIn(tabs: readonly Tab[]): readonly FilePlace[] {
  return tabs.filter(isOpaqueTab).flatMap((tab) => {
    const uri = uriOfTab(tab);
    return (uri && filePlaceOf(uri)) ?? [];
  });
}
