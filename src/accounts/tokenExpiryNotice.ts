import { commands, Disposable, l10n, type Memento } from 'vscode';
import type { Account, Accounts } from './accounts';
import { daysLeft } from './tokenExpiry';
import type { CommandId } from '../manifest';
import { showWarningMessage } from '../ui/notifications';

const anHour = 60 * 60 * 1000;
/** The Memento key for the day of each account's last expiration notice, by slug. */
const key = 'gantry.expiryTold';

export interface TokenExpiryDeps {
  readonly accounts: Accounts;
  readonly memory: Memento;
  readonly now: () => number;
}

/** Notifies the user once a day, in one window, that a token is about to expire. */
export function watchTokenExpiry({ accounts, memory, now }: TokenExpiryDeps): Disposable {
  const look = () => {
    for (const account of accounts.list) {
      const left = daysLeft(account.expiresAt, now());
      if (left !== undefined && !account.isSignedOut && isNews(memory, account, now())) {
        void tell(account, left);
      }
    }
  };
  const timer = setInterval(look, anHour);
  return Disposable.from(new Disposable(() => clearInterval(timer)), accounts.onDidChange(look));
}

/** Stores today's date right away, because other windows check at the same time. */
function isNews(memory: Memento, { slug }: Account, now: number): boolean {
  const today = new Date(now).toDateString();
  const warned = memory.get<Readonly<Record<string, string>>>(key, {});
  if (warned[slug] === today) {
    return false;
  }
  // Drop entries from earlier days.
  const warnedToday = Object.entries(warned).filter(([, day]) => day === today);
  void memory.update(key, Object.fromEntries([...warnedToday, [slug, today]]));
  return true;
}

async function tell({ slug, label, host }: Account, days: number): Promise<void> {
  const text =
    days === 1
      ? l10n.t('The access token for {0} on {1} expires within a day.', label, host)
      : l10n.t('The access token for {0} on {1} expires in {2} days.', label, host, days);
  const renew = l10n.t('Renew…');
  if ((await showWarningMessage(text, renew, l10n.t('Later'))) === renew) {
    const command: CommandId = 'gantry.account.renewToken';
    await commands.executeCommand(command, slug);
  }
}
