import { l10n } from 'vscode';
import { DeadlineExceeded, runWithin } from '../../../ui/interruptible';
import { isHashLike } from '../commits';
import { longestName } from '../repositories/repositoryUrl';
import type { Technology } from './technology';

/** What a layer allows a project, and what it runs. */
export interface LayerRules {
  readonly contextPattern?: string | undefined;
  readonly singleContext?: boolean;
  /** The contexts of the layer's other projects. */
  readonly taken?: readonly string[];
  readonly technology?: Technology | undefined;
}

interface Repository {
  readonly type: 'GIT' | 'SVN';
  readonly url: string;
  readonly branch: string;
  /** Empty for the branch's tip. */
  readonly repoHash: string;
}

const protocols = {
  GIT: ['http:', 'https:', 'ssh:', 'git+ssh:', 'git:'],
  SVN: ['http:', 'https:', 'svn:', 'svn+ssh:'],
} as const;
const shortSshAddress = /^(?!-)[^\s@:/]+@[\w.-]+:(?!\/\/)\S+$/;
const refusedInLogins = /[~!#$%^&*(){}\\/=]/;
const branchName = /^(?![-/.])(?!.*\.\.)[^\s~^:?*[\\\p{Cc}]+$/u;
const positive = /^[1-9]\d{0,5}$/;
const usualContext = /^(?![.])[\w.-]{1,63}$/;

export function checkUrl({ url: typed, type }: Repository): string | undefined {
  const url = typed.trim();
  if (url === '') {
    return l10n.t('Enter the repository URL.');
  }
  if (type === 'GIT' && shortSshAddress.test(url)) {
    return undefined;
  }
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  const allowed: readonly string[] = protocols[type];
  if (parsed === undefined || parsed.hostname === '' || !allowed.includes(parsed.protocol)) {
    return l10n.t('Enter the full URL, such as https://git.example.com/shop.git.');
  }
  return parsed.password === '' && parsed.username.length <= longestName
    ? undefined
    : l10n.t('Enter the URL without a username or password. You can enter them separately.');
}

export function checkBranch({ branch, type }: Repository): string | undefined {
  return type === 'SVN' || branchName.test(branch) ? undefined : l10n.t('Enter a valid branch name.');
}

export function checkCommit({ repoHash, type }: Repository): string | undefined {
  if (repoHash === '' || (type === 'SVN' ? /^\d{1,9}$/.test(repoHash) : isHashLike(repoHash))) {
    return undefined;
  }
  return type === 'SVN'
    ? l10n.t('Enter a revision number.')
    : l10n.t('Enter at least the first seven characters of a commit hash.');
}

export function checkLogin({ login }: { readonly login: string }): string | undefined {
  return refusedInLogins.test(login)
    ? l10n.t("A username can't contain any of these characters: {0}", '~ ! # $ % ^ & * ( ) { } \\ / =')
    : undefined;
}

interface Secrets {
  readonly password: string | undefined;
  readonly keyId: number | undefined;
}

export function checkPassword({ password = '', keyId }: Secrets): string | undefined {
  return password === '' || keyId === undefined
    ? undefined
    : l10n.t("The platform doesn't accept both a password and an SSH key. Remove one of them.");
}

export function checkKey(fields: Secrets): string | undefined {
  return fields.keyId === undefined || (Number.isSafeInteger(fields.keyId) && fields.keyId > 0)
    ? checkPassword(fields)
    : l10n.t('Enter the numeric ID of an SSH key in your account.');
}

export function checkContext(
  { context }: { readonly context: string },
  { contextPattern, singleContext, taken = [] }: LayerRules,
): string | undefined {
  if (taken.includes(context)) {
    return l10n.t('The layer already has a project with this name.');
  }
  if (singleContext === true && context !== 'ROOT') {
    return l10n.t('This layer allows only one project, named ROOT.');
  }
  if (matches(contextPattern, context) ?? usualContext.test(context)) {
    return undefined;
  }
  return contextPattern === undefined
    ? l10n.t("Enter up to 63 letters, digits, dots, underscores, or dashes. The name can't start with a dot.")
    : l10n.t("The layer's nodes don't accept this name. Allowed pattern: {0}", contextPattern);
}

export function checkInterval({
  interval,
  autoupdate,
}: {
  readonly interval: string;
  readonly autoupdate: boolean;
}): string | undefined {
  return (interval === '' && !autoupdate) || positive.test(interval)
    ? undefined
    : l10n.t('Enter a number of minutes, at least 1.');
}

export function checkDelay({ delay }: { readonly delay: number | undefined }): string | undefined {
  return delay === undefined || (Number.isSafeInteger(delay) && delay >= 0)
    ? undefined
    : l10n.t('Enter a number of seconds.');
}

export function checkZeroDowntime({ zdt }: { readonly zdt: boolean | undefined }): string | undefined {
  return zdt === undefined
    ? l10n.t("The platform doesn't report whether this project uses zero-downtime deployment. Select an option.")
    : undefined;
}

/** In milliseconds. The form checks a name while it's typed. */
const longestMatching = 100;

/** Returns `undefined` if JavaScript can't parse the platform's regular expression, or takes too long to match it. */
function matches(pattern: string | undefined, text: string): boolean | undefined {
  if (pattern === undefined || pattern === '' || text.length > 200) {
    return undefined;
  }
  try {
    return runWithin(longestMatching, () => new RegExp(pattern).test(text));
  } catch (error) {
    // It uses another regular expression syntax, or is a slow one, so let the platform validate the value.
    if (error instanceof SyntaxError || error instanceof DeadlineExceeded) {
      return undefined;
    }
    throw error;
  }
}
