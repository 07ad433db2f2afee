import { commands, env, l10n, type TreeView } from 'vscode';
import type { Own } from '../../gantry';
import type { Levels } from '../../services';
import {
  type AccessView,
  createAccessView,
  exactEnd,
  methodsText,
  tokenDetails,
  type TokenElement,
  tokenName,
  tokensOf,
} from './accessView';
import type { Account } from '../../accounts/accounts';
import { isPlatformError } from '../../platform/errors';
import { commandOnNothing } from '../../ui/commands/command';
import { confirm, modalLines, showInformationItems, showInformationMessage } from '../../ui/notifications';
import { withCancelableRead } from '../../ui/progress';
import { askChoice } from '../../ui/quickPick';
import { commandsOnRows } from '../../trees/rowTree';
import { accountCommand, chooseAccount } from '../../ui/commands/accountPrompt';
import type { StoredAccount } from '../../accounts/storedAccount';
import { lackedBy, lostMethods, type PasswordOperations, permitsTheSame } from '../../accounts/tokens';
import type { Unlocked } from '../../accounts/unlocking';
import { ExpectedError } from '../../ui/expectedError';
import { askInTurn } from '../../ui/prompts';
import { parametersOf, settingsIn, tokenCatalog, tokenQuestions, type TokenSettings } from './tokenPrompts';
import { showStatusMessage } from '../../ui/statusBar';

/** Access tokens and sessions, which require the password. */
export function createAccess(services: Levels['accounts'], own: Own, treeView: TreeView<unknown>) {
  const view = own(createAccessView(services));
  view.keepTimes(treeView);
  return { view, commands: accessCommands(services, view, treeView) };
}

