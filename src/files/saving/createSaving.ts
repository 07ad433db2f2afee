import { join } from 'node:path';
import { type Disposable, EventEmitter, FileSystemError, l10n, type LogOutputChannel, window, workspace } from 'vscode';
import type { Accounts } from '../../accounts/accounts';
import type { Containers } from '../../containers/containers';
import type { Listings } from '../../containers/listings';
import type { FilePlace } from '../../containers/place';
import { mayHoldSecrets } from '../../containers/secretFiles';
import { Backups } from './backups';
import { Saves, type VerifiedSave, FileQueue } from './saves';
import { BaseVersionBackups } from './edits/baseVersionBackups';
import { OpenEdits } from './edits/openEdits';
import { InterruptedSaves } from './interruptedSaves';
import { showMergeConflicts } from './mergeConflicts';
import { conflictPrompt } from './conflictPrompt';
import { SavedConfigurations } from './savedConfigurations';
import { defaultSaveLimits, type SavedFiles, type SaveLimits } from './saveFile';
import { concludeUncertainSaves, offerRestart, offerToStopWaiting, showJournalTrouble } from './saveNotice';
import { offerSaveProblems, SaveProblems } from './saveProblems';
import { ServerFiles } from './serverFiles';
import { UncertainSaves } from './uncertainSaves';
import { type Entry, retention } from '../journal/entry';
import { Journal } from '../journal/journal';
import { dirtyTabOf } from '../tabs';
import { journalFolder } from '../../storage/storageKeys';
import { digestOf } from '../../storage/stores';
import { setContextKey } from '../../ui/contextKeys';
import { WindowPresence, FileLocks } from '../../storage/windows';

interface Host {
  readonly log: LogOutputChannel;
  readonly report: (error: unknown) => void;
  readonly storageFolder: string;
  readonly workspaceId: string;
  readonly startedSaves: Set<string>;
}

/** Saving, with everything that outlives a save: backups, locks, base versions, and what to check or offer afterward. */
export function createSaving(
  accounts: Accounts,
  containers: Containers,
  listings: Listings,
  host: Host,
  own: <T extends Disposable>(part: T) => T,
) {
  const shared = createShared(accounts, host);
  const { journal, saveBackups, isHeldElsewhere } = shared;
  const edits = new OpenEdits(new BaseVersionBackups({ backups: saveBackups, isHeldElsewhere }));
  const savedConfigurations = new SavedConfigurations(journal, (error) => host.log.warn(String(error)));
  const { verified, ...saving } = createSaves(accounts, containers, listings, { ...shared, ...host, edits });
  const problems = own(new SaveProblems());
  own(saving.uncertain);
  own(verified);
  own(savedConfigurations);
  own(showMergeConflicts());
  own(concludeUncertainSaves(saving.uncertain, host.report));
  own(offerSaveProblems(problems, edits));
  own(offerRestart(savedConfigurations, accounts));
  own(
    verified.event((saved) => {
      savedConfigurations.note(saved);
      void setContextKey('gantry.saves', 'some');
    }),
  );
  own(accounts.onDidSignOut(({ slug }) => savedConfigurations.forgetAccount(slug)));
  own(followOtherWindows(savedConfigurations, accounts, host.report));
  return {
    ...shared,
    ...saving,
    edits,
    problems,
    resolveConflict: conflictPrompt(edits, problems, host.startedSaves),
    savedConfigurations,
    onDidVerify: verified.event,
  };
}

/** What the windows on this computer share: which are open, the texts that each keeps, and whose turn it is to change a file. */
function createShared(accounts: Accounts, { log, storageFolder, workspaceId }: Host) {
  const presence = new WindowPresence(join(storageFolder, 'windows'), digestOf(workspaceId));
  const journal = new Journal(join(storageFolder, journalFolder), {
    presence,
    isForgotten: forgottenBy(accounts),
    hasConsent: () => versionsMode() === 'on',
    mayHoldSecrets,
    onTrouble: showJournalTrouble(log),
  });
  const saveBackups = new Backups(journal, 'save');
  const isHeldElsewhere = async (entry: Entry) => !saveBackups.isOurs(entry) && (await presence.isAlive(entry.owner));
  const locks = new FileLocks({
    folder: join(storageFolder, 'locks'),
    presence,
    onDidFail: (error) => log.warn(String(error)),
    inUse: () =>
      FileSystemError.Unavailable(
        l10n.t('Another VS Code window on this computer is changing the file. Try again in a moment.'),
      ),
  });
  return {
    presence,
    journal,
    saveBackups,
    overwritten: new Backups(journal, 'overwrite'),
    isHeldElsewhere,
    /** Whether only other windows may offer what an entry has. */
    isForOthers: async (entry: Entry) =>
      accounts.find(entry.place.account) === undefined || (await isHeldElsewhere(entry)),
    locks,
    offering: offeringBy(locks),
    queue: new FileQueue(locks),
  };
}

