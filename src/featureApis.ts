import type { FilePlace } from './containers/place';
import type { CommandTarget } from './trees/sharedElement';

/** What features do for each other. A feature isn't imported by another one, so that its code is loaded when it's used. */
export interface FeatureApis {
  readonly tree: {
    /** Shows a file or folder in the Environments view. Returns whether it exists. */
    readonly show: (place: FilePlace) => Promise<boolean>;
    readonly refreshFolders: (folders: readonly FilePlace[]) => void;
  };
  readonly favorites: {
    readonly refreshFolders: (folders: readonly FilePlace[]) => void;
    /** Returns what a row of the Favorites view stands for. */
    readonly targetOf: (row: unknown) => CommandTarget | undefined;
    /** Returns what the first selected row stands for. */
    readonly selectedTarget: () => CommandTarget | undefined;
  };
}
