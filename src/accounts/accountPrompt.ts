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
) {
  return async (received: unknown): Promise<void> => {
    const account = await accountMeant(accounts, received, question, applies);
    if (account !== undefined) {
      await work(account);
    }
  };
}

/** Makes commands on an account: that of the row or slug, the only one, or the one that the person selects. */
export function commandsOnAccount(accounts: Pick<Accounts, 'find' | 'list'>) {
  return (question: string, run: (account: Account) => Promise<unknown>): Handler<'account'> =>
    command('account', ([received]) => accountMeant(accounts, received, question), run);
}

/** Returns the account of the row or slug that a command is called with, or else the only one, or asks. */
async function accountMeant(
  accounts: Pick<Accounts, 'find' | 'list'>,
  received: unknown,
  question: string,
  applies: (account: Account) => boolean = () => true,
): Promise<Account | undefined> {
  return accountIn(accounts, received) ?? chooseAccount(accounts.list.filter(applies), question);
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
