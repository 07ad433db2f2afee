import { join } from 'node:path';
import { EventEmitter, FileChangeType, FileSystemError, l10n } from 'vscode';
import type { Accounts } from '../accounts/accounts';
import type { Connections } from '../accounts/connections';
import { CompatibilityStore } from '../compatibility/compatibilityStore';
import type { FactName } from '../compatibility/facts';
import { dangerOf } from '../compatibility/switchedOff';
import type { FindDanger } from '../containers/containers';
import { SavedConfigurations } from '../files/saving/savedConfigurations';
import { type TextChange, writeOver } from '../files/saving/writeOver';
import { conflictCommands } from '../files/saving/conflictCommands';
import { offerInterruptedSaves, interruptedSavesCommands } from '../files/saving/interruptedSavesCommands';
import { saveCommands } from '../files/saving/saveCommands';
import { StatAndList } from '../files/provider/statAndList';
import { ContainerFileSystem } from '../files/provider/containerFileSystem';
import { BaseVersionBackups } from '../files/saving/edits/baseVersionBackups';
import {
  followChecks,
  followDocuments,
  followNodes,
  followRights,
  followOpaqueEditors,
  hasOpaqueEditor,
} from '../files/saving/edits/documentEvents';
import { OpenEdits } from '../files/saving/edits/openEdits';
import { FolderTrust } from '../files/provider/folderTrust';
import { HiddenFiles } from '../files/provider/hiddenFiles';
import { mayChange } from '../containers/environmentIndex';
import { LargeFiles, tellSizes } from '../files/provider/largeFiles';
import { LanguageModes } from '../files/languageModes';
import { Moves } from '../files/provider/moves';
import { OverwriteBackups } from '../files/provider/overwriteBackups';
import { FileReader } from '../files/provider/readFile';
import { RecentFiles } from '../files/recentFiles';
import { BinaryFileEditor, replaceUnreadableTabs } from '../files/binary/binaryFileEditor';
import { ReadOnlyFiles } from '../files/provider/readOnlyFiles';
import { InterruptedSaves } from '../files/saving/interruptedSaves';
import { ServerFiles } from '../files/saving/serverFiles';
import { type Backup, Backups } from '../files/saving/backups';
import { FileLocks, FileQueue } from '../files/saving/fileQueue';
import { type SaveLimits, defaultSaveLimits } from '../files/saving/saveFile';
import { type SavedFiles, Saves } from '../files/saving/saves';
import {
  offerRestart,
  showOtherNodes,
  concludeUncertainSaves,
  offerToStopWaiting,
  showBackupFailed,
  warnAboutAutoSave,
} from '../files/saving/saveNotice';
import { SaveProblems, offerSaveProblems } from '../files/saving/saveProblems';
import { UncertainSaves } from '../files/saving/uncertainSaves';
import { backupFolders } from '../storage/storageKeys';
import { WindowPresence } from '../storage/windowPresence';
import { copyAcross, ContainerFolders } from '../files/transfers/containerFolder';
import { dirtyTabOf } from '../files/tabs';
import { watchWindow } from '../files/watching/watchWindow';
import { FileWriter } from '../files/provider/writeFile';
import { showFailedOverwrites } from '../files/provider/failedOverwriteNotice';
import { showContainerInStatusBar, showReadOnlyReasons } from '../files/provider/editorStatus';
import { type FilePlace, filePlaceOf } from '../containers/place';
import type { WiringDeps } from './wiringDeps';
import { wireContainers } from './wireContainers';
import { keepSeveralNodesKey } from '../fileTree/severalNodesKey';
import { setContextKey } from '../ui/contextKeys';

// Already loaded at this point. The

interface FilesWiringDeps extends WiringDeps {
  readonly accounts: Accounts;
  /** Learns the display names of environments, for messages. */
  readonly connections: Pick<Connections, 'titleOf'>;
  /** Says what makes a platform unsafe. Its texts are loaded only for this. */
  readonly explainDanger: (fact: FactName) => Promise<string>;
}

