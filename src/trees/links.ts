import { env, l10n } from 'vscode';
import type { Accounts } from '../accounts/accounts';
import { type LinkOptions, linkToPlace, writeLink } from '../containers/containerLink';
import type { Place } from '../containers/place';
import { showStatusMessage } from '../ui/statusBar';

export interface LinkTarget {
  readonly place: Place;
  readonly options?: LinkOptions;
}

/**
 * Copies a link to each, without those of accounts that are signed out.
 * @param extensionId the extension's in VS Code
 */
export async function copyLinks(
  targets: readonly LinkTarget[],
  { accounts, extensionId }: { readonly accounts: Accounts; readonly extensionId: string },
): Promise<void> {
  const links = targets.flatMap(({ place, options }) => {
    const account = accounts.find(place.account);
    return place.kind === 'account' || account === undefined
      ? []
      : `${env.uriScheme}://${extensionId}/open?${writeLink(linkToPlace(place, account.host, options))}`;
  });
  if (links.length > 0) {
    await env.clipboard.writeText(links.join('\n'));
    showStatusMessage('link', l10n.t('Link copied'), 3000);
  }
}
