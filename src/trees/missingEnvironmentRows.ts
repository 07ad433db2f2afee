import { type Command, l10n, ThemeIcon, type TreeItem, TreeItemCollapsibleState } from 'vscode';
import type { Account } from '../accounts/accounts';
import type { MissingEnvironment } from '../containers/environments';
import type { Environment } from '../containers/environment';
import type { CommandId } from '../manifest';
import { row } from './row';

/** An environment that was there before and is not any more. */
export interface MissingEnvironmentElement {
  readonly kind: 'absence';
  readonly absence: MissingEnvironment;
}

/** Stands below an account whose token may not list environments. */
export interface UnlistedElement {
  readonly kind: 'unlisted';
  readonly account: Account;
}

export function missingEnvironmentRow({
  absence: { account, name, title, renamedTo },
}: MissingEnvironmentElement): TreeItem {
  const what =
    renamedTo === undefined ? l10n.t('no longer there: deleted or renamed') : l10n.t('is now called {0}', renamedTo);
  return row(`absence ${account}/${name}`, title, TreeItemCollapsibleState.None, {
    description: what,
    tooltip:
      renamedTo === undefined
        ? l10n.t('The platform has no environment {0} any more. Files of it that are open cannot be saved there.', name)
        : l10n.t(
            '{0} was renamed to {1}. Open its files there: under the old name nothing can be saved.',
            name,
            renamedTo,
          ),
    iconPath: new ThemeIcon('question'),
    contextValue: 'absence',
  });
}

export function unlistedRow({ account }: UnlistedElement): TreeItem {
  const command: CommandId = 'gantry.environment.add';
  const add: Command = { command, title: l10n.t('Add Environment…'), arguments: [account.slug] };
  const reason = l10n.t('The token does not permit {0}, which lists environments.', 'environment.control.GetEnvs');
  return row(`unlisted ${account.slug}`, l10n.t('Add an environment…'), TreeItemCollapsibleState.None, {
    description: l10n.t('not listed to this token'),
    tooltip: reason,
    iconPath: new ThemeIcon('add'),
    contextValue: 'unlisted',
    command: add,
    accessibilityInformation: { label: l10n.t('{0} Add an environment by its name.', reason) },
  });
}

/** A status for a person; `undefined` where the platform does not say. */
export function statusText(status: Environment['status']): string | undefined {
  switch (status) {
    case 'running':
      return l10n.t('running');
    case 'down':
      return l10n.t('stopped');
    case 'launching':
      return l10n.t('starting');
    case 'sleeping':
      return l10n.t('asleep');
    case 'creating':
      return l10n.t('being created');
    case 'cloning':
      return l10n.t('being cloned');
    case 'broken':
      return l10n.t('broken');
    case 'updating':
      return l10n.t('being updated');
    case 'stopping':
      return l10n.t('stopping');
    case undefined:
      return undefined;
  }
}

export function statusIcon(status: Environment['status']): ThemeIcon {
  switch (status) {
    case 'running':
    case undefined:
      return new ThemeIcon('server-environment');
    case 'down':
    case 'sleeping':
      return new ThemeIcon('circle-slash');
    case 'broken':
      return new ThemeIcon('error');
    case 'launching':
    case 'creating':
    case 'cloning':
    case 'updating':
    case 'stopping':
      return new ThemeIcon('sync');
  }
}
