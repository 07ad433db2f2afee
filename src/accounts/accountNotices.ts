import { commands, l10n, type Memento, Disposable } from 'vscode';
import type { CommandId } from '../manifest';
import { isLoopback, type PlatformAddress } from '../platform/address';
import { showInformationMessage, showWarningMessage } from '../ui/notifications';
import type { Account, Accounts } from './accounts';
import type { Connections } from './connections';
import { daysLeft } from './storedAccount';
import { areAccountsExpected, storedAccountsKey } from '../storage/storageKeys';

/** The Memento key for the hosts whose check was offered. */
const offeredKey = 'gantry.compatibilityOffered';

/**
 * Offers the check once per platform, after the first sign-in there. A platform on this computer is for trying Gantry out
 * or for tests.
 */
export async function offerCompatibilityCheck(
  { slug, host, address }: Pick<Account, 'slug' | 'host' | 'address'>,
  memory: Memento,
): Promise<void> {
  const offered = memory.get<readonly string[]>(offeredKey, []);
  if (offered.includes(host) || isLoopback(new URL(address).hostname)) {
    return;
  }
  await memory.update(offeredKey, [...offered, host]);
  const text = l10n.t('Check what {0} supports? Gantry only reads at first.', host);
  const check = l10n.t('Check Compatibility…');
  if ((await showInformationMessage(text, check)) === check) {
    const command: CommandId = 'gantry.platform.checkCompatibility';
    await commands.executeCommand(command, slug);
  }
}

const anHour = 60 * 60 * 1000;
/** The Memento key for the day of each account's last expiration notice, by slug. */
const expiryNoticeKey = 'gantry.expiryTold';

/** Notifies the user once a day, in one window, that a token is about to expire. */
export function watchTokenExpiry({
  accounts,
  memory,
  now,
}: {
  readonly accounts: Accounts;
  readonly memory: Memento;
  readonly now: () => number;
}): Disposable {
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
  const warned = memory.get<Readonly<Record<string, string>>>(expiryNoticeKey, {});
  if (warned[slug] === today) {
    return false;
  }
  // Drop entries from earlier days.
  const warnedToday = Object.entries(warned).filter(([, day]) => day === today);
  void memory.update(expiryNoticeKey, Object.fromEntries([...warnedToday, [slug, today]]));
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

/** Warns that a sign-in ends with the window, because VS Code doesn't store secrets here. */
export function showNotStored(): void {
  void showWarningMessage(l10n.t("VS Code can't store your sign-in. It lasts until you close this window."));
}

/**
 * Warns if VS Code no longer has any of the accounts that it stored. Some hosts keep secrets only until they close, and
 * nothing else shows that. Signing out, in any window, isn't such a case, because it updates the number.
 */
export function watchForgottenAccounts({
  accounts,
  memory,
  ...deps
}: {
  readonly accounts: Accounts;
  readonly memory: Memento;
  readonly countStored: () => number;
  readonly onForgotten: () => void;
}): Disposable {
  let isFirst = true;
  return accounts.onDidChange(() => {
    if (!accounts.areAllKnown) {
      return;
    }
    const count = deps.countStored();
    if (isFirst && count === 0 && areAccountsExpected(memory)) {
      deps.onForgotten();
      void offerSignIn();
    }
    isFirst = false;
    if (count !== memory.get<number>(storedAccountsKey, 0)) {
      void memory.update(storedAccountsKey, count);
    }
  });
}

async function offerSignIn(): Promise<void> {
  const signIn = l10n.t('Sign In');
  const text = l10n.t("Your sign-in wasn't saved because VS Code can't store secrets on this computer.");
  if ((await showWarningMessage(text, signIn)) === signIn) {
    const command: CommandId = 'gantry.account.signIn';
    await commands.executeCommand(command);
  }
}

/** How long not to check again after a check, in milliseconds: without any network, every request fails. */
const pause = 60_000;

/** Offers VS Code's network stack when a signed-in account's platform can't be reached without it. */
export function watchConnections({
  connections,
  accounts,
  offer,
  report,
  now,
}: {
  readonly connections: Connections;
  readonly accounts: Pick<Accounts, 'refreshViews'>;
  /** Asks whether to use it. Returns whether it's now used. */
  readonly offer: (address: PlatformAddress) => Promise<boolean>;
  readonly report: (error: unknown) => void;
  readonly now: () => number;
}): Disposable {
  const checked = new Map<string, number>();
  const check = async (address: PlatformAddress) => {
    if (now() - (checked.get(address.host) ?? -pause) < pause) {
      return;
    }
    // No further check while the question is open.
    checked.set(address.host, Infinity);
    try {
      if (await offer(address)) {
        accounts.refreshViews();
      }
    } finally {
      checked.set(address.host, now());
    }
  };
  return connections.onDidFailToConnect((address) => void check(address).catch(report));
}
