import { window } from 'vscode';
import type { Account } from './accounts';

/** The only one there is, or one that is chosen. */
export async function askAccount(choices: readonly Account[], placeHolder: string): Promise<Account | undefined> {
  if (choices.length <= 1) {
    return choices[0];
  }
  const items = choices.map((account) => ({ account, label: account.label, description: account.host }));
  return (await window.showQuickPick(items, { placeHolder }))?.account;
}
