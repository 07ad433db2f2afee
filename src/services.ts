import type { LogOutputChannel, Memento, SecretStorage } from 'vscode';
import type { Accounts } from './accounts/accounts';
import type { Connections } from './accounts/connections';
import type { Unlocking } from './accounts/unlocking';
import type { Containers } from './containers/containers';
import type { Environments } from './containers/environments';
import type { Listings } from './containers/listings';
import type { FilePlace } from './containers/place';
import type { FeatureApis } from './featureApis';
import type { ContainerFileSystem, FileChange } from './files/provider/containerFileSystem';
import type { OpenEdits } from './files/saving/edits/openEdits';
import type { FileQueue } from './files/saving/fileQueue';
import type { SavedConfigurations } from './files/saving/savedConfigurations';
import type { SaveOutcome } from './files/saving/saveFile';
import type { TextRestoration } from './files/saving/writeOver';
import type { Loadable } from './lazy';
import type { CommandTarget } from './trees/sharedElement';
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
  /** The documents that hold texts for comparisons. */
  readonly texts: ShownTexts;
  /** What this host lacks. Forks of VS Code may not have every API. */
  readonly hostLacks: Set<OptionalHostFeature>;
  readonly extensionId: string;
  /** Gantry's own version. */
  readonly version: string;
  readonly packageJson: unknown;
  /** Does work that no caller waits for, but that must be done before the window closes. */
  readonly complete: (work: Promise<unknown>) => void;
}

/** A feature that stores something for an account, and deletes it once that is signed out. */
export interface StoringFeature {
  readonly forgetAccount: (slug: string) => Promise<unknown>;
}

interface HostServices extends Host {
  /** A feature gets them once it's loaded. What it needs while it registers is a parameter (see `registerFeatures`). */
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
  readonly fileSystem: ContainerFileSystem;
  readonly edits: OpenEdits;
  readonly savedConfigurations: SavedConfigurations;
  readonly queue: FileQueue;
  /** Returns why a text can't be written over exactly another one, if it can't. */
  readonly findObstacle: (file: FilePlace, change: TextRestoration) => Promise<SaveOutcome | undefined>;
  /** Writes a text over exactly another one, or deletes it. */
  readonly writeOver: (file: FilePlace, change: TextRestoration) => Promise<SaveOutcome>;
  /** Tells VS Code, the views, and the cached listings about changes that weren't made through VS Code. */
  readonly announce: (changes: readonly FileChange[]) => void;
  /** The files and folders that a command was called on. */
  readonly targets: {
    all(received: readonly unknown[]): Promise<readonly CommandTarget[]>;
  };
}

/** What features are built from. Nothing below features/ gets all of it. */
export type Services = HostServices & AccountServices & FileServices;

/** What a feature can need. Each is loaded once, before the first feature that needs it. */
export interface Levels {
  readonly host: HostServices;
  readonly accounts: HostServices & AccountServices;
  readonly files: Services;
}
