import { l10n } from 'vscode';
import type { Account } from '../accounts/accounts';
import { lostMethods } from '../accounts/tokenRights';
import { showWarningMessage } from '../ui/notifications';
import { withLook } from '../ui/progress';
import { askInTurn } from '../ui/prompts';
import type { AccessElement, TokenElement } from './accessElement';
import { tokenName } from './tokenRow';

import { showNewToken } from './showNewTokenPrompt';
import { offerOf, parametersOf, settingsIn, tokenQuestions, type TokenSettings } from './tokenPrompts';
import { type UnlockFlowDeps, unlockWithPassword } from '../accounts/unlockFlow';
import { modalLines } from '../ui/modalLines';

export interface TokenFlowDeps extends UnlockFlowDeps {
  readonly refresh: () => void;
}

export async function createToken(at: TokenFlowDeps, account: Account): Promise<void> {
  const work = await unlockWithPassword(at, account, l10n.t('Making a token needs your password.'));
  if (work === undefined) {
    return;
  }
  const offer = await withLook(l10n.t('Asking {0} what a token may do…', account.host), () => offerOf(work));
  const entered = await askInTurn(l10n.t('New Access Token of {0}', account.label), tokenQuestions(offer));
  if (entered === undefined) {
    return;
  }
  const { description, ...settings } = settingsIn(entered, offer);
  // Also after a failure: if only the answer was lost, the list shows the token.
  const made = await work.createToken(parametersOf({ description, ...settings })).finally(at.refresh);
  await showNewToken(made.key, l10n.t('“{0}” was made.', description));
}

export async function editToken(at: TokenFlowDeps, element: TokenElement): Promise<void> {
  const { account, token, template } = element;
  const work = await unlockWithPassword(at, account, l10n.t('Changing a token needs your password.'));
  if (work === undefined) {
    return;
  }
  const offer = await withLook(l10n.t('Asking {0} what a token may do…', account.host), () => offerOf(work));
  const held = { ...token, template };
  const entered = await askInTurn(l10n.t('Change “{0}”', tokenName(element)), tokenQuestions(offer, held));
  const settings = entered && settingsIn(entered, offer, held);
  if (settings === undefined || !(await mayNarrow(element, settings))) {
    return;
  }
  // Nobody documents what becomes of fields that are not sent, so all are.
  await work.editToken({ id: token.id, ...parametersOf(settings) }).finally(at.refresh);
  await followChange(at, element, settings);
  at.refresh();
}

export async function regenerateToken(at: TokenFlowDeps, element: TokenElement): Promise<void> {
  const { account, token } = element;
  const use = await useOf(at, element);
  const yes = l10n.t('Regenerate');
  const detail = [
    l10n.t('The value it has now stops working at once, wherever it is in use.'),
    ...(use === 'used' ? [l10n.t('Gantry signs in with this token, and goes on with the new value by itself.')] : []),
    ...(use === 'unknown' ? [unknownUse()] : []),
  ];
  const question = l10n.t('Give “{0}” a new value?', tokenName(element));
  if ((await showWarningMessage(question, { modal: true, detail: detail.join('\n\n') }, yes)) !== yes) {
    return;
  }
  const work = await unlockWithPassword(at, account, l10n.t('Regenerating a token needs your password.'));
  if (work === undefined) {
    return;
  }
  const { key, id } = await work.regenerateToken(token.id).finally(at.refresh);
  const stored = await at.accounts.stored(account.slug);
  if (use === 'used' && stored !== undefined) {
    await at.accounts.replaceProof(account.slug, { ...stored, token: key, tokenId: id });
  }
  at.refresh();
  const message = l10n.t('“{0}” has a new value.', tokenName(element));
  await showNewToken(key, use === 'used' ? l10n.t('{0} Gantry uses it already.', message) : message);
}

export async function deleteTokens(at: TokenFlowDeps, elements: readonly TokenElement[]): Promise<void> {
  for (const [account, ofAccount] of byAccount(elements)) {
    const uses = await Promise.all(ofAccount.map((element) => useOf(at, element)));
    if (!(await mayDelete(ofAccount, uses))) {
      return;
    }
    const work = await unlockWithPassword(at, account, l10n.t('Deleting tokens needs your password.'));
    if (work === undefined) {
      return;
    }
    // Also after a failure: an answer that is lost says nothing of what has happened.
    await work.deleteTokens(ofAccount.map(({ token }) => token.id)).finally(at.refresh);
    if (uses.includes('used')) {
      await at.accounts.signInAgain(account.slug);
    }
  }
}

