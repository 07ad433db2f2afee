import { env, l10n, Uri, window } from 'vscode';
import type { Accounts } from '../accounts/accounts';
import { linkToPlace, writeLink } from '../containers/containerLink';
import { type Place, placeOf } from '../containers/place';
import type { SharedElement } from '../trees/sharedElement';
import type { EnvironmentsView } from './environmentsView';

export interface LinkCommandsDeps {
  readonly accounts: Accounts;
  readonly view: Pick<EnvironmentsView, 'find'>;
  /** The name by which VS Code finds the extension. */
  readonly extensionId: string;
}

export function linkCommands({ accounts, view, extensionId }: LinkCommandsDeps) {
  const linkOf = (received: unknown): string | undefined => {
    const element = view.find(received);
    const place = element === undefined ? placeIn(received) : placeOfElement(element);
    const account = place && accounts.find(place.account);
    return place === undefined || place.kind === 'account' || account === undefined
      ? undefined
      : `${env.uriScheme}://${extensionId}/open?${writeLink(linkToPlace(place, account.host))}`;
  };
  return {
    async 'gantry.link.copy'(received: unknown, several: unknown) {
      const meant: readonly unknown[] = Array.isArray(several) && several.length > 0 ? several : [received];
      const links = meant.map(linkOf).filter((link) => link !== undefined);
      if (links.length > 0) {
        await env.clipboard.writeText(links.join('\n'));
        window.setStatusBarMessage(l10n.t('$(link) Link copied'), 3000);
      }
    },
  };
}

/** A file of VS Code's own Explorer, or from the palette the one in front. */
function placeIn(received: unknown): Place | undefined {
  const uri = received ?? window.activeTextEditor?.document.uri;
  return uri instanceof Uri ? placeOf(uri) : undefined;
}

function placeOfElement(element: SharedElement): Place | undefined {
  switch (element.kind) {
    case 'environment': {
      const { account, name } = element.environment;
      return { kind: 'environment', account, environment: name };
    }
    case 'layer': {
      const { account, name } = element.environment;
      const target = { nodeGroup: element.layer.id };
      return { kind: 'file', account, environment: name, target, path: '/' };
    }
    case 'node':
    case 'entry':
      return element.place;
    default:
      return undefined;
  }
}
