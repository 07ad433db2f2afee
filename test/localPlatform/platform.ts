import type { Accounts } from './accounts/accounts';
import type { Behaviour } from './behaviour';
import type { Clock } from './clock';
import type { CurrentActions } from './environments/currentActions';
import type { Environments } from './environments/environments';
import type { Faults } from './faults/faults';
import type { Journal } from './journal';
import type { PeriodicWork } from './periodicWork';
import type { Projects } from './vcs/projects';

/** State and services that all operations share. */
export interface Platform {
  /** The folder for all state, with the folders of nodes under `nodes/`. */
  readonly dataFolder: string;
  readonly accounts: Accounts;
  readonly environments: Environments;
  readonly behaviour: Behaviour;
  readonly actions: CurrentActions;
  readonly clock: Clock;
  readonly journal: Journal;
  readonly faults: Faults;
  readonly periodic: PeriodicWork;
  readonly projects: Projects;
  /** `http://127.0.0.1:<port>`. */
  readonly origin: () => string;
}
