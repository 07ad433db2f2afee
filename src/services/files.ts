// Imported so that the bundler doesn't split what features share into many small files: accounts are loaded before.
import './accounts';
import '../ui/commands/environmentPartPrompts';
import '../containers/logs/stackLogs';
import '../containers/namedContainer';
import '../ui/commands/pathPrompt';
import '../ui/commands/protectedPrompt';
import '../containers/secretFiles';
import '../files/wholeText';
import { join } from 'node:path';
import { EventEmitter, l10n } from 'vscode';
import type { Accounts } from '../accounts/accounts';
import { CompatibilityStore } from '../compatibility/compatibilityStore';
import { dangersIn } from '../compatibility/dangers';
import { Containers, type FindDanger } from '../containers/containers';
import { mayChange, nodesOf } from '../containers/environmentIndex';
import { EnvironmentMemory } from '../containers/environmentMemory';
import { Environments } from '../containers/environments';
import { Listings } from '../containers/listings';
import { restorer } from '../files/saving/restoreTexts';
import { changesIfUnchanged } from '../files/saving/writeIfUnchanged';
import { conflictCommands, allNodesCommands } from '../files/saving/conflictCommands';
import { offerInterruptedSaves, interruptedSavesCommands } from '../files/saving/interruptedSavesCommands';
import { saveCommands } from '../files/saving/saveCommands';
import { StatAndList } from '../files/provider/statAndList';
import { ContainerFileSystem, type FileChange } from '../files/provider/containerFileSystem';
import { FolderTrust } from '../files/provider/folderTrust';
import { HiddenFiles } from '../files/provider/hiddenFiles';
import { LargeFiles } from '../files/provider/largeFiles';
import { LanguageModes } from '../files/languageModes';
import { Moves } from '../files/provider/moves';
import { OverwriteBackups } from '../files/provider/overwriteBackups';
import { FileReader } from '../files/provider/readFile';
import { RecentFiles, UnreadablePages } from '../files/tabs';
import { BinaryFileEditor } from '../files/binary/binaryFileEditor';
import { ReadOnlyFiles } from '../files/provider/readOnlyFiles';
import { warnAboutAutoSave } from '../files/saving/saveNotice';
import { showOtherNodes } from '../files/saving/otherNodes';
import { ContainerFolders } from '../files/transfers/containerFolder';
import { copyAcross } from '../files/transfers/copyAcross';
import { FolderWatcher } from '../files/watching/watchFolders';
import {
  announceChanges,
  changesIn,
  followChanges,
  hasOpaqueEditor,
  openFolders,
  visibleFolders,
  watched,
} from '../files/windowEvents';
import { FileWriter } from '../files/provider/writeFile';
import { showFailedOverwrites } from '../files/saving/failedOverwriteNotice';
import { keepLackedKeys, keepSeveralNodesKey, ShownFolders, showFileStates, showSizes } from '../files/shownFiles';
import { CommandTargets } from '../trees/commandTargets';
import { childOf, type FilePlace } from '../containers/place';
import { ServerSideOperations } from '../containers/serverSideOperations';
import type { Own } from '../gantry';
import type { FileEntry } from '../platform/wire/fileEntry';
import type { Levels, Services } from '../services';
import { createSaving, longestDeletedText } from '../files/saving/createSaving';
import { compatibilityFolder, scratchFolders } from '../storage/storageKeys';
import { setContextKey } from '../ui/contextKeys';

