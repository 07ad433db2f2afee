import type { Account, Accounts } from '../accounts/accounts';

/** Finds the account that a row of a view, or a caller of a command, means: a row holds it, others name it. */
export function accountOfRow(accounts: Accounts): (received: unknown) => Account | undefined {
  return (received) => {
    if (typeof received === 'string') {
      return accounts.find(received);
    }
    const holder = typeof received === 'object' && received !== null && 'account' in received ? received : undefined;
    return accounts.list.find((account) => account === holder?.account);
  };
}
