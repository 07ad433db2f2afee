import { command, type Handler } from '../ui/commands/command';
import { askChoice } from '../ui/quickPick';
import type { Account, Accounts } from './accounts';

/**
 * Makes a command for one account: that of the row or slug that it's called with, or else the only account it applies
 * to, or the one that the user selects.
 */
export function accountCommand(
  accounts: Pick<Accounts, 'find' | 'list'>,
  question: string,
  work: (account: Account) => Promise<unknown>,
  applies: (account: Account) => boolean = () => true,
): Handler<'account'> {
  return command(
    'account',
    ([received]) => accountIn(accounts, received) ?? chooseAccount(accounts.list.filter(applies), question),
    work,
  );
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
