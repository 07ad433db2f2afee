import { commands, l10n } from 'vscode';
import type { Account, Accounts } from '../accounts/accounts';
import type { CommandId } from '../manifest';
import { showWarningMessage } from '../ui/notifications';
import type { CompatibilityStore } from './compatibilityStore';

export interface UnreadableCheckDeps {
  readonly accounts: {
    readonly list: readonly Pick<Account, 'slug' | 'label'>[];
    untilRead: Accounts['untilRead'];
  };
  readonly compatibility: Pick<CompatibilityStore, 'loaded' | 'isUnreadable'>;
}

/** Says once per window that a stored check can't be read, so that changes it found unsafe are possible again. */
export async function warnAboutUnreadableChecks({ accounts, compatibility }: UnreadableCheckDeps): Promise<void> {
  await Promise.all([accounts.untilRead(), compatibility.loaded]);
  const unread = accounts.list.filter(({ slug }) => compatibility.isUnreadable(slug));
  const [first, ...others] = unread;
  if (first === undefined) {
    return;
  }
  const text = l10n.t(
    "Couldn't read the last compatibility check of {0}, so Gantry allows all changes there. Check again to make sure they're safe.",
    unread.map(({ label }) => label).join(', '),
  );
  const [check, copy] = [l10n.t('Check Compatibility…'), l10n.t('Copy Diagnostics')];
  const chosen = await showWarningMessage(text, check, copy);
  const run = (command: CommandId, ...args: readonly string[]) => commands.executeCommand(command, ...args);
  if (chosen === check) {
    await run('gantry.platform.checkCompatibility', ...(others.length === 0 ? [first.slug] : []));
  } else if (chosen === copy) {
    await run('gantry.diagnostics.copy');
  }
}
