import type { Event, LogOutputChannel, Memento, SecretStorage } from 'vscode';
import type { Accounts } from './accounts/accounts';
import type { Connections } from './accounts/connections';
import type { Unlocking } from './accounts/unlocking';
import type { CompatibilityStore } from './compatibility/compatibilityStore';
import type { Containers } from './containers/containers';
import type { Environments } from './containers/environments';
import type { Listings } from './containers/listings';
import type { FilePlace } from './containers/place';
import type { ServerSideOperations } from './containers/serverSideOperations';
import type { FeatureApis } from './featureApis';
import type { ContainerFileSystem, FileChange } from './files/provider/containerFileSystem';
import type { FolderTrust } from './files/provider/folderTrust';
import type { Journal } from './files/journal/journal';
import type { OverwriteBackups } from './files/provider/overwriteBackups';
import type { RecentFiles, UnreadablePages } from './files/tabs';
import type { OpenEdits } from './files/saving/edits/openEdits';
import type { Saves, VerifiedSave, FileQueue } from './files/saving/saves';
import type { SavedConfigurations } from './files/saving/savedConfigurations';
import type { SaveOutcome } from './files/saving/saveFile';
import type { RestoreTexts } from './files/saving/restoreTexts';
import type { TextRestoration } from './files/saving/writeIfUnchanged';
import type { ShownFolders } from './files/shownFiles';
import type { ContainerFolders } from './files/transfers/containerFolder';
import type { FolderWatcher } from './files/watching/watchFolders';
import type { Loadable } from './lazy';
import type { FileEntry } from './platform/wire/fileEntry';
import type { WindowPresence } from './storage/windows';
import type { CommandTargets } from './trees/commandTargets';
import type { RecentErrors } from './ui/recentErrors';
import type { ShownTexts } from './ui/shownTexts';

/** The features. Their code is loaded on first use. */
export type FeatureHandles = { readonly [Id in keyof FeatureApis]: Loadable<FeatureApis[Id]> };

/** An optional part of VS Code's API. `AccountStore` and `findGit` look for secret storage and the Git extension themselves. */
export type OptionalHostFeature = 'authentication' | 'languageModelTools';

/** What exists at activation: parts of VS Code, and what all features share. */
export interface Host {
  readonly log: LogOutputChannel;
  /** Shows and logs a failure that no caller waits for. `runAgain` adds a button that does the work again. */
  readonly report: (error: unknown, runAgain?: () => unknown) => void;
  readonly recent: RecentErrors;
  /** Memory for all windows on this computer. */
  readonly state: Memento;
  readonly secrets: SecretStorage;
  /** Gantry's own folder on this computer, for all windows. */
  readonly storageFolder: string;
  /** Differs between the folders and workspaces that windows show. Empty in a window that shows none. */
  readonly workspaceId: string;
  /** The documents that hold texts for comparisons. */
  readonly texts: ShownTexts;
  /** What this host lacks. Forks of VS Code may not have every API. */
  readonly hostLacks: Set<OptionalHostFeature>;
  readonly extensionId: string;
  /** Gantry's own version. */
  readonly version: string;
  readonly packageJson: unknown;
  /** The URIs of the files whose last save a person started, since before any code of saves was loaded. */
  readonly startedSaves: Set<string>;
  /** Does work that no caller waits for, but that must be done before the window closes. */
  readonly complete: (work: Promise<unknown>) => void;
}

/** What a level's code returns once it's loaded. Only `services` are for features. */
export type LoadedLevel<L extends keyof Levels> = { readonly services: Levels[L] } & (L extends 'files'
  ? StoringFeature & { readonly close: () => Promise<unknown> }
  : unknown);

/** A feature that stores something for an account, and deletes it once that is signed out. */
export interface StoringFeature {
  readonly forgetAccount: (slug: string) => Promise<unknown>;
}

interface HostServices extends Host {
  /** A feature gets them once it's loaded. While it registers, it may wait for services (`Gantry.levels`). */
  readonly features: FeatureHandles;
}

interface AccountServices {
  readonly accounts: Accounts;
  readonly connections: Connections;
  readonly unlocking: Unlocking;
}

interface FileServices {
  readonly environments: Environments;
  readonly containers: Containers;
  readonly listings: Listings;
  readonly serverOperations: ServerSideOperations;
  readonly watching: FolderWatcher;
  /** Returns the container folders that are open in the window. */
  readonly openFolders: () => readonly FilePlace[];
  /** Fires when a folder was listed completely, by anything in this window. */
  readonly onDidList: Event<{
    readonly folder: FilePlace;
    readonly entries: readonly FileEntry[];
    /** When the request was sent, by `performance.now`. */
    readonly askedAt: number;
  }>;
  readonly recentFiles: RecentFiles;
  readonly pages: UnreadablePages;
  readonly fileSystem: ContainerFileSystem;
  readonly folders: ContainerFolders;
  readonly trust: FolderTrust;
  /** Fires when a hidden entry appears or gets in the way. */
  readonly hidden: Event<void>;
  /** What VS Code deleted a moment ago, which a copy of a folder shouldn't take along. */
  readonly backups: OverwriteBackups;
  readonly saves: Saves;
  /** Tells what each node had before and has after a save. */
  readonly onDidVerify: Event<VerifiedSave>;
  readonly edits: OpenEdits;
  readonly savedConfigurations: SavedConfigurations;
  readonly queue: FileQueue;
  readonly compatibility: CompatibilityStore;
  readonly presence: WindowPresence;
  readonly journal: Journal;
  readonly shownFolders: ShownFolders;
  /** Allows writes of a file in several requests. */
  readonly agreeToPieces: (file: FilePlace) => void;
  /** Writes a text if the file has exactly another one, or deletes it. */
  readonly writeIfUnchanged: (file: FilePlace, change: TextRestoration) => Promise<SaveOutcome>;
  /**
   * Gives files back their earlier texts, in the turn of all of them. Each must have exactly what it's said to have now. All are
   * checked before the first is written.
   */
  readonly restoreTexts: RestoreTexts;
  /**
   * Tells VS Code, the views, and the cached listings about changes that weren't made through VS Code. If it isn't certain
   * that this user made them, such as after a failure, nothing is recorded because of them.
   */
  readonly announce: (changes: readonly FileChange[], options?: { readonly isCertain: boolean }) => void;
  /** The files and folders that a command was called on. */
  readonly targets: CommandTargets;
}

/** What features are built from. Nothing below features/ gets all of it. */
export type Services = HostServices & AccountServices & FileServices;

/** What a feature can need. Each is loaded once, before the first feature that needs it. */
export interface Levels {
  readonly host: HostServices;
  readonly accounts: HostServices & AccountServices;
  readonly files: Services;
  /** The same, after the Environments view. */
  readonly tree: Services;
}
