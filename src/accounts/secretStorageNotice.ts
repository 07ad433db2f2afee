import { commands, type Disposable, l10n, type Memento } from 'vscode';
import type { CommandId } from '../manifest';
import { areAccountsExpected, storedAccountsKey } from '../storage/storageKeys';
import { showWarningMessage } from '../ui/notifications';
import type { Accounts } from './accounts';

/** Says that a sign-in ends with the window, because VS Code doesn't store secrets here. */
export function showNotStored(): void {
  void showWarningMessage(l10n.t("VS Code can't store your sign-in. It lasts for this window."));
}

export interface ForgottenAccountsDeps {
  readonly accounts: Accounts;
  readonly memory: Memento;
  /** How many accounts VS Code stored. */
  readonly countStored: () => number;
  readonly onForgotten: () => void;
}

/**
 * Tells the user if VS Code no longer has any account that it stored. Some hosts keep secrets only until they close, and
 * nothing else shows that. Signing out, in any window, isn't such a case, because it updates the number.
 */
export function watchForgottenAccounts({ accounts, memory, ...deps }: ForgottenAccountsDeps): Disposable {
  let isFirst = true;
  return accounts.onDidChange(({ kind }) => {
    if (kind !== 'loaded') {
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