/** Returns a function that runs work in one window at a time, so that two windows don't offer the same text of a closed one. */
function offeringBy(locks: FileLocks) {
  return async <T>(what: 'saves' | 'overwrites', work: () => Promise<T>): Promise<T> => {
    let hasBegun = false;
    const begin = () => {
      hasBegun = true;
      return work();
    };
    return locks.hold([`offering ${what}`], begin).catch((error: unknown) => {
      if (hasBegun) {
        throw error;
      }
      // The other window has held the lock for very long. Offering a text twice is better than never.
      return work();
    });
  };
}

/** The saves themselves, and what checks those that didn't end: in this window, or after it was closed. */
function createSaves(
  accounts: Accounts,
  containers: Containers,
  listings: Listings,
  {
    presence,
    saveBackups,
    isHeldElsewhere,
    offering,
    edits,
    report,
  }: ReturnType<typeof createShared> & Host & { readonly edits: OpenEdits },
) {
  const files = new ServerFiles(containers, listings);
  // Mutable, so that tests can shorten the waits.
  const saveLimits: { -readonly [K in keyof SaveLimits]: SaveLimits[K] } = { ...defaultSaveLimits };
  const nodesOf = (place: FilePlace) => containers.nodes(place);
  const verified = new EventEmitter<VerifiedSave>();
  const tellVerified = (saved: SavedFiles): Promise<unknown> => {
    const noted: Promise<unknown>[] = [];
    const waitUntil = (work: Promise<unknown>) => {
      noted.push(work);
      return work;
    };
    verified.fire({ ...saved, waitUntil });
    // Each listener reports its own failure.
    return Promise.allSettled(noted);
  };
  const saves = new Saves(
    {
      files,
      backups: saveBackups,
      nodesOf,
      isAsking: ({ account }) => accounts.find(account)?.isSignedOut === true,
      onDidVerify: tellVerified,
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
    pauses: () => saveLimits.recheckPauses,
    onDidCheck: (found) => saves.tellMade(found),
  });
  const recovery = new InterruptedSaves({
    backups: saveBackups,
    files,
    isHeldElsewhere,
    isOpen: (owner) => presence.isAlive(owner),
    inTurn: (work) => offering('saves', work),
    nodesOf,
    isBeingEdited: (place) => edits.isDirty(place) || dirtyTabOf(place) !== undefined,
    isSignedIn: (slug) => accounts.find(slug) !== undefined,
    onDidFindMade: tellVerified,
  });
  return { files, saveLimits, verified, saves, uncertain, recovery };
}

/** Takes over what other windows saved and restarted, and this one before it was reloaded. */
function followOtherWindows(
  saved: SavedConfigurations,
  accounts: Accounts,
  report: (error: unknown) => void,
): Disposable {
  const refresh = () => {
    const refreshed = accounts.untilRead().then(() => saved.refresh(accounts.list.map(({ slug }) => slug)));
    refreshed.catch(report);
  };
  refresh();
  return window.onDidChangeWindowState(({ focused }) => focused && refresh());
}

/** Whether earlier versions are kept; `ask` until the person has decided. */
export function versionsMode(): 'ask' | 'on' | 'off' {
  const value = workspace.getConfiguration('gantry.versionHistory').get<unknown>('keep');
  return value === 'on' || value === 'off' ? value : 'ask';
}

/** Files that usually hold secrets are left out whatever the setting says, which names others. */
export function isWithoutVersions(place: FilePlace): boolean {
  const value = workspace.getConfiguration('gantry.versionHistory').get<unknown>('exclude');
  const patterns = Array.isArray(value) ? value.filter((pattern) => typeof pattern === 'string') : [];
  return mayHoldSecrets(place, patterns);
}

/**
 * How many bytes the text of a deleted file may have that is kept, now that the person agreed. 0 if none is kept. The nodes of
 * a layer may have different ones.
 */
export function longestDeletedText(place: FilePlace): number {
  const isKept = versionsMode() === 'on' && place.target.nodeId !== undefined && !isWithoutVersions(place);
  return isKept ? retention.deleted.bytes : 0;
}

/** Forgets no account before the accounts are known, or if they can't be read. */
function forgottenBy(accounts: Accounts): (slug: string) => Promise<boolean> {
  return async (slug) => {
    await accounts.firstRead;
    return accounts.isForgotten(slug);
  };
}
