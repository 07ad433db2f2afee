// Already loaded at this point. The import keeps the bundler from splitting shared code into many small files.
import './wireAccounts';
import '../containers/environmentPartPrompts';
import '../containers/namedContainer';
import '../containers/pathPrompt';
import '../containers/protectedPrompt';
import { join } from 'node:path';
import { EventEmitter, FileChangeType, l10n } from 'vscode';
import type { Accounts } from '../accounts/accounts';
import type { Connections } from '../accounts/connections';
import { CompatibilityStore } from '../compatibility/compatibilityStore';
import { explain } from '../compatibility/fact';
import { dangerOf, replacesTarget } from '../compatibility/facts';
import type { FindDanger } from '../containers/containers';
import { findObstacle, type TextRestoration, writeOver } from '../files/saving/writeOver';
import { conflictCommands } from '../files/saving/conflictCommands';
import { offerInterruptedSaves, interruptedSavesCommands } from '../files/saving/interruptedSavesCommands';
import { allNodesCommands } from '../files/saving/allNodesCommands';
import { saveCommands } from '../files/saving/saveCommands';
import { StatAndList } from '../files/provider/statAndList';
import { ContainerFileSystem } from '../files/provider/containerFileSystem';
import {
  followChecks,
  followDocuments,
  followNodes,
  followRights,
  followOpaqueEditors,
  hasOpaqueEditor,
} from '../files/saving/edits/documentEvents';
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
import { showOtherNodes, warnAboutAutoSave } from '../files/saving/saveNotice';
import { copyAcross, ContainerFolders } from '../files/transfers/containerFolder';
import { watchWindow } from '../files/watching/watchWindow';
import { FileWriter } from '../files/provider/writeFile';
import { showFailedOverwrites } from '../files/provider/failedOverwriteNotice';
import { showContainerInStatusBar, keepLacksKey, showReadOnlyReasons } from '../files/provider/editorStatus';
import { type FilePlace, filePlaceOf } from '../containers/place';
import type { Host } from '../services';
import { wireContainers } from './wireContainers';
import { wireSaving } from './wireSaving';
import { undefinedIf } from '../platform/errors';
import { backupFolders } from '../storage/storageKeys';
import { keepLackedKeys, keepSeveralNodesKey, ShownFolders } from '../fileTree/shownFolders';
import { announceChanges } from '../files/watching/announceChanges';
import { setContextKey } from '../ui/contextKeys';

interface FilesWiringDeps extends Host {
  readonly accounts: Accounts;
  /** Learns the display names of environments, for messages. */
  readonly connections: Pick<Connections, 'titleOf'>;
}

