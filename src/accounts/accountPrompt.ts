import { askChoice } from '../ui/quickPick';
import type { Account, Accounts } from './accounts';

/**
 * The account that a command was called on. A row of a view holds it, others name it. If it was called on none, the only
 * one of `among`, or one that the person chooses.
 */
export async function accountFor(
  accounts: Pick<Accounts, 'find' | 'list'>,
  received: unknown,
  question: string,
  among: readonly Account[] = accounts.list,
): Promise<Account | undefined> {
  return accountIn(accounts, received) ?? chooseAccount(among, question);
}

/** Returns the only account, or asks the user to choose one. */
export async function chooseAccount(among: readonly Account[], placeHolder: string): Promise<Account | undefined> {
  const choices = among.map((account) => ({ label: account.label, description: account.host, value: account }));
  return choices.length <= 1 ? choices[0]?.value : askChoice(choices, { placeHolder });
}

function accountIn(accounts: Pick<Accounts, 'find' | 'list'>, received: unknown): Account | undefined {
  if (typeof received === 'string') {
    return accounts.find(received);
  }
  const row = typeof received === 'object' && received !== null && 'account' in received ? received : undefined;
  return accounts.list.find((account) => account === row?.account);
}
