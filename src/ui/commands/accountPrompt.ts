import * as v from 'valibot';
import { l10n } from 'vscode';
import type { Call } from './call';
import { command, type Handler } from './command';
import { ExpectedError } from '../expectedError';
import type { ChoiceQuestion, TextQuestion } from '../prompts';
import { askChoice } from '../quickPick';
import { formatDate } from '../relativeTime';
import type { Account, Accounts } from '../../accounts/accounts';
import { isSameAccount } from '../../accounts/storedAccount';

export function accountCommand(
  accounts: Pick<Accounts, 'demandRead' | 'list' | 'unreadable'>,
  question: string,
  work: (account: Account) => Promise<unknown>,
  applies: (account: Account) => boolean = () => true,
): Handler<'account'> {
  return command('account', (call) => accountMeant(accounts, namedIn(call), question, applies), work);
}

/** Returns what a command was called with that can name an account: a slug or a row. */
export function namedIn({ text, object }: Call): string | object | undefined {
  return text ?? object;
}

/**
 * Returns the account of a row or slug, or else the only one it applies to, or the one that the user selects. Rejects
 * if the named one is gone, because no other was meant: a message or a row may stay longer than its account.
 */
export async function accountMeant(
  accounts: Pick<Accounts, 'demandRead' | 'list' | 'unreadable'>,
  named: string | object | undefined,
  question: string,
  applies: (account: Account) => boolean = () => true,
): Promise<Account | undefined> {
  const wanted = accountNamed(named);
  if (wanted === undefined) {
    return chooseAccount(accounts.list.filter(applies), question);
  }
  await accounts.demandRead();
  const account = accounts.list.find(wanted.isMeant);
  if (account === undefined) {
    throw accounts.unreadable ?? new ExpectedError(l10n.t("You're no longer signed in to {0}.", wanted.name));
  }
  return account;
}

/** Returns the only account, or asks the user to choose one. */
export async function chooseAccount(among: readonly Account[], placeHolder: string): Promise<Account | undefined> {
  const choices = among.map((account) => ({ label: account.label, description: account.host, value: account }));
  return choices.length <= 1 ? choices[0]?.value : askChoice(choices, { placeHolder });
}

const accountRow = v.object({
  account: v.object({ slug: v.string(), label: v.string(), address: v.string() }),
});

/** Returns which account a slug or a row names. It may be signed out by now. */
function accountNamed(
  named: string | object | undefined,
): { readonly name: string; readonly isMeant: (account: Account) => boolean } | undefined {
  if (typeof named === 'string') {
    return { name: named, isMeant: ({ slug }) => slug === named };
  }
  const row = v.safeParse(accountRow, named);
  if (!row.success) {
    return undefined;
  }
  const { account } = row.output;
  return { name: account.label, isMeant: (one) => isSameAccount(one, account) };
}

/** Asks for the email address, and suggests the account's name if it may be one. */
export function loginQuestion(accountName = ''): TextQuestion {
  const isLogin = (text: string) => /^\s*(\d+|[^\s@]+@[^\s@]+)\s*$/.test(text);
  return {
    key: 'login',
    prompt: l10n.t('Your email address'),
    placeholder: 'you@example.com',
    value: isLogin(accountName) ? accountName : '',
    problem: (text) => (isLogin(text) ? undefined : l10n.t('Enter an email address or a user ID.')),
  };
}

/** Asks for how many days a token is valid; `never` for one that doesn't expire. */
export function lifetimeQuestion({ mayBeEndless = true } = {}): ChoiceQuestion {
  const endless = {
    value: 'never',
    label: l10n.t('Never expires'),
    detail: l10n.t('Anyone who gets the token can use it until you delete it.'),
  };
  const lasting = (value: string, label: string) => {
    const end = expirationDate(value, Date.now());
    return { value, label, ...(end === undefined ? {} : { description: l10n.t('until {0}', formatDate(end)) }) };
  };
  return {
    kind: 'choice',
    key: 'lifetime',
    prompt: l10n.t("How long should Gantry's access token be valid?"),
    value: '90',
    choices: [
      lasting('7', l10n.t('7 days')),
      lasting('30', l10n.t('30 days')),
      lasting('90', l10n.t('90 days')),
      lasting('365', l10n.t('1 year')),
      ...(mayBeEndless ? [endless] : []),
    ],
  };
}

export function expirationDate(lifetime: string | undefined, now: number): Date | undefined {
  const days = Number(lifetime);
  return Number.isFinite(days) && days > 0 ? new Date(now + days * 24 * 60 * 60 * 1000) : undefined;
}
