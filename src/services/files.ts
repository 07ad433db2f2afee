// Already loaded at this point. The import keeps the bundler from splitting shared code into many small files.
import './accounts';
import '../containers/environmentPartPrompts';
import '../containers/logs/stackLogs';
import '../containers/namedContainer';
import '../containers/pathPrompt';
import '../containers/protectedPrompt';
import '../containers/secretFiles';
import '../files/wholeText';
import { join } from 'node:path';
import { EventEmitter, FileChangeType, l10n } from 'vscode';
import type { Accounts } from '../accounts/accounts';
import { CompatibilityStore } from '../compatibility/compatibilityStore';
import { dangersIn } from '../compatibility/dangers';
import { Containers, type FindDanger } from '../containers/containers';
import { mayChange, nodesOf } from '../containers/environmentIndex';
import { EnvironmentMemory } from '../containers/environmentMemory';
import { Environments } from '../containers/environments';
import { Listings } from '../containers/listings';
import { changesIfUnchanged } from '../files/saving/writeIfUnchanged';
import { conflictCommands, allNodesCommands } from '../files/saving/conflictCommands';
import { offerInterruptedSaves, interruptedSavesCommands } from '../files/saving/interruptedSavesCommands';
import { saveCommands } from '../files/saving/saveCommands';
import { StatAndList } from '../files/provider/statAndList';
import { ContainerFileSystem, type FileChange } from '../files/provider/containerFileSystem';
import { FolderTrust } from '../files/provider/folderTrust';
import { HiddenFiles } from '../files/provider/hiddenFiles';
import { LargeFiles, tellSizes } from '../files/provider/largeFiles';
import { LanguageModes } from '../files/languageModes';
import { Moves } from '../files/provider/moves';
import { OverwriteBackups } from '../files/provider/overwriteBackups';
import { FileReader } from '../files/provider/readFile';
import { RecentFiles, UnreadablePages } from '../files/tabs';
import { BinaryFileEditor } from '../files/binary/binaryFileEditor';
import { ReadOnlyFiles } from '../files/provider/readOnlyFiles';
import { warnAboutAutoSave } from '../files/saving/saveNotice';
import { showOtherNodes } from '../files/saving/otherNodes';
import { copyAcross, ContainerFolders } from '../files/transfers/containerFolder';
import { FolderWatcher } from '../files/watching/watchFolders';
import {
  changesIn,
  openFolders,
  visibleFolders,
  watched,
  watchWindow,
  announceChanges,
  followChecks,
  followDocuments,
  followNodes,
  followRights,
  followOpaqueEditors,
  hasOpaqueEditor,
} from '../files/windowEvents';
import { FileWriter } from '../files/provider/writeFile';
import { showFailedOverwrites } from '../files/provider/failedOverwriteNotice';
import {
  showContainerInStatusBar,
  keepLacksKey,
  showReadOnlyReasons,
  keepLackedKeys,
  keepSeveralNodesKey,
  ShownFolders,
} from '../files/shownFiles';
import { CommandTargets } from '../trees/commandTargets';
import { childOf, type FilePlace, filePlaceOf } from '../containers/place';
import { ServerSideOperations } from '../containers/serverSideOperations';
import type { Own } from '../gantry';
import type { FileEntry } from '../platform/wire/fileEntry';
import type { Levels, Services } from '../services';
import { createSaving, longestDeletedText } from '../files/saving/createSaving';
import { scratchFolders } from '../storage/storageKeys';
import { setContextKey } from '../ui/contextKeys';