export async function signOutSessionsOf(
  at: TokenFlowDeps,
  account: Account,
  elements: readonly TokenElement[] | 'all',
): Promise<void> {
  const yes = l10n.t('Sign Out');
  const question =
    elements === 'all'
      ? l10n.t('Sign out the sessions of all access tokens of {0}?', account.label)
      : l10n.t('Sign out the sessions of these access tokens?');
  const named = elements === 'all' ? [] : [modalLines(elements.map(tokenName))];
  const stays = l10n.t(
    'The tokens stay good, and whoever holds one can sign in with it again. To shut somebody out, delete or regenerate the token.',
  );
  const detail = [...named, stays].join('\n\n');
  if ((await showWarningMessage(question, { modal: true, detail }, yes)) !== yes) {
    return;
  }
  const work = await unlockWithPassword(at, account, l10n.t('Signing out sessions needs your password.'));
  if (work !== undefined) {
    await work.signoutSessions(elements === 'all' ? 'all' : elements.map(({ token }) => token.id));
    at.refresh();
  }
}

export function byAccount(elements: readonly TokenElement[]): ReadonlyMap<Account, readonly TokenElement[]> {
  const accounts = [...new Set(elements.map(({ account }) => account))];
  return new Map(accounts.map((account) => [account, elements.filter((element) => element.account === account)]));
}

export function isToken(element: AccessElement): element is TokenElement {
  return element.kind === 'token';
}

/** A token that was pasted does not tell which of those listed it is. */
async function useOf(
  { accounts }: TokenFlowDeps,
  { account, token }: TokenElement,
): Promise<'used' | 'free' | 'unknown'> {
  const tokenId = (await accounts.stored(account.slug))?.tokenId;
  return tokenId === undefined ? 'unknown' : tokenId === token.id ? 'used' : 'free';
}

function unknownUse(): string {
  return l10n.t(
    'Gantry was given its token as a value, and cannot tell whether it is this one. If it is, you will be asked to sign in again.',
  );
}

async function mayDelete(elements: readonly TokenElement[], uses: readonly string[]): Promise<boolean> {
  const [first] = elements;
  if (first === undefined) {
    return false;
  }
  const question =
    elements.length === 1
      ? l10n.t('Delete the access token “{0}”?', tokenName(first))
      : l10n.t('Delete these {0} access tokens?', elements.length);
  const named = elements.length === 1 ? [] : [modalLines(elements.map(tokenName))];
  const consequence = uses.includes('used')
    ? l10n.t('Gantry signs in with {0}: it is signed out of {1} until you sign in again.', ...usedIn(elements, uses))
    : uses.includes('unknown')
      ? unknownUse()
      : undefined;
  const final = l10n.t('Whatever uses it is shut out at once. This cannot be undone.');
  const detail = [...named, ...(consequence === undefined ? [] : [consequence]), final].join('\n\n');
  const yes = l10n.t('Delete');
  return (await showWarningMessage(question, { modal: true, detail }, yes)) === yes;
}

function usedIn(elements: readonly TokenElement[], uses: readonly string[]): readonly [string, string] {
  const used = elements.find((_, index) => uses[index] === 'used');
  return used === undefined ? ['', ''] : [tokenName(used), used.account.host];
}

/** Taking something away from the token that Gantry itself uses is done only knowingly. */
async function mayNarrow(element: TokenElement, { methods }: TokenSettings): Promise<boolean> {
  const lost = element.isUsed ? lostMethods(element.token.apiList, methods) : [];
  if (lost.length === 0) {
    return true;
  }
  const yes = l10n.t('Change It All the Same');
  const detail = l10n.t('Without these methods, what needs them stops working here:\n\n{0}', modalLines(lost));
  const question = l10n.t('Gantry signs in with “{0}”. Take away what it needs?', tokenName(element));
  return (await showWarningMessage(question, { modal: true, detail }, yes)) === yes;
}

/** What Gantry keeps of its own token, and what it has learnt of its rights, is no longer true. */
async function followChange({ accounts }: TokenFlowDeps, { account, isUsed }: TokenElement, settings: TokenSettings) {
  const stored = isUsed ? await accounts.stored(account.slug) : undefined;
  if (stored !== undefined) {
    const { tokenTemplate, expiresAt } = settings;
    const end = expiresAt === undefined ? {} : { expiresAt: expiresAt.getTime() };
    await accounts.replaceProof(account.slug, { token: stored.token, tokenId: stored.tokenId, tokenTemplate, ...end });
    accounts.forgetRights();
  }
}
