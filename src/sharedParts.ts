import type { Accounts } from './accounts/accounts';
import type { Containers } from './containers/containers';
import type { Memory } from './containers/environmentMemory';
import type { Environments } from './containers/environments';
import type { Listings } from './containers/listings';
import type { FilePlace } from './containers/place';
import type { CommandTargets } from './fileTree/commandTargets';
import type { OpenEdits } from './files/saving/edits/openEdits';
import type { FileQueue } from './files/saving/fileQueue';
import type { SavedConfigurations } from './files/saving/savedConfigurations';
import type { SaveOutcome } from './files/saving/saveFile';
import type { TextRestoration } from './files/saving/writeOver';
import type { ShownTexts } from './ui/shownTexts';

/** What features are built from. It's made in wiring/, and given to the entry file of a feature. */
export interface SharedParts {
  readonly accounts: Accounts;
  readonly environments: Environments;
  readonly containers: Containers;
  readonly listings: Listings;
  /** The files and folders that a command was called on. */
  readonly targets: CommandTargets;
  readonly edits: OpenEdits;
  readonly savedConfigurations: SavedConfigurations;
  readonly queue: FileQueue;
  /** Returns why a text can't be written over exactly another one, if it can't. */
  readonly findObstacle: (file: FilePlace, change: TextRestoration) => Promise<SaveOutcome | undefined>;
  /** Writes a text over exactly another one, or deletes it. */
  readonly writeOver: (file: FilePlace, change: TextRestoration) => Promise<SaveOutcome>;
  /** Texts to compare with. */
  readonly texts: ShownTexts;
  /** Gantry's own folder on this computer, for all windows. */
  readonly storageFolder: string;
  /** Memory for all windows on this computer. */
  readonly state: Memory;
  /** Shows and logs a failure that no caller waits for. */
  readonly report: (error: unknown) => void;
}