/** The file system and saving. */
export function wireFiles(deps: FilesWiringDeps) {
  const { accounts, texts, log, state, report } = deps;
  const compatibility = new CompatibilityStore(join(deps.storageFolder, 'compatibility'), (error) =>
    log.warn(String(error)),
  );
  const remote = wireContainers({
    ...{ accounts, state, findDanger: dangerFrom(compatibility, deps.explainDanger) },
    announce: (changes) => fileSystem.announce(changes),
    isBackup: (place) => backups.isBackup(place),
  });
  const { environments, containers, listings, work, watching, openFolders, onDidList } = remote;
  deps.connections.titleOf = (place) => environments.titleOf(place);
  const folders = new ContainerFolders(containers, work);
  const trust = new FolderTrust(state, openFolders);
  const hidden = new EventEmitter<void>();
  const presence = new WindowPresence(join(deps.storageFolder, 'windows'));
  const keeping = { isForgotten: forgottenBy(accounts), onDidFail: showBackupFailed(log) };
  const kept = new Backups(join(deps.storageFolder, backupFolders.saves), presence, keeping);
  const isHeldElsewhere = async (text: Backup) => !kept.isOurs(text) && (await presence.isAlive(text.owner));
  const edits = new OpenEdits(new BaseVersionBackups({ kept, isHeldElsewhere }));
  const files = new ServerFiles(containers, listings);
  // Mutable, so that tests can shorten the waits.
  const saveLimits: { -readonly [K in keyof SaveLimits]: SaveLimits[K] } = { ...defaultSaveLimits };
  const nodesOf = (place: FilePlace) => containers.nodes(place);
  const areNodesUnknown = ({ account, environment, target }: FilePlace) => {
    const layer = environments.knownLayer(account, environment, target.nodeGroup);
    return target.nodeId === undefined && layer !== undefined && !mayChange(layer);
  };
  const isWriteUnsafe = ({ account, target }: FilePlace) => {
    const change = { kind: 'write', isLayer: target.nodeId === undefined, text: '' } as const;
    return dangerOf(compatibility.of(account)?.facts ?? {}, change) !== undefined;
  };
  const savedConfigurations = new SavedConfigurations();
  const verified = new EventEmitter<SavedFiles>();
  const saves = new Saves(
    {
      ...{ files, kept, nodesOf },
      isAsking: ({ account }) => accounts.find(account)?.isSignedOut === true,
      onDidSave: (saved) => verified.fire(saved),
      onSilence: (place, stop) => void offerToStopWaiting(accounts.find(place.account), place, stop).catch(report),
    },
    saveLimits,
  );
  const uncertain = new UncertainSaves({
    files: {
      read: (file) => containers.read(file, { unattended: true }),
      lookUp: (file) => listings.lookUp(file),
    },
    nodesOf,
    isDirty: (place) => edits.isDirty(place),
    pauses: () => saveLimits.lookAgain,
  });
  const readOnly = new ReadOnlyFiles((slug) => accounts.find(slug), {
    areNodesUnknown,
    isWriteUnsafe,
    hasOpaqueEditor,
  });
  const large = new LargeFiles();
  const reading = new FileReader({ containers, listings, edits, readOnly, large });
  const locks = new FileLocks({
    ...{ folder: join(deps.storageFolder, 'locks'), presence, onDidFail: (error) => log.warn(String(error)) },
    inUse: () =>
      FileSystemError.Unavailable(
        l10n.t('Another VS Code window on this computer is changing the file. Try again in a moment.'),
      ),
  });
  const turns = new FileQueue(locks);
  const problems = new SaveProblems();
  const writing = new FileWriter({
    ...{ containers, listings, edits, saves, uncertain, turns, readOnly, problems },
    putBytes: (file, bytes, how) => folders.putBytes(file, bytes, how),
  });
  const moves = new Moves({
    ...{ containers, listings },
    copyAcross: (from, to) => copyAcross(from, to, folders, listings),
  });
  const overwritten = new Backups(join(deps.storageFolder, backupFolders.overwritten), presence, keeping);
  const overwriteLimits = { lifetime: 3_000 };
  const backups: OverwriteBackups = new OverwriteBackups({
    ...{ containers, listings, kept: overwritten },
    lifetime: () => overwriteLimits.lifetime,
  });
  const recovery = new InterruptedSaves({
    ...{ kept, files, isHeldElsewhere, nodesOf },
    isBeingEdited: (place) => edits.isDirty(place) || dirtyTabOf(place) !== undefined,
    isSignedIn: (slug) => accounts.find(slug) !== undefined,
  });
  const looking = new StatAndList({ containers, environments, listings, edits, reading, readOnly, large });
  const createFileSystem = (trust: FolderTrust, onRefused: () => void) =>
    new ContainerFileSystem({
      hidden: new HiddenFiles(trust, looking, onRefused),
      ...{ accounts, containers, looking, listings, edits, reading, writing, moves, turns, backups, readOnly },
      showInexact: (place, stats) => void replaceUnreadableTabs(place, stats).catch(report),
    });
  const fileSystem: ContainerFileSystem = createFileSystem(trust, () => hidden.fire());
  const binaryFiles = new BinaryFileEditor({
    ...{ environments, listings, readOnly, changed: fileSystem.onDidChangeFile },
    find: (slug) => accounts.find(slug),
    ready: () => accounts.loaded,
  });
  const recovering = { recovery, edits, texts };
  accounts
    .untilRead()
    .then(() => Promise.all([offerInterruptedSaves(recovering), backups.offerLeft(isHeldElsewhere)]))
    .catch(report);
  const commands = {
    ...conflictCommands({ edits, problems, texts }),
    ...saveCommands({ edits, problems, readOnly, files, containers }),
    ...interruptedSavesCommands(recovering),
  };
  const recent = new RecentFiles();
  const languageModes = new LanguageModes(state, report);
  const disposables = [
    environments.onDidList(
      () => void setContextKey('gantry.listedEnvironments', environments.areNoneListed ? 'none' : 'some'),
    ),
    keepSeveralNodesKey(environments, report),
    languageModes,
    ...[...remote.disposables, recent, fileSystem, readOnly, backups, problems, uncertain, large, compatibility],
    tellSizes(large.onDidRefuse),
    concludeUncertainSaves(uncertain, report),
    showFailedOverwrites(backups, fileSystem),
    followDocuments(edits, readOnly, fileSystem),
    followOpaqueEditors(edits),
    followRights(accounts.onDidChangeRights, fileSystem),
    followNodes(environments.onDidChange, fileSystem),
    followChecks(compatibility.onDidChange, fileSystem),
    offerSaveProblems(problems, edits),
    showReadOnlyReasons(readOnly, listings, accounts.onDidChangeRights),
    watchWindow(watching, fileSystem),
    warnAboutAutoSave(state, environments),
    hidden,
    fileSystem.onDidChangeFile((changes) => {
      for (const { uri } of changes.filter(({ type }) => type === FileChangeType.Deleted)) {
        const place = filePlaceOf(uri);
        if (place !== undefined) {
          readOnly.gone(place);
        }
      }
    }),
    fileSystem.onDidChangeFile((changes) => {
      const places = changes.flatMap(({ type, uri }) =>
        type === FileChangeType.Created ? (filePlaceOf(uri) ?? []) : [],
      );
      // What this window creates is trusted, but only known once it's created.
      void trust.settled().then(() => {
        if (places.some((place) => trust.hides(place))) {
          hidden.fire();
        }
      });
    }),
    showContainerInStatusBar(environments),
    showOtherNodes({ environments, edits, saved: fileSystem.onDidSave }),
    offerRestart(savedConfigurations),
    verified,
    savedConfigurations,
    verified.event((saved) => savedConfigurations.note(saved)),
    accounts.onDidSignOut(({ slug }) => savedConfigurations.forgetAccount(slug)),
  ];
  return {
    ...{ accounts, environments, containers, listings, work, watching, openFolders, onDidList, recent },
    ...{
      fileSystem,
      binaryFiles,
      /** For tests, which can't open a folder: the same files as a window with other folders sees them. */
      createFileSystem,
      compatibility,
      folders,
      trust,
      turns,
      saves,
      savedConfigurations,
      /** Tells what each node had before and has after a save. */
      onDidVerify: verified.event,
      writeOver: (file: FilePlace, change: TextChange) => writeOver(file, change, { saves, listings, fileSystem }),
      hidden: hidden.event,
      saveLimits,
      overwriteLimits,
      backups,
      edits,
      kept,
      overwritten,
      presence,
      readOnly,
      problems,
      uncertain,
      recovery,
    },
    /** Runs before the window closes. It counts as open until the end, so that others respect its locks. */
    close: async () => {
      await Promise.all([backups.settled(), locks.settled()]);
      await presence.dispose();
    },
    /** Deletes everything stored for an account that was signed out. */
    forgetAccount: async (slug: string) => {
      listings.forgetAll();
      readOnly.forgetAccount(slug);
      recent.forgetAccount(slug);
      await Promise.all([
        ...[kept, overwritten].map((texts) => texts.discardAccount(slug)),
        ...[environments.forget(slug), trust.forgetAccount(slug), languageModes.forgetAccount(slug)],
        compatibility.forget(slug),
      ]);
    },
    ...{ commands, disposables },
  };
}

export type FileParts = ReturnType<typeof wireFiles>;

/** Waits for the stored checks. One that can't be read switches nothing off, as on a platform that wasn't checked. */
function dangerFrom(compatibility: CompatibilityStore, explain: FilesWiringDeps['explainDanger']): FindDanger {
  return async (account, change) => {
    await compatibility.loaded;
    const facts = compatibility.of(account)?.facts;
    const danger = facts && dangerOf(facts, change);
    return danger === undefined ? undefined : explain(danger);
  };
}

/** Forgets no account before the accounts are known, or if they can't be read. */
function forgottenBy(accounts: Accounts): (slug: string) => Promise<boolean> {
  return async (slug) => {
    await accounts.loaded;
    return accounts.state.kind === 'loaded' && accounts.find(slug) === undefined;
  };
}
