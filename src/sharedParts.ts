import type { Accounts } from './accounts/accounts';
import type { Containers } from './containers/containers';
import type { Memory } from './containers/environmentMemory';
import type { Environments } from './containers/environments';
import type { Listings } from './containers/listings';
import type { CommandTargets } from './fileTree/commandTargets';
import type { ShownTexts } from './ui/shownTexts';

/**
 * What features are built from. A feature's entry file gets it, and passes on only what each of its other files needs.
 * It's built once, in wiring/.
 */
export interface SharedParts {
  readonly accounts: Accounts;
  readonly environments: Environments;
  readonly containers: Containers;
  readonly listings: Listings;
  /** The files and folders that a command was called on. */
  readonly targets: CommandTargets;
  /** Texts to compare with. */
  readonly texts: ShownTexts;
  /** Memory for all windows on this computer. */
  readonly state: Memory;
  /** Shows and logs a failure that no caller waits for. */
  readonly report: (error: unknown) => void;
}