/** The environments and their files, the file system, and saving. */
export function createFiles(account: Levels['accounts'], own: Own) {
  const { accounts, connections, complete, features, state, storageFolder, log, texts, report } = account;
  const compatibility = own(
    new CompatibilityStore(join(storageFolder, 'compatibility'), join(storageFolder, scratchFolders), (error) =>
      log.warn(String(error)),
    ),
  );
  const environments = own(new Environments(new EnvironmentMemory(state), (slug) => accounts.find(slug)));
  connections.titleOf = (place) => environments.titleOf(place);
  const { findDanger, isWriteUnsafe } = dangersIn(compatibility, environments, accounts, l10n);
  const remote = createContainers(accounts, environments, findDanger, own, {
    announce: (changes) => provider.fileSystem.announce(changes),
    isBackup: (place) => provider.backups.isBackup(place),
  });
  const { containers, listings } = remote;
  const saving = createSaving(accounts, containers, listings, account);
  saving.disposables.forEach(own);
  const provider: Provider = createProvider({ ...account, ...remote, ...saving }, isWriteUnsafe, own);
  const created: Created = { ...account, ...remote, ...saving, ...provider, compatibility };
  followChanges(created, own);
  const shown = showStates(created, own);
  const { edits, files, saves, problems } = saving;
  const { backups, fileSystem, readOnly } = provider;
  accounts
    .untilRead()
    .then(() => Promise.all([offerInterruptedSaves(created), backups.offerLeft(saving.isHeldElsewhere)]))
    .catch(report);
  // Old texts go even if nothing is saved anymore.
  features.tree.whenLoaded(() => complete(saving.journal.tidy()));
  const services = {
    ...created,
    ...shown,
    queue: saving.turns,
    openFolders,
    agreeToPieces: (file: FilePlace) => files.agreeToPieces(file),
    announce: announceChanges(listings, fileSystem),
    ...changesIfUnchanged(saves, files, containers, listings, fileSystem),
    targets: new CommandTargets(() => features.tree.loaded, listings),
  } satisfies Services;
  return {
    ...services,
    services,
    commands: {
      ...conflictCommands(edits, texts, problems),
      ...allNodesCommands(edits, texts, files, containers),
      ...saveCommands(created),
      ...interruptedSavesCommands(created),
    },
    /** Runs before the window closes. It counts as open until the end, so that others respect its locks. */
    close: async () => {
      await Promise.all([backups.settled(), saving.locks.settled(), saving.savedConfigurations.settled()]);
      await saving.presence.dispose();
    },
    forgetAccount: async (slug: string) => {
      listings.forgetAll();
      readOnly.forgetAccount(slug);
      shown.recentFiles.forgetAccount(slug);
      await Promise.all([
        saving.journal.forgetAccount(slug),
        environments.forget(slug),
        provider.trust.forgetAccount(slug),
        shown.languageModes.forgetAccount(slug),
        compatibility.forget(slug),
      ]);
    },
  };
}

/** Access to the files in containers. What the file system knows comes later. */
function createContainers(
  accounts: Accounts,
  environments: Environments,
  findDanger: FindDanger,
  own: Own,
  later: {
    /** Announces that someone else changed files. */
    readonly announce: (changes: readonly FileChange[]) => void;
    /** Whether it's only a backup of something just deleted, which listings don't show. */
    readonly isBackup: (place: FilePlace) => boolean;
  },
) {
  const containers: Containers = new Containers(
    accounts,
    (layer, operation, maxAge) => nodesOf(layer, operation, containers.account(layer.account), environments, maxAge),
    findDanger,
  );
  const watching: FolderWatcher = new FolderWatcher({
    look: (folder) => listings.refresh(folder),
    visible: visibleFolders,
    announce: (folder, differences) => later.announce(changesIn(folder, differences)),
  });
  const listed = own(new EventEmitter<Parameters<Parameters<Services['onDidList']>[0]>[0]>());
  const shown = (folder: FilePlace, entries: readonly FileEntry[]) =>
    entries.filter(({ name }) => !later.isBackup(childOf(folder, name)));
  // Before watching announces what changed, so that listeners know the folder's content by then.
  const list: Containers['list'] = async (folder, options) => {
    const askedAt = performance.now();
    const entries = await containers.list(folder, options);
    if (options?.filter === undefined) {
      listed.fire({ folder, entries: shown(folder, entries), askedAt });
    }
    return entries;
  };
  const fetch = watched({ list }, watching);
  const listings: Listings = new Listings(
    async (folder, request) => shown(folder, await fetch(folder, request)),
    openFolders,
    (folder, listing) => void watching.onListing(folder, Promise.resolve([...listing.values()])),
  );
  const serverOperations = new ServerSideOperations(containers);
  return { environments, containers, watching, listings, onDidList: listed.event, serverOperations };
}

type Remote = Levels['accounts'] & ReturnType<typeof createContainers> & ReturnType<typeof createSaving>;

