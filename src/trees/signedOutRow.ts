import { type Command, l10n, ThemeIcon, TreeItem, TreeItemCollapsibleState } from 'vscode';
import type { Account } from '../accounts/accounts';
import type { CommandId } from '../manifest';
import { isPlatformError } from '../platform/errors';

/** Stands where an account's content would, once its platform no longer accepts the token. */
export interface SignedOutElement {
  readonly kind: 'signedOut';
  readonly account: Account;
}

/** A row that says so, and signs in when it is clicked. */
export function signedOutRow({ account }: SignedOutElement): TreeItem {
  const item = new TreeItem(l10n.t('Signed out: sign in again'), TreeItemCollapsibleState.None);
  return Object.assign(item, {
    id: `signedOut ${account.slug}`,
    description: account.host,
    tooltip: l10n.t('{0} no longer accepts the token of {1}.', account.host, account.label),
    iconPath: new ThemeIcon('sign-in'),
    contextValue: 'signedOut',
    command: signInAgain(account.slug),
    accessibilityInformation: { label: l10n.t('Signed out of {0}. Sign in again.', account.host) },
  });
}

/** What a row does that stands for a failure which signing in again would mend. */
export function commandFor(error: unknown, account: string): Command | undefined {
  return isPlatformError(error) && error.kind === 'unauthenticated' ? signInAgain(account) : undefined;
}

function signInAgain(slug: string): Command {
  const command: CommandId = 'gantry.account.signInAgain';
  return { command, title: l10n.t('Sign In Again'), arguments: [slug] };
}