/** The file system and saving. */
export function wireFiles(deps: FilesWiringDeps) {
  const { accounts, texts, log, state, report } = deps;
  const compatibility = new CompatibilityStore(
    join(deps.storageFolder, 'compatibility'),
    join(deps.storageFolder, backupFolders.scratch),
    (error) => log.warn(String(error)),
  );
  const hasSeveralNodes = ({ account, environment, target }: FilePlace) => {
    const layer = environments.knownLayer(account, environment, target.nodeGroup);
    return layer?.isComplete !== true || layer.nodes.length > 1;
  };
  // A check that can't be read switches nothing off, as on a platform that wasn't checked.
  const findDanger: FindDanger = async (place, change) => {
    await compatibility.loaded;
    const facts = compatibility.of(place.account)?.facts;
    const account = accounts.find(place.account);
    if (facts?.oneNode === 'ignored' && hasSeveralNodes(place) && account !== undefined) {
      // Maybe it isn't listed yet. If it can't be, it counts as a layer of several nodes.
      await undefinedIf('any', environments.of(account));
    }
    const danger = facts && dangerOf(facts, { ...change, hasSeveralNodes: hasSeveralNodes(place) });
    if (danger !== undefined) {
      return { kind: 'refused', reason: explain(danger, l10n) };
    }
    return facts !== undefined && replacesTarget(facts, change) ? { kind: 'replacesTarget' } : undefined;
  };
  const remote = wireContainers({
    ...{ accounts, state, findDanger },
    announce: (changes) => fileSystem.announce(changes),
    isBackup: (place) => backups.isBackup(place),
  });
  const { environments, containers, listings, work, watching, openFolders, onDidList } = remote;
  deps.connections.titleOf = (place) => environments.titleOf(place);
  const folders = new ContainerFolders(containers, work);
  const trust = new FolderTrust(state, openFolders);
  const hidden = new EventEmitter<void>();
  const saving = wireSaving({ ...deps, containers, listings });
  const { presence, kept, overwritten, isHeldElsewhere, edits, files, saves, uncertain } = saving;
  const { turns, problems, recovery, savedConfigurations, saveLimits } = saving;
  const areNodesUnknown = ({ account, environment, target }: FilePlace) => {
    const layer = environments.knownLayer(account, environment, target.nodeGroup);
    return target.nodeId === undefined && layer !== undefined && !mayChange(layer);
  };
  const isWriteUnsafe = (place: FilePlace) => {
    const change = { kind: 'write', isLayer: place.target.nodeId === undefined, text: '' } as const;
    const facts = compatibility.of(place.account)?.facts ?? {};
    return dangerOf(facts, { ...change, hasSeveralNodes: hasSeveralNodes(place) }) !== undefined;
  };
  const readOnly = new ReadOnlyFiles((slug) => accounts.find(slug), {
    areNodesUnknown,
    isWriteUnsafe,
    hasOpaqueEditor,
  });
  const large = new LargeFiles();
  const reading = new FileReader({ containers, listings, edits, readOnly, large });
  const writing = new FileWriter({
    ...{ containers, listings, edits, saves, uncertain, turns, readOnly, problems },
    putBytes: (file, bytes, how) => folders.putBytes(file, bytes, how),
  });
  const moves = new Moves({
    ...{ containers, listings },
    copyAcross: (from, to) => copyAcross(from, to, folders, listings),
  });
  const overwriteLimits = { lifetime: 3_000 };
  const backups: OverwriteBackups = new OverwriteBackups({
    ...{ containers, listings, moves, edits, kept: overwritten },
    lifetime: () => overwriteLimits.lifetime,
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
    ...allNodesCommands({ edits, problems, texts, files, containers }),
    ...saveCommands({ containers, edits, problems, readOnly, files }),
    ...interruptedSavesCommands(recovering),
  };
  const recentFiles = new RecentFiles();
  const shownFolders = new ShownFolders(report);
  const languageModes = new LanguageModes(state, report);
  const disposables = [
    environments.onDidList(
      () => void setContextKey('gantry.listedEnvironments', environments.areNoneListed ? 'none' : 'some'),
    ),
    shownFolders,
    keepSeveralNodesKey(shownFolders, environments),
    keepLackedKeys(shownFolders, accounts),
    languageModes,
    ...[...remote.disposables, ...saving.disposables, recentFiles, fileSystem, readOnly, backups, large, compatibility],
    tellSizes(large.onDidRefuse),
    showFailedOverwrites(backups, fileSystem, containers),
    followDocuments(edits, readOnly, fileSystem),
    followOpaqueEditors(edits),
    followRights(accounts.onDidChangeRights, readOnly, fileSystem),
    followNodes(environments.onDidChange, fileSystem),
    followChecks(compatibility.onDidChange, fileSystem),
    showReadOnlyReasons(readOnly, listings, accounts.onDidChangeRights),
    keepLacksKey(accounts),
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
    showOtherNodes({ environments, edits, verified: saving.onDidVerify, saved: fileSystem.onDidSave }),
    fileSystem.onDidSave(({ place, isNew }) => isNew && savedConfigurations.noteCreated(place)),
  ];
  return {
    ...{ accounts, environments, containers, listings, work, watching, openFolders, onDidList, recentFiles },
    ...{
      fileSystem,
      announce: announceChanges(listings, fileSystem),
      binaryFiles,
      /** For tests, which can't open a folder: the same files as a window with other folders sees them. */
      createFileSystem,
      shownFolders,
      compatibility,
      folders,
      trust,
      turns,
      saves,
      savedConfigurations,
      /** Tells what each node had before and has after a save. */
      onDidVerify: saving.onDidVerify,
      agreeToPieces: (file: FilePlace) => files.agreeToPieces(file),
      findObstacle: (file: FilePlace, change: TextRestoration) => findObstacle(file, change, { files }),
      writeOver: (file: FilePlace, change: TextRestoration) =>
        writeOver(file, change, { saves, files, containers, listings, fileSystem }),
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
      await Promise.all([backups.settled(), saving.locks.settled()]);
      await presence.dispose();
    },
    /** Deletes everything stored for an account that was signed out. */
    forgetAccount: async (slug: string) => {
      listings.forgetAll();
      readOnly.forgetAccount(slug);
      recentFiles.forgetAccount(slug);
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