/** The file system of containers. */
function createProvider(remote: Remote, isWriteUnsafe: (place: FilePlace) => boolean, own: Own) {
  const { accounts, state, report, environments, containers, listings } = remote;
  const folders = new ContainerFolders(containers, remote.serverOperations);
  const trust = new FolderTrust(state, openFolders);
  const hidden = own(new EventEmitter<void>());
  const areNodesUnknown = ({ account, environment, target }: FilePlace) => {
    const layer = environments.knownLayer(account, environment, target.nodeGroup);
    return target.nodeId === undefined && layer !== undefined && !mayChange(layer);
  };
  const readOnly = own(
    new ReadOnlyFiles((slug) => accounts.find(slug), { areNodesUnknown, isWriteUnsafe, hasOpaqueEditor }),
  );
  const large = own(new LargeFiles());
  const reading = new FileReader({ ...remote, readOnly, large });
  const writing = new FileWriter({
    ...remote,
    readOnly,
    putBytes: (file, bytes, how) => folders.putBytes(file, bytes, how),
  });
  [writing, remote.uncertain.follow(writing)].forEach(own);
  const moves = new Moves(containers, listings, (from, to) => copyAcross(from, to, folders, listings));
  // Mutable, so that tests can shorten the wait.
  const overwriteLimits = { lifetime: 3_000 };
  const backups = own(new OverwriteBackups({ ...remote, moves, lifetime: () => overwriteLimits.lifetime }));
  const looking = new StatAndList({ ...remote, reading, readOnly, large });
  const pages = new UnreadablePages(report);
  /** For tests, which can't open a folder: the same files as a window with other folders sees them. */
  const createFileSystem = (trusted: FolderTrust, onRefused: () => void) =>
    new ContainerFileSystem({
      ...remote,
      looking,
      reading,
      writing,
      moves,
      backups,
      readOnly,
      hidden: new HiddenFiles(trusted, looking, onRefused),
      longestDeletedText,
      resolveConflict: (place) => remote.conflictPrompt.resolve(place),
      showInexact: (place, stats) => pages.show(place, stats),
    });
  const noteHidden = () => hidden.fire();
  const fileSystem = own(createFileSystem(trust, noteHidden));
  return {
    folders,
    trust,
    hidden: hidden.event,
    noteHidden,
    readOnly,
    large,
    backups,
    overwriteLimits,
    createFileSystem,
    fileSystem,
    pages,
  };
}

type Provider = ReturnType<typeof createProvider>;
type Created = Remote & Provider & { readonly compatibility: CompatibilityStore };

/** Tells VS Code and the rest of Gantry what may be different now. */
function followChanges(created: Created, own: Own): void {
  const { accounts, environments, edits, fileSystem, readOnly, savedConfigurations, trust } = created;
  own(followDocuments(edits, readOnly, fileSystem));
  own(followOpaqueEditors(edits));
  own(followRights(accounts.onDidChangeRights, readOnly, fileSystem));
  own(followNodes(environments.onDidChange, fileSystem));
  own(followChecks(created.compatibility.onDidChange, fileSystem));
  own(watchWindow(created.watching, fileSystem));
  own(
    fileSystem.onDidChangeFile((changes) => {
      const placesOf = (wanted: FileChangeType) =>
        changes.flatMap(({ type, uri }) => (type === wanted ? (filePlaceOf(uri) ?? []) : []));
      placesOf(FileChangeType.Deleted).forEach((place) => readOnly.gone(place));
      // What this window creates is trusted, but only known once it's created.
      void trust.settled().then(() => {
        if (placesOf(FileChangeType.Created).some((place) => trust.hides(place))) {
          created.noteHidden();
        }
      });
    }),
  );
  own(fileSystem.onDidSave(({ place, isNew }) => isNew && savedConfigurations.noteCreated(place)));
}

/** Shows the states of files and containers: in the status bar, in context keys, in editors, and as notices. */
function showStates(created: Created, own: Own) {
  const { accounts, state, report, environments, containers, listings, edits, fileSystem, readOnly } = created;
  own(
    environments.onDidList(
      () => void setContextKey('gantry.listedEnvironments', environments.areNoneListed ? 'none' : 'some'),
    ),
  );
  const shownFolders = own(new ShownFolders(report));
  own(keepSeveralNodesKey(shownFolders, environments));
  own(keepLackedKeys(shownFolders, accounts));
  own(keepLacksKey(accounts));
  own(tellSizes(created.large.onDidRefuse));
  own(showFailedOverwrites(created.backups, fileSystem, containers));
  own(showReadOnlyReasons(readOnly, listings, accounts.onDidChangeRights));
  own(warnAboutAutoSave(state, environments));
  own(showContainerInStatusBar(environments));
  own(showOtherNodes({ accounts, environments, edits, verified: created.onDidVerify, saved: fileSystem.onDidSave }));
  const binaryFiles = new BinaryFileEditor({
    ...created,
    changed: fileSystem.onDidChangeFile,
    find: (slug) => accounts.find(slug),
    ready: () => accounts.loaded,
  });
  const languageModes = own(new LanguageModes(state, report));
  return { shownFolders, binaryFiles, languageModes, recentFiles: own(new RecentFiles()) };
}
