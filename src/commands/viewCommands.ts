import { commands, type LogOutputChannel, Uri } from 'vscode';
import type { Environments } from '../environments/environments';
import type { Listings } from '../remote/listings';
import { uriParts } from '../remote/place';
import type { EnvironmentsView } from '../views/environmentsView';

export interface Shown {
  readonly environments: Environments;
  readonly listings: Listings;
  readonly view: EnvironmentsView;
  readonly log: LogOutputChannel;
}

export function viewCommands({ environments, listings, view, log }: Shown) {
  return {
    'gantry.environments.refresh'() {
      listings.forgetAll();
      environments.refresh();
    },

    async 'gantry.file.open'(received: unknown) {
      const element = view.find(received);
      if (element?.kind === 'entry') {
        await commands.executeCommand('vscode.open', Uri.from(uriParts(element.place)));
      }
    },

    'gantry.log.show'() {
      log.show();
    },
  };
}
