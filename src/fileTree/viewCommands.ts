import type { Accounts } from '../accounts/accounts';
import type { Environments } from '../containers/environments';
import type { Listings } from '../containers/listings';
import type { EnvironmentsView } from './environmentsView';

export interface ViewCommandsDeps {
  readonly accounts: Accounts;
  readonly environments: Environments;
  readonly listings: Listings;
  readonly view: EnvironmentsView;
}

export function viewCommands({ accounts, environments, listings, view }: ViewCommandsDeps) {
  return {
    async 'gantry.environments.refresh'() {
      await accounts.demandRead();
      listings.forgetAll();
      accounts.forgetRights();
      environments.refresh();
    },

    async 'gantry.environments.retry'(received: unknown) {
      const element = view.find(received);
      await accounts.demandRead();
      if (element?.kind === 'problem') {
        view.refresh(element.of);
      }
    },
  };
}
