import { l10n, window } from 'vscode';
import type { Account } from '../accounts/accounts';
import type { AnswerOf } from '../platform/contract';
import { isPlatformError } from '../platform/errors';
import type { ShownTexts } from '../ui/shownTexts';
import { textTable } from '../ui/textTable';
import type { AccessElement, TokenElement } from './accessElement';
import type { AccessView } from './accessView';
import { selectedRows } from '../trees/rowTreeProvider';
import { accountCommand } from '../accounts/accountPrompt';
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
  const tokens = (received: readonly unknown[]) => selectedRows(received, view, at.selection).filter(isToken);
  const onToken = (run: (token: TokenElement) => Promise<void>) => {
    return async (...received: readonly unknown[]) => {
      const [token] = tokens(received);
      if (token !== undefined) {
        await run(token);
      }
    };
  };
  const deleteThem = (...received: readonly unknown[]) => deleteTokens(work, tokens(received));
  const ofWhich = l10n.t('Select the account');
  return {
    'gantry.access.refresh'() {
      accounts.forgetRights();
      view.refresh();
    },

    'gantry.token.create': accountCommand(accounts, l10n.t('Select the account for the new token'), (account) =>
      createToken(work, account),
    ),

    'gantry.token.edit': onToken((token) => editToken(work, token)),

    'gantry.token.regenerate': onToken((token) => regenerateToken(work, token)),

    'gantry.token.delete': deleteThem,
    // The same, with the title that several rows have.
    'gantry.token.deleteSelected': deleteThem,

    async 'gantry.token.signOutSessions'(...received: readonly unknown[]) {
      for (const [account, ofAccount] of byAccount(tokens(received))) {
        await signOutSessionsOf(work, account, ofAccount);
      }
    },

    'gantry.session.signOutAll': accountCommand(accounts, ofWhich, (account) =>
      signOutSessionsOf(work, account, 'all'),
    ),

    'gantry.access.showPolicies': accountCommand(accounts, ofWhich, (account) => showPolicies(at, account)),
  };
}

async function showPolicies(at: AccessCommandsDeps, account: Account): Promise<void> {
  const policy = await readPolicies(at, account);
  if (policy !== undefined) {
    const uri = at.texts.add(l10n.t('Token policies for {0}.txt', account.label), tokenPolicyText(account, policy));
    await window.showTextDocument(uri);
  }
}

/** Uses the token if it's allowed to, otherwise the password. */
async function readPolicies(at: AccessCommandsDeps, account: Account) {
  try {
    return await at.view.reading(account).getPolicyMethods();
  } catch (error) {
    if (!isPlatformError(error) || error.kind !== 'tokenLacksMethod' || at.unlocking.of(account.slug) !== undefined) {
      throw error;
    }
    const work = await unlockWithPassword(at, account, l10n.t('Enter your password to read the token policies.'));
    return work?.getPolicyMethods();
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