/** The environments and their files, the file system, and saving. */
export function createFiles(account: Levels['accounts'], own: Own) {
  const { accounts, connections, complete, features, state, storageFolder, log, texts, report } = account;
  const compatibility = own(
    new CompatibilityStore(join(storageFolder, compatibilityFolder), join(storageFolder, scratchFolders), (error) =>
      log.warn(String(error)),
    ),
  );
  const environments = own(new Environments(new EnvironmentMemory(state), (slug) => accounts.find(slug)));
  connections.namesFor = (slug) => ({
    environment: (environment) => environments.titleOf({ account: slug, environment }),
    layer: (environment, id) => environments.knownLayer(slug, environment, id)?.name,
  });
  const { findDanger, isWriteUnsafe } = dangersIn(compatibility, environments, accounts, l10n);
  const remote = createContainers(accounts, environments, findDanger, own, {
    announce: (changes) => provider.fileSystem.announce(changes),
    isBackup: (place) => provider.backups.isBackup(place),
  });
  const { containers, listings, watching } = remote;
  const saving = createSaving(accounts, containers, listings, account, own);
  const { edits, files, journal, saves, savedConfigurations, problems } = saving;
  const provider: Provider = createProvider(account, remote, saving, isWriteUnsafe, own);
  const { backups, fileSystem, readOnly, trust } = provider;
  own(followChanges({ accounts, environments, checked: compatibility.onDidChange, watching }, saving, provider));
  const changes = changesIfUnchanged(saves, files, containers, listings, fileSystem);
  const restoreTexts = restorer(changes, saving.queue, containers, fileSystem, trust);
  const shown = showStates(account, remote, saving, provider, own);
  own(showFailedOverwrites(backups, fileSystem, containers, restoreTexts, texts));
  const interrupted = { accounts, recovery: saving.recovery, edits, texts };
  accounts
    .untilRead()
    .then(() => Promise.all([offerInterruptedSaves(interrupted), backups.offerAllLeft(saving)]))
    .catch(report);
  // Old texts go even if nothing is saved anymore.
  complete(journal.tidy());
  const services: Services = {
    ...account,
    compatibility,
    environments,
    containers,
    listings,
    watching,
    serverOperations: remote.serverOperations,
    onDidList: remote.onDidList,
    openFolders,
    shownFolders: shown.shownFolders,
    recentFiles: shown.recentFiles,
    fileSystem,
    backups,
    trust,
    hidden: provider.hidden,
    folders: provider.folders,
    pages: provider.pages,
    saves,
    edits,
    journal,
    savedConfigurations,
    queue: saving.queue,
    presence: saving.presence,
    onDidVerify: saving.onDidVerify,
    agreeToPieces: (file: FilePlace) => files.agreeToPieces(file),
    writeIfUnchanged: changes.writeIfUnchanged,
    restoreTexts,
    announce: announceChanges(listings, fileSystem),
    targets: new CommandTargets(() => features.tree.loaded, listings),
  };
  return {
    services,
    // Everything that was created, for tests in the extension host.
    ...saving,
    ...provider,
    ...shown,
    ...services,
    commands: {
      ...conflictCommands(edits, texts, problems),
      ...allNodesCommands(edits, texts, files, containers),
      ...saveCommands({ containers, edits, readOnly, files, problems }),
      ...interruptedSavesCommands(interrupted),
    },
    /** Runs before the window closes. It counts as open until the end, so that others respect its locks. */
    close: async () => {
      const { locks, saveBackups } = saving;
      await Promise.all([backups.settled(), locks.settled(), saveBackups.settled(), savedConfigurations.settled()]);
      await saving.presence.dispose();
    },
    forgetAccount: async (slug: string) => {
      listings.forgetAll();
      readOnly.forgetAccount(slug);
      shown.recentFiles.forgetAccount(slug);
      await Promise.all([
        journal.forgetAccount(slug),
        environments.forget(slug),
        trust.forgetAccount(slug),
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

type Remote = ReturnType<typeof createContainers>;
type Saving = ReturnType<typeof createSaving>;

/** The file system of containers. */
function createProvider(
  { accounts, state, report }: Levels['accounts'],
  { environments, containers, listings, serverOperations }: Remote,
  { edits, saves, queue, problems, uncertain, overwritten, resolveConflict }: Saving,
  isWriteUnsafe: (place: FilePlace) => boolean,
  own: Own,
) {
  const folders = new ContainerFolders(containers, serverOperations);
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
  own(showSizes(large.onDidRefuse));
  const reader = new FileReader({ containers, listings, edits, readOnly, large });
  const writer = own(new FileWriter({ containers, listings, edits, saves, queue, readOnly, problems, folders }));
  own(uncertain.follow(writer));
  const moves = new Moves(containers, listings, (from, to) => copyAcross(from, to, folders, listings));
  // Mutable, so that tests can shorten the wait.
  const overwriteLimits = { lifetime: 3_000 };
  const lifetime = () => overwriteLimits.lifetime;
  const backups = own(new OverwriteBackups({ containers, listings, moves, edits, overwritten, lifetime }));
  const statAndList = new StatAndList({ containers, environments, listings, edits, reader, readOnly, large });
  const pages = new UnreadablePages(report);
  /** For tests, which can't open a folder: the same files as a window with other folders sees them. */
  const createFileSystem = (trusted: FolderTrust, onRefused: () => void) =>
    new ContainerFileSystem({
      accounts,
      containers,
      listings,
      edits,
      queue,
      statAndList,
      reader,
      writer,
      moves,
      backups,
      readOnly,
      hidden: new HiddenFiles(trusted, statAndList, onRefused),
      longestDeletedText,
      resolveConflict,
      showAltered: (place, stats) => pages.show(place, stats),
    });
  const noteHidden = () => hidden.fire();
  const fileSystem = own(createFileSystem(trust, noteHidden));
  return {
    folders,
    trust,
    hidden: hidden.event,
    noteHidden,
    readOnly,
    backups,
    overwriteLimits,
    createFileSystem,
    fileSystem,
    pages,
  };
}

type Provider = ReturnType<typeof createProvider>;

/** Shows the states of files and containers: in the status bar, in context keys, in editors, and as notices. */
function showStates(
  { accounts, state, report }: Levels['accounts'],
  { environments, listings }: Remote,
  { edits, onDidVerify }: Saving,
  { fileSystem, readOnly }: Provider,
  own: Own,
) {
  own(
    environments.onDidList(
      () => void setContextKey('gantry.listedEnvironments', environments.areNoneListed ? 'none' : 'some'),
    ),
  );
  const shownFolders = own(new ShownFolders(report));
  own(keepSeveralNodesKey(shownFolders, environments));
  own(keepLackedKeys(shownFolders, accounts));
  own(showFileStates(accounts, environments, listings, readOnly));
  own(warnAboutAutoSave(state, environments));
  own(showOtherNodes({ accounts, environments, edits, verified: onDidVerify, saved: fileSystem.onDidSave }));
  const binaryFiles = new BinaryFileEditor({
    environments,
    listings,
    readOnly,
    changed: fileSystem.onDidChangeFile,
    find: (slug) => accounts.find(slug),
    ready: () => accounts.firstRead,
  });
  const languageModes = own(new LanguageModes(state, report));
  return { shownFolders, binaryFiles, languageModes, recentFiles: own(new RecentFiles(fileSystem.onDidChangeFile)) };
}
