import { l10n, window } from 'vscode';
import type { Account } from '../accounts/accounts';
import type { AnswerOf } from '../platform/contract';
import { isPlatformError } from '../platform/errors';
import type { ShownTexts } from '../ui/shownTexts';
import { showInformationMessage } from '../ui/notifications';
import { withCancelableRead } from '../ui/progress';
import { askChoice } from '../ui/quickPick';
import { textTable } from '../ui/textTable';
import type { AccessElement, TokenElement } from './accessElement';
import { tokenDetails, tokenName } from './accessRows';
import type { AccessView } from './accessView';
import { selectedRows } from '../trees/rowTreeProvider';
import { accountCommand, chooseAccount } from '../accounts/accountPrompt';
import {
  byAccount,
  createToken,
  deleteTokens,
  editToken,
  isToken,
  regenerateToken,
  signOutSessionsOf,
  type TokenFlowDeps,
} from './tokenFlow';
import { unlockWithPassword, type UnlockFlowDeps } from '../accounts/unlockFlow';

export interface AccessCommandsDeps extends UnlockFlowDeps {
  readonly view: AccessView;
  readonly selection: () => readonly AccessElement[];
  readonly texts: ShownTexts;
}

export function accessCommands(at: AccessCommandsDeps) {
  const { accounts, view } = at;
  const work: TokenFlowDeps = { ...at, refresh: () => view.refresh() };
  const onTokens = (question: string, run: (tokens: readonly TokenElement[]) => Promise<void>) => {
    return async (...received: readonly unknown[]) => {
      const rows = selectedRows(received, view, at.selection).filter(isToken);
      const chosen = rows.length > 0 ? undefined : await chooseToken(at, question);
      const tokens = chosen === undefined ? rows : [chosen];
      if (tokens.length > 0) {
        await run(tokens);
      }
    };
  };
  const onToken = (question: string, run: (token: TokenElement) => Promise<void>) =>
    onTokens(question, async ([token]) => token && run(token));
  const ofWhich = l10n.t('Select the account');
  return {
    'gantry.access.refresh': () => view.readAgain(() => view.refresh()),

    'gantry.token.create': accountCommand(accounts, l10n.t('Select the account for the new token'), (account) =>
      createToken(work, account),
    ),

    'gantry.token.edit': onToken(l10n.t('Select the token to edit'), (token) => editToken(work, token)),

    'gantry.token.regenerate': onToken(l10n.t('Select the token to regenerate'), (token) =>
      regenerateToken(work, token),
    ),

    'gantry.token.delete': onTokens(l10n.t('Select the token to delete'), (tokens) => deleteTokens(work, tokens)),

    'gantry.token.signOutSessions': onTokens(
      l10n.t('Select a token. All its sessions will be signed out.'),
      async (tokens) => {
        for (const [account, ofAccount] of byAccount(tokens)) {
          await signOutSessionsOf(work, account, ofAccount);
        }
      },
    ),

    'gantry.session.signOutAll': accountCommand(accounts, ofWhich, (account) =>
      signOutSessionsOf(work, account, 'all'),
    ),

    'gantry.access.showPolicies': accountCommand(accounts, ofWhich, (account) => showPolicies(at, account)),
  };
}

/** Asks for one of an account's tokens, if necessary after the password that opens the list. */
async function chooseToken(at: AccessCommandsDeps, question: string): Promise<TokenElement | undefined> {
  const account = await chooseAccount(at.accounts.list, l10n.t('Select the account'));
  const tokens =
    account &&
    (await readWithPassword(at, account, l10n.t('Enter your password to list the tokens.'), () =>
      withCancelableRead(l10n.t('Getting tokens from {0}', account.host), () => at.view.tokensOf(account)),
    ));
  if (tokens?.length === 0) {
    void showInformationMessage(l10n.t('{0} has no access tokens.', account?.label ?? ''));
  }
  return tokens === undefined || tokens.length === 0
    ? undefined
    : askChoice(
        tokens.map((token) => ({
          label: tokenName(token),
          description: tokenDetails(token, Date.now()),
          value: token,
        })),
        { placeHolder: question },
      );
}

async function showPolicies(at: AccessCommandsDeps, account: Account): Promise<void> {
  const policy = await readWithPassword(at, account, l10n.t('Enter your password to read the token policies.'), () =>
    at.view.reading(account).getPolicyMethods(),
  );
  if (policy !== undefined) {
    const uri = at.texts.add(l10n.t('Token policies for {0}.txt', account.label), tokenPolicyText(account, policy));
    await window.showTextDocument(uri);
  }
}

/** Reads with the token if it's allowed to, otherwise once the person has entered the password. */
async function readWithPassword<T>(
  at: AccessCommandsDeps,
  account: Account,
  purpose: string,
  read: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (!isPlatformError(error) || error.kind !== 'tokenLacksMethod' || at.unlocking.of(account.slug) !== undefined) {
      throw error;
    }
    return (await unlockWithPassword(at, account, purpose)) && (await read());
  }
}

/** Formats the methods that the platform allows or forbids for all access tokens. */
function tokenPolicyText({ label, host }: Account, policy: AnswerOf<'GetPolicyMethods'>): string {
  const { behavior, roleId, tokenPermissions } = policy;
  const rule =
    behavior === 'DENY'
      ? l10n.t("Access tokens for {0} on {1} can't call these methods.", label, host)
      : l10n.t('Access tokens for {0} on {1} can call these methods.', label, host);
  const role = roleId === undefined ? [] : [l10n.t('Role {0}', roleId)];
  const answer = (flag: boolean | undefined) => (flag === undefined ? '' : flag ? l10n.t('yes') : l10n.t('no'));
  const titles = [l10n.t('Method'), l10n.t('Safe'), l10n.t('For collaborators'), l10n.t('Uses an object hash')];
  const rows = [...tokenPermissions]
    .sort((one, other) => (one.method ?? '').localeCompare(other.method ?? ''))
    .map(({ method, isSafe, isCollaborationAccessible, useObjectHash }) => [
      ...[method ?? '', answer(isSafe), answer(isCollaborationAccessible), answer(useObjectHash)],
    ]);
  const table = rows.length === 0 ? l10n.t('None.') : textTable([titles, ...rows]);
  return [rule, ...role, '', table, ''].join('\n');
}
