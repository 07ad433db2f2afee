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
import { EventEmitter, FileChangeType } from 'vscode';
import type { Accounts } from '../accounts/accounts';
import { CompatibilityStore, dangersIn } from '../compatibility/compatibilityStore';
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
import { showOtherNodes, warnAboutAutoSave } from '../files/saving/saveNotice';
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
import { createSaving } from '../files/saving/saving';
import { scratchFolders } from '../storage/storageKeys';
import { setContextKey } from '../ui/contextKeys';

/** The environments and their files, the file system, and saving. */
export function createFiles(account: Levels['accounts'], own: Own) {
  const { accounts, connections, state, storageFolder, log, texts, report } = account;
  const compatibility = own(
    new CompatibilityStore(join(storageFolder, 'compatibility'), join(storageFolder, scratchFolders), (error) =>
      log.warn(String(error)),
    ),
  );
  const environments = own(new Environments(new EnvironmentMemory(state), (slug) => accounts.find(slug)));
  connections.titleOf = (place) => environments.titleOf(place);
  const { findDanger, isWriteUnsafe } = dangersIn(compatibility, environments, accounts);
  const remote = createContainers(accounts, environments, findDanger, {
    announce: (changes) => provider.fileSystem.announce(changes),
    isBackup: (place) => provider.backups.isBackup(place),
  });
  own(remote.listed);
  const { containers, listings } = remote;
  const saving = createSaving(accounts, containers, listings, account);
  saving.disposables.forEach(own);
  const { edits, files, problems, recovery } = saving;
  const provider: Provider = createProvider({ ...remote, ...saving }, account, isWriteUnsafe, own);
  const { backups, readOnly } = provider;
  const parts = { ...remote, ...saving, ...provider, compatibility };
  followChanges(parts, account, own);
  const shown = showStates(parts, account, own);
  const recovering = { recovery, edits, texts };
  accounts
    .untilRead()
    .then(() => Promise.all([offerInterruptedSaves(recovering), backups.offerLeft(saving.isHeldElsewhere)]))
    .catch(report);
  // Old texts go even if nothing is saved anymore.
  account.features.tree.whenLoaded(() => account.complete(saving.journal.tidy()));
  const services = servicesOf({ ...parts, ...shown }, account);
  return {
    accounts,
    ...parts,
    ...shown,
    openFolders,
    services,
    announce: services.announce,
    writeIfUnchanged: services.writeIfUnchanged,
    agreeToPieces: services.agreeToPieces,
    onDidList: services.onDidList,
    hidden: services.hidden,
    commands: {
      ...conflictCommands(edits, texts, problems),
      ...allNodesCommands(edits, texts, files, containers),
      ...saveCommands({ containers, edits, problems, readOnly, files }),
      ...interruptedSavesCommands(recovering),
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

/** What features get. */
function servicesOf(created: Created & ReturnType<typeof showStates>, account: Levels['accounts']): Services {
  const { environments, containers, listings, edits, files, fileSystem, saves, savedConfigurations } = created;
  const { tree } = account.features;
  return {
    ...account,
    environments,
    containers,
    listings,
    fileSystem,
    saves,
    edits,
    savedConfigurations,
    serverOperations: created.work,
    watching: created.watching,
    openFolders,
    onDidList: created.listed.event,
    recentFiles: created.recentFiles,
    pages: created.pages,
    folders: created.folders,
    trust: created.trust,
    hidden: created.hidden.event,
    backups: created.backups,
    shownFolders: created.shownFolders,
    queue: created.turns,
    compatibility: created.compatibility,
    presence: created.presence,
    journal: created.journal,
    announce: announceChanges(listings, fileSystem),
    agreeToPieces: (file) => files.agreeToPieces(file),
    ...changesIfUnchanged(saves, files, containers, listings, fileSystem),
    targets: new CommandTargets(() => tree.loaded, listings),
  };
}

/** Access to the files in containers. What the file system knows comes later. */
function createContainers(
  accounts: Accounts,
  environments: Environments,
  findDanger: FindDanger,
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
  const listed = new EventEmitter<Parameters<Parameters<Services['onDidList']>[0]>[0]>();
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
  return { environments, containers, watching, listings, listed, work: new ServerSideOperations(containers) };
}

type Remote = ReturnType<typeof createContainers> & ReturnType<typeof createSaving>;

/** The file system of containers. */
function createProvider(
  remote: Remote,
  { accounts, state, report }: Levels['accounts'],
  isWriteUnsafe: (place: FilePlace) => boolean,
  own: Own,
) {
  const { environments, containers, listings, edits, saves, uncertain, turns, problems } = remote;
  const folders = new ContainerFolders(containers, remote.work);
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
  const reading = new FileReader({ containers, listings, edits, readOnly, large });
  const writing = new FileWriter({
    containers,
    listings,
    edits,
    saves,
    uncertain,
    turns,
    readOnly,
    problems,
    putBytes: (file, bytes, how) => folders.putBytes(file, bytes, how),
  });
  const moves = new Moves(containers, listings, (from, to) => copyAcross(from, to, folders, listings));
  // Mutable, so that tests can shorten the wait.
  const overwriteLimits = { lifetime: 3_000 };
  const backups = own(
    new OverwriteBackups({
      containers,
      listings,
      moves,
      edits,
      kept: remote.overwritten,
      lifetime: () => overwriteLimits.lifetime,
    }),
  );
  const looking = new StatAndList({ containers, environments, listings, edits, reading, readOnly, large });
  const pages = new UnreadablePages(report);
  /** For tests, which can't open a folder: the same files as a window with other folders sees them. */
  const createFileSystem = (trusted: FolderTrust, onRefused: () => void) =>
    new ContainerFileSystem({
      hidden: new HiddenFiles(trusted, looking, onRefused),
      accounts,
      containers,
      looking,
      listings,
      edits,
      reading,
      writing,
      moves,
      turns,
      backups,
      readOnly,
      resolveConflict: (place) => remote.conflictPrompt.resolve(place),
      showInexact: (place, stats) => pages.show(place, stats),
    });
  const fileSystem = own(createFileSystem(trust, () => hidden.fire()));
  return { folders, trust, hidden, readOnly, large, backups, overwriteLimits, createFileSystem, fileSystem, pages };
}

type Provider = ReturnType<typeof createProvider>;
type Created = Remote & Provider & { readonly compatibility: CompatibilityStore };

/** Tells VS Code and the rest of Gantry what may be different now. */
function followChanges(created: Created, { accounts }: Levels['accounts'], own: Own): void {
  const { environments, edits, fileSystem, hidden, readOnly, savedConfigurations, trust } = created;
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
          hidden.fire();
        }
      });
    }),
  );
  own(fileSystem.onDidSave(({ place, isNew }) => isNew && savedConfigurations.noteCreated(place)));
}