function accessCommands(services: Levels['accounts'], view: AccessView, tree: TreeView<unknown>) {
  const { accounts } = services;
  const onRows = commandsOnRows(view, tree);
  /** Asks for a token if none is selected. */
  const onTokens = (question: string) =>
    onRows(async (rows): Promise<readonly [TokenElement, ...TokenElement[]] | undefined> => {
      const [first = await chooseToken(services, question), ...others] = rows.filter((row) => row.kind === 'token');
      return first && [first, ...others];
    });
  return {
    // The view is hidden at first, because few people need it each day.
    'gantry.access.show': commandOnNothing(async () => {
      await commands.executeCommand('gantry.access.focus');
    }),
    'gantry.access.refresh': commandOnNothing(() => view.readAgain(() => view.refresh())),

    'gantry.token.create': accountCommand(accounts, l10n.t('Select the account for the new token'), (account) =>
      createToken(services, view, account),
    ),

    'gantry.token.edit': onTokens(l10n.t('Select the token to edit'))(([token]) => editToken(services, view, token)),

    'gantry.token.regenerate': onTokens(l10n.t('Select the token to regenerate'))(([token]) =>
      regenerateToken(services, view, token),
    ),

    'gantry.token.delete': onTokens(l10n.t('Select the token to delete'))((tokens) =>
      deleteTokens(services, view, tokens),
    ),

    'gantry.token.signOutSessions': onTokens(l10n.t('Select a token. All its sessions will be signed out.'))(
      async (tokens) => {
        for (const [account, ofAccount] of byAccount(tokens)) {
          await signOutSessionsOf(services, view, account, ofAccount);
        }
      },
    ),

    'gantry.session.signOutAll': accountCommand(accounts, l10n.t('Select the account'), (account) =>
      signOutSessionsOf(services, view, account, 'all'),
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

async function createToken(services: Levels['accounts'], view: AccessView, account: Account): Promise<void> {
  await unlocked(services, account, l10n.t('Enter your password to create a token.'), async (opened, unlockAgain) => {
    const offer = await tokenCatalog(opened, account);
    const entered = await askInTurn(l10n.t('New Access Token for {0}', account.label), tokenQuestions(offer));
    const settings = entered && settingsIn(entered, offer);
    const work = settings && (await unlockAgain());
    if (settings !== undefined && work !== undefined) {
      // Also after a failure: if only the response was lost, the list shows the token.
      const made = await work.createToken(parametersOf(settings)).finally(() => view.refresh());
      await showNewToken(
        made.key,
        l10n.t("Created token “{0}”. Copy it now, because it won't be shown again.", settings.description),
        [
          l10n.t('Platform: {0}', account.address),
          l10n.t('Permits: {0}', methodsText(made.apiList)),
          exactEnd(made.expiresAt ?? settings.expiresAt, Date.now()),
        ].join('\n'),
      );
    }
  });
}

async function editToken(services: Levels['accounts'], view: AccessView, element: TokenElement): Promise<void> {
  const { account, token, template } = element;
  await unlocked(services, account, l10n.t('Enter your password to edit the token.'), async (opened, unlockAgain) => {
    const offer = await tokenCatalog(opened, account);
    const held = { ...token, template };
    const entered = await askInTurn(l10n.t('Edit Access Token “{0}”', tokenName(element)), tokenQuestions(offer, held));
    const settings = entered && settingsIn(entered, offer, held);
    const work = settings && (await confirmRightsReduction(element, settings)) ? await unlockAgain() : undefined;
    if (settings !== undefined && work !== undefined) {
      // The API doesn't document how it treats omitted fields, so send all of them. None may undo what someone else changed.
      const now = (await work.getTokens()).find(({ id }) => id === token.id);
      if (now === undefined || !isUnchanged(token, now)) {
        view.refresh();
        throw new ExpectedError(
          l10n.t('Token “{0}” was changed in the meantime, so nothing was sent. Edit it again.', tokenName(element)),
        );
      }
      const edited = await work.editToken({ id: token.id, ...parametersOf(settings) }).finally(() => view.refresh());
      await followChange(services, element, { ...settings, expiresAt: edited.expiresAt ?? settings.expiresAt });
      view.refresh();
    }
  });
}

/** Whether a token still has everything that an edit of it sends. */
function isUnchanged(token: TokenElement['token'], now: TokenElement['token']): boolean {
  return (
    token.description === now.description &&
    token.tokenTemplate === now.tokenTemplate &&
    token.expiresAt?.getTime() === now.expiresAt?.getTime() &&
    permitsTheSame(token.apiList, now.apiList)
  );
}

async function regenerateToken(services: Levels['accounts'], view: AccessView, element: TokenElement): Promise<void> {
  const { account, token } = element;
  const use = await useOf(services, element);
  const detail = [
    l10n.t("The current value stops working immediately, wherever it's used."),
    use === 'used' ? l10n.t('Gantry signs in with this token and switches to the new value automatically.') : undefined,
    use === 'unknown' ? unknownUse() : undefined,
  ];
  if (!(await confirm(l10n.t('Regenerate “{0}”?', tokenName(element)), detail, l10n.t('Regenerate')))) {
    return;
  }
  await unlocked(services, account, l10n.t('Enter your password to regenerate the token.'), async (work) => {
    const { key, id } = await work.regenerateToken(token.id).finally(() => view.refresh());
    const switchTo = async (stored: StoredAccount | undefined) =>
      stored !== undefined && services.accounts.replaceToken(account.slug, { ...stored, token: key, tokenId: id });
    const switching = use === 'used' ? services.accounts.stored(account.slug).then(switchTo) : Promise.resolve(false);
    // The person gets the value even if it can't be stored: the old one is invalid, and the platform shows it only now.
    const isSwitched = await switching.catch(() => false);
    view.refresh();
    const message = l10n.t(
      "Regenerated token “{0}”. Copy the new value now, because it won't be shown again.",
      tokenName(element),
    );
    await showNewToken(key, message, isSwitched ? l10n.t('Gantry already uses the new value.') : undefined);
    // Reports why Gantry doesn't use it.
    await switching;
  });
}

/** Stops at the first account whose question or password prompt the person dismisses. */
async function deleteTokens(
  services: Levels['accounts'],
  view: AccessView,
  elements: readonly TokenElement[],
): Promise<void> {
  for (const [account, ofAccount] of byAccount(elements)) {
    const uses = await Promise.all(ofAccount.map((element) => useOf(services, element)));
    if (!(await mayDelete(ofAccount, uses))) {
      return;
    }
    const work = await unlock(services, account, l10n.t('Enter your password to delete tokens.'));
    if (work === undefined) {
      return;
    }
    // Also after a failure: a lost response doesn't mean that nothing was deleted.
    await work.deleteTokens(ofAccount.map(({ token }) => token.id)).finally(() => view.refresh());
    if (uses.includes('used')) {
      await services.accounts.signInAgain(account.slug);
    }
  }
}

async function signOutSessionsOf(
  services: Levels['accounts'],
  view: AccessView,
  account: Account,
  elements: readonly TokenElement[] | 'all',
): Promise<void> {
  const question =
    elements === 'all'
      ? l10n.t('Sign out the sessions of all access tokens for {0}?', account.label)
      : elements.length === 1
        ? l10n.t('Sign out the sessions of this access token?')
        : l10n.t('Sign out the sessions of these access tokens?');
  const stays = l10n.t(
    'The tokens stay valid, so anyone who has one can sign in again. To block access, delete or regenerate the tokens.',
  );
  const named = elements === 'all' ? undefined : modalLines(elements.map(tokenName));
  if (await confirm(question, [named, stays], l10n.t('Sign Out'))) {
    await unlocked(services, account, l10n.t('Enter your password to sign out sessions.'), async (work) => {
      await work.signoutSessions(elements === 'all' ? 'all' : elements.map(({ token }) => token.id));
      view.refresh();
    });
  }
}

/** Does the work with what the password opens. It unlocks again after its questions, or the answers could be lost. */
async function unlocked(
  services: Levels['accounts'],
  account: Account,
  purpose: string,
  work: (operations: PasswordOperations, unlockAgain: () => Promise<Unlocked | undefined>) => Promise<void>,
): Promise<void> {
  const unlockAgain = () => unlock(services, account, purpose);
  const operations = await unlockAgain();
  if (operations !== undefined) {
    await work(operations, unlockAgain);
  }
}

function unlock({ features }: Levels['accounts'], account: Account, purpose: string): Promise<Unlocked | undefined> {
  return features.signIn.use((signIn) => signIn.unlock(account, purpose));
}

function byAccount(elements: readonly TokenElement[]): ReadonlyMap<Account, readonly TokenElement[]> {
  const accounts = [...new Set(elements.map(({ account }) => account))];
  return new Map(accounts.map((account) => [account, elements.filter((element) => element.account === account)]));
}

/** A pasted token's ID isn't known, so it can't be matched to a listed token. */
async function useOf(
  { accounts }: Levels['accounts'],
  { account, token }: TokenElement,
): Promise<'used' | 'free' | 'unknown'> {
  const tokenId = (await accounts.stored(account.slug))?.tokenId;
  return tokenId === undefined ? 'unknown' : tokenId === token.id ? 'used' : 'free';
}

function unknownUse(): string {
  return l10n.t("Gantry can't tell whether it signs in with this token. If it does, you'll be asked to sign in again.");
}

async function mayDelete(elements: readonly TokenElement[], uses: readonly string[]): Promise<boolean> {
  const [first, ...others] = elements;
  if (first === undefined) {
    return false;
  }
  const question =
    others.length === 0
      ? l10n.t('Delete the access token “{0}”?', tokenName(first))
      : l10n.t('Delete these {0} access tokens?', elements.length);
  const named = others.length === 0 ? undefined : modalLines(elements.map(tokenName));
  const used = elements.find((_, index) => uses[index] === 'used');
  const consequence =
    used !== undefined
      ? l10n.t("Gantry signs in with {0}, so you'll be signed out of {1}.", tokenName(used), used.account.host)
      : uses.includes('unknown')
        ? unknownUse()
        : undefined;
  const final = l10n.t("Anything that uses a deleted token loses access immediately. This can't be undone.");
  return confirm(question, [named, consequence, final], l10n.t('Delete'));
}

/** Confirms before removing methods from the token that Gantry itself uses. */
async function confirmRightsReduction(element: TokenElement, { methods }: TokenSettings): Promise<boolean> {
  const lost = element.isUsed ? lostMethods(element.token.apiList, methods) : [];
  if (lost.length === 0) {
    return true;
  }
  const question = l10n.t('Change “{0}” and remove methods that Gantry needs?', tokenName(element));
  const consequence = l10n.t(
    'Gantry features that need the following methods will stop working:\n\n{0}',
    modalLines(lost),
  );
  return confirm(question, [consequence], l10n.t('Change Anyway'));
}

/** Updates what Gantry stores about its own token, as the platform granted it, and the rights it has learned. */
async function followChange(
  { accounts }: Levels['accounts'],
  { account, isUsed }: TokenElement,
  settings: TokenSettings,
) {
  const stored = isUsed ? await accounts.stored(account.slug) : undefined;
  if (stored !== undefined) {
    const { tokenTemplate, methods, expiresAt } = settings;
    const end = expiresAt === undefined ? {} : { expiresAt: expiresAt.getTime() };
    const lacks = lackedBy([{ apiList: [...methods] }]);
    const { token, tokenId } = stored;
    await accounts.updateToken(account.slug, { token, tokenId, tokenTemplate, lacks, ...end });
    accounts.forgetRights();
  }
}

/** Shows a token's value, which the platform reveals only once. A modal dialog leaves no trace after it closes. */
async function showNewToken(key: string, message: string, use?: string): Promise<void> {
  const copy = { title: l10n.t('Copy') };
  const close = { title: l10n.t('Close'), isCloseAffordance: true };
  const detail = [key, use, l10n.t('Keep it safe, like a password.')].filter(Boolean).join('\n\n');
  if ((await showInformationItems(message, { modal: true, detail }, copy, close)) === copy) {
    await env.clipboard.writeText(key);
    showStatusMessage('key', l10n.t('Copied the token to the clipboard'), 5000);
  }
}
