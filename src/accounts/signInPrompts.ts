import { l10n } from 'vscode';
import { type AddressProblem, parseAddress } from '../platform/address';
import type { ChoiceQuestion, Entered, Question } from '../ui/prompts';

/** What is known before anything is asked. */
export interface KnownAnswers {
  /** For an account that was signed in before, neither is asked again. */
  readonly address?: string;
  readonly login?: string | undefined;
  readonly platforms: readonly string[];
  readonly allowPlainHttp: boolean;
}

/** The days that a token may be good for; `never` for one without an end. */
const lifetimes = ['30', '90', '365', 'never'] as const;
type Lifetime = (typeof lifetimes)[number];

export function signInQuestions(known: KnownAnswers): (entered: Entered) => readonly Question[] {
  return (entered) => [
    wayQuestion(),
    ...(known.address === undefined ? addressQuestions(known, entered) : []),
    ...(entered['way'] === 'token' ? tokenQuestions(known) : passwordQuestions(known)),
  ];
}

function wayQuestion(): Question {
  return {
    kind: 'choice',
    key: 'way',
    prompt: l10n.t('How do you sign in?'),
    choices: [
      {
        value: 'password',
        label: l10n.t('$(mail) E-mail and password'),
        detail: l10n.t('Used once, to make an access token for this machine, and never stored.'),
      },
      {
        value: 'token',
        label: l10n.t('$(key) Access token'),
        detail: l10n.t('Made in the dashboard under Settings › Access Tokens.'),
      },
    ],
  };
}

/** What is wrong with an address that somebody typed. */
const addressSentences: Readonly<Record<AddressProblem, () => string>> = {
  empty: () => l10n.t("Enter the address of the hoster's dashboard or API, such as app.hoster.example."),
  notAnAddress: () => l10n.t('Enter a web address, such as https://app.hoster.example.'),
  scheme: () => l10n.t('The address must begin with https://.'),
  credentials: () => l10n.t('The address must not hold a login or password. Enter it without them.'),
  plainHttp: () => l10n.t('Plain http would send your password readable by everyone on the way. Use https://.'),
};

const otherPlatform = 'other';

/** The platforms of the settings are offered; one that is not among them is typed. */
function addressQuestions({ platforms, allowPlainHttp }: KnownAnswers, entered: Entered): readonly Question[] {
  const typed: Question = {
    key: 'address',
    prompt: l10n.t("The address of your hoster's dashboard"),
    placeholder: 'https://app.hoster.com',
    problem: (text) => {
      const parsed = parseAddress(text, { allowPlainHttp });
      return 'ok' in parsed ? undefined : addressSentences[parsed.problem]();
    },
  };
  if (platforms.length === 0) {
    return [typed];
  }
  const other = { value: otherPlatform, label: l10n.t('$(add) Another platform…') };
  const offered: Question = {
    kind: 'choice',
    key: 'platform',
    prompt: l10n.t('Which platform do you sign in to?'),
    choices: [...platforms.map((platform) => ({ value: platform, label: `$(globe) ${platform}` })), other],
  };
  return entered['platform'] === otherPlatform ? [offered, typed] : [offered];
}

/** The address that was chosen or typed. */
export function addressIn(entered: Entered): string {
  const { platform = otherPlatform, address = '' } = entered;
  return platform === otherPlatform ? address : platform;
}

function tokenQuestions({ address, login }: KnownAnswers): readonly Question[] {
  const token: Question = {
    key: 'token',
    prompt: l10n.t('Your access token'),
    masked: true,
    problem: (text) => (/\s/.test(text.trim()) ? l10n.t('A token holds no spaces: copy it alone.') : undefined),
  };
  const name: Question = {
    key: 'name',
    prompt: l10n.t('A name for this account, such as your e-mail address'),
    placeholder: 'you@example.com',
    mayBeEmpty: true,
  };
  return address === undefined && login === undefined ? [token, name] : [token];
}

function passwordQuestions({ login }: KnownAnswers): readonly Question[] {
  const who: Question = {
    key: 'login',
    prompt: l10n.t('Your e-mail address'),
    placeholder: 'you@example.com',
    problem: (text) =>
      /^\s*(\d+|[^\s@]+@[^\s@]+)\s*$/.test(text) ? undefined : l10n.t('Enter an e-mail address or a user id.'),
  };
  const password: Question = { key: 'password', prompt: l10n.t('Your password'), masked: true };
  return login === undefined ? [who, password, lifetimeQuestion()] : [password, lifetimeQuestion()];
}

export function lifetimeQuestion(choices: readonly Lifetime[] = lifetimes): ChoiceQuestion {
  return {
    kind: 'choice',
    key: 'lifetime',
    prompt: l10n.t('How long shall the access token be good for?'),
    value: '90',
    choices: choices.map((value) => ({ value, ...lifetimeLabel(value) })),
  };
}

function lifetimeLabel(lifetime: Lifetime): { label: string; detail?: string } {
  switch (lifetime) {
    case '30':
      return { label: l10n.t('30 days') };
    case '90':
      return { label: l10n.t('90 days') };
    case '365':
      return { label: l10n.t('One year') };
    case 'never':
      return {
        label: l10n.t('No end'),
        detail: l10n.t('Until it is deleted. A token that is lost stays good until somebody notices.'),
      };
  }
}

/** When a token chosen now shall end. */
export function expirationDate(lifetime: string | undefined, now: number): Date | undefined {
  const days = Number(lifetime);
  return Number.isFinite(days) && days > 0 ? new Date(now + days * 24 * 60 * 60 * 1000) : undefined;
}
