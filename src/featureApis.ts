import type { Accounts } from './accounts/accounts';
import type { SecretStorageState } from './accounts/accountStore';
import type { Connections } from './accounts/connections';
import type { CompatibilityStore } from './compatibility/compatibilityStore';
import type { FilePlace } from './containers/place';
import type { CommandTarget } from './trees/sharedElement';
import type { FailedRequest } from './ui/trafficLog';

/**
 * What features do for each other. A feature isn't imported by another one, so that its code is loaded when it's used:
 * something to do loads it (`features.tree.use`), something to refresh only reaches what is loaded (`features.tree.loaded`).
 */
export interface FeatureApis {
  readonly accounts: {
    readonly accounts: Accounts;
    readonly connections: Connections;
    /** The last ones, oldest first. */
    readonly failedRequests: readonly FailedRequest[];
    /** Whether VS Code stores secrets. */
    readonly secretStorage: () => SecretStorageState;
  };
  readonly files: {
    readonly compatibility: CompatibilityStore;
  };
  readonly tree: {
    /** Shows a file or folder in the Environments view. Returns whether it exists. */
    readonly show: (place: FilePlace) => Promise<boolean>;
    readonly refreshFolders: (folders: readonly FilePlace[]) => void;
  };
  readonly favorites: {
    readonly refreshFolders: (folders: readonly FilePlace[]) => void;
    /** Returns the file or folder that a Favorites row leads to. */
    readonly targetOf: (row: unknown) => CommandTarget | undefined;
    /** Returns the file or folder that the first selected row leads to. */
    readonly selectedTarget: () => CommandTarget | undefined;
  };
}
