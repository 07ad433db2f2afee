import { l10n, type TreeView } from 'vscode';
import type { Account } from '../../accounts/accounts';
import { isPlatformError } from '../../platform/errors';
import type { Levels } from '../../services';
import { commandOnNothing } from '../../ui/commands/command';
import { showInformationMessage } from '../../ui/notifications';
import { withCancelableRead } from '../../ui/progress';
import { askChoice } from '../../ui/quickPick';
import type { TokenElement } from './accessElement';
import { tokenDetails, tokenName } from './accessRows';
import { type AccessView, tokensOf } from './accessView';
import { commandsOnRows } from '../../trees/rowTree';
import { accountCommand, chooseAccount } from '../../accounts/accountPrompt';
import {
  byAccount,
  createToken,
  deleteTokens,
  editToken,
  isToken,
  regenerateToken,
  signOutSessionsOf,
} from './tokenFlow';

export function accessCommands(services: Levels['accounts'], view: AccessView, tree: TreeView<unknown>) {
  const { accounts } = services;
  const work = { ...services, refresh: () => view.refresh() };
  const onRows = commandsOnRows(view, tree);
  /** Asks for a token if none is selected. */
  const onTokens = (question: string) =>
    onRows(async (rows): Promise<readonly [TokenElement, ...TokenElement[]] | undefined> => {
      const [first = await chooseToken(work, question), ...others] = rows.filter(isToken);
      return first && [first, ...others];
    });
  return {
    'gantry.access.refresh': commandOnNothing(() => view.readAgain(() => view.refresh())),

    'gantry.token.create': accountCommand(accounts, l10n.t('Select the account for the new token'), (account) =>
      createToken(work, account),
    ),

    'gantry.token.edit': onTokens(l10n.t('Select the token to edit'))(([token]) => editToken(work, token)),

    'gantry.token.regenerate': onTokens(l10n.t('Select the token to regenerate'))(([token]) =>
      regenerateToken(work, token),
    ),

    'gantry.token.delete': onTokens(l10n.t('Select the token to delete'))((tokens) => deleteTokens(work, tokens)),

    'gantry.token.signOutSessions': onTokens(l10n.t('Select a token. All its sessions will be signed out.'))(
      async (tokens) => {
        for (const [account, ofAccount] of byAccount(tokens)) {
          await signOutSessionsOf(work, account, ofAccount);
        }
      },
    ),

    'gantry.session.signOutAll': accountCommand(accounts, l10n.t('Select the account'), (account) =>
      signOutSessionsOf(work, account, 'all'),
    ),
  };
}

/** Asks for one of an account's tokens, if necessary after the password that opens the list. */
async function chooseToken(services: Levels['accounts'], question: string): Promise<TokenElement | undefined> {
  const account = await chooseAccount(services.accounts.list, l10n.t('Select the account'));
  const tokens =
    account &&
    (await readWithPassword(services, account, l10n.t('Enter your password to list the tokens.'), () =>
      withCancelableRead(l10n.t('Getting tokens from {0}', account.host), () => tokensOf(account, services)),
    ));
  if (tokens?.length === 0) {
    void showInformationMessage(l10n.t('{0} has no access tokens.', account?.label ?? ''));
  }
  const choices = tokens?.map((token) => ({
    label: tokenName(token),
    description: tokenDetails(token, Date.now()),
    value: token,
  }));
  return choices?.length ? askChoice(choices, { placeHolder: question }) : undefined;
}

/** Reads with the token if it's allowed to, otherwise once the person has entered the password. */
async function readWithPassword<T>(
  services: Levels['accounts'],
  account: Account,
  purpose: string,
  read: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (
      !isPlatformError(error) ||
      error.kind !== 'tokenLacksMethod' ||
      services.unlocking.of(account.slug) !== undefined
    ) {
      throw error;
    }
    return (await services.features.signIn.use(({ unlock }) => unlock(account, purpose))) && (await read());
  }
}
