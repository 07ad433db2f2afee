import type { Memento } from 'vscode';
import type { Accounts } from './accounts/accounts';
import type { Unlocking } from './accounts/unlocking';
import type { Containers } from './containers/containers';
import type { Environments } from './containers/environments';
import type { Listings } from './containers/listings';
import type { FeatureApis } from './featureApis';
import type { ContainerFileSystem, FileChange } from './files/provider/containerFileSystem';
import type { Loadable } from './lazy';
import type { CommandTarget } from './trees/sharedElement';
import type { RecentErrors } from './ui/recentErrors';
import type { ShownTexts } from './ui/shownTexts';

/** The features. Their code is loaded on first use. */
export type FeatureHandles = { readonly [Id in keyof FeatureApis]: Loadable<FeatureApis[Id]> };

/** What exists at activation: parts of VS Code, and what all features share. */
export interface Host {
  /** Shows and logs a failure that no caller waits for. `runAgain` adds a button that does the work again. */
  readonly report: (error: unknown, runAgain?: () => unknown) => void;
  readonly recent: RecentErrors;
  /** Memory for all windows on this computer. */
  readonly state: Memento;
  /** The documents that hold texts for comparisons. */
  readonly texts: ShownTexts;
  /** For use once a feature is loaded. What a feature needs while it registers is a parameter (see `registerFeatures`). */
  readonly features: FeatureHandles;
}

interface AccountServices {
  readonly accounts: Accounts;
  readonly unlocking: Unlocking;
}

interface FileServices {
  readonly environments: Environments;
  readonly containers: Containers;
  readonly listings: Listings;
  readonly fileSystem: ContainerFileSystem;
  /** Tells VS Code, the views, and the cached listings about changes that weren't made through VS Code. */
  readonly announce: (changes: readonly FileChange[]) => void;
  /** The files and folders that a command was called on. */
  readonly targets: { all(received: readonly unknown[]): Promise<readonly CommandTarget[]> };
}

/** What features are built from. Nothing below features/ gets all of it. */
export type Services = Host & AccountServices & FileServices;

/** What a feature can need. Each is loaded once, before the first feature that needs it. */
export interface Levels {
  readonly accounts: Host & AccountServices;
  readonly files: Services;
}