/** Shows the states of files and containers: in the status bar, in context keys, in editors, and as notices. */
function showStates(created: Created, { accounts, state, report }: Levels['accounts'], own: Own) {
  const { environments, containers, listings, edits, fileSystem, readOnly, large, backups } = created;
  own(
    environments.onDidList(
      () => void setContextKey('gantry.listedEnvironments', environments.areNoneListed ? 'none' : 'some'),
    ),
  );
  const shownFolders = own(new ShownFolders(report));
  own(keepSeveralNodesKey(shownFolders, environments));
  own(keepLackedKeys(shownFolders, accounts));
  own(keepLacksKey(accounts));
  own(tellSizes(large.onDidRefuse));
  own(showFailedOverwrites(backups, fileSystem, containers));
  own(showReadOnlyReasons(readOnly, listings, accounts.onDidChangeRights));
  own(warnAboutAutoSave(state, environments));
  own(showContainerInStatusBar(environments));
  own(showOtherNodes({ environments, edits, verified: created.onDidVerify, saved: fileSystem.onDidSave }));
  const binaryFiles = new BinaryFileEditor({
    environments,
    listings,
    readOnly,
    changed: fileSystem.onDidChangeFile,
    find: (slug) => accounts.find(slug),
    ready: () => accounts.loaded,
  });
  const languageModes = own(new LanguageModes(state, report));
  return { shownFolders, binaryFiles, languageModes, recentFiles: own(new RecentFiles()) };
}
