import { l10n, ThemeIcon, type TreeItem, TreeItemCollapsibleState } from 'vscode';
import type { Account } from '../accounts/accounts';
import type { Environment } from '../containers/environment';
import type { Environments } from '../containers/environments';
import { row } from './row';
import { type SignedOutElement, signedOutRow } from './signedOutRow';
import type { AccountRow } from './rowTreeProvider';

/** What a view of things in environments begins with: the environments, under their accounts where there are several. */
export type RootElement =
  | AccountRow
  | SignedOutElement
  | { readonly kind: 'environment'; readonly environment: Environment; readonly isUnfolded: boolean };

/** @param unfolded up to how many environments of an account are shown unfolded at first */
export async function environmentsIn(
  account: Account,
  environments: Environments,
  unfolded = 0,
): Promise<RootElement[]> {
  if (account.isSignedOut) {
    return [{ kind: 'signedOut', account }];
  }
  const all = await environments.of(account);
  const isUnfolded = all.length <= unfolded;
  return all.map((environment) => ({ kind: 'environment', environment, isUnfolded }));
}

export function environmentRow(element: RootElement): TreeItem {
  switch (element.kind) {
    case 'account':
      return row(`account ${element.account.slug}`, element.account.label, TreeItemCollapsibleState.Expanded, {
        description: element.account.isSignedOut
          ? l10n.t('{0} · signed out', element.account.host)
          : element.account.host,
        iconPath: new ThemeIcon('account'),
        contextValue: 'account',
      });
    case 'signedOut':
      return signedOutRow(element);
    case 'environment': {
      const { account, name, title, domain } = element.environment;
      return row(
        `environment ${account}/${name}`,
        title,
        TreeItemCollapsibleState[element.isUnfolded ? 'Expanded' : 'Collapsed'],
        {
          description: name === title ? '' : name,
          tooltip: domain ?? name,
          iconPath: new ThemeIcon('server-environment'),
          contextValue: 'environment',
        },
      );
    }
  }
}
