import { l10n } from 'vscode';
import { conflictWords } from '../projectText';
import { withoutSecret } from '../repositories/repositoryUrl';
import type { FieldProblem } from './fieldProblems';
import type { FieldName, HookName, ProjectFields } from './projectFields';

/** A project that is being created, or one that the platform has: of that one, not all values are known. */
export type FieldOwner = 'new' | 'existing';

interface FieldText {
  readonly label: string;
  /** What to ask, for a project that exists and for a new one. */
  readonly prompt: string | Readonly<Record<FieldOwner, string>>;
  /** The value in words. `notSet` is for what the platform never shows. */
  readonly value: (fields: ProjectFields, notSet: string, of: FieldOwner) => string;
}

const none = l10n.t('none');

const texts: Readonly<Record<FieldName, FieldText>> = {
  type: {
    label: l10n.t('Kind of repository'),
    prompt: l10n.t('What kind of repository is it?'),
    value: ({ type }) => (type === 'GIT' ? 'Git' : 'Subversion'),
  },
  url: {
    label: l10n.t('Address'),
    prompt: l10n.t("The repository's address, with its protocol"),
    value: ({ url }) => withoutSecret(url),
  },
  branch: {
    label: l10n.t('Branch'),
    prompt: l10n.t('The branch that is deployed'),
    value: ({ branch }) => (branch === '' ? l10n.t('the usual one') : branch),
  },
  repoHash: {
    label: l10n.t('Commit'),
    prompt: l10n.t('The commit or revision to stay at; empty for the newest'),
    value: ({ repoHash }) => (repoHash === '' ? l10n.t('the newest') : repoHash),
  },
  login: {
    label: l10n.t('Login'),
    prompt: l10n.t('The login at the repository; empty for none'),
    value: ({ login }) => (login === '' ? none : login),
  },
  password: {
    label: l10n.t('Password or token'),
    prompt: {
      new: l10n.t('The password or token at the repository; empty for none'),
      existing: l10n.t('The password or token at the repository; empty to leave it as it is'),
    },
    value: ({ password }, _, of) => (password !== undefined ? '•••' : of === 'new' ? none : l10n.t('as it is')),
  },
  keyId: {
    label: l10n.t('SSH key'),
    prompt: l10n.t('The number of a private SSH key on your account; empty for none'),
    value: ({ keyId }, notSet) => (keyId === undefined ? notSet : String(keyId)),
  },
  context: {
    label: l10n.t('Context'),
    prompt: l10n.t('The context: the folder that the project is deployed to, and its place in the address'),
    value: ({ context }) => context,
  },
  autoupdate: {
    label: l10n.t('Auto-update'),
    prompt: l10n.t('Shall the platform deploy new commits by itself?'),
    value: ({ autoupdate }) => (autoupdate ? l10n.t('on') : l10n.t('off')),
  },
  interval: {
    label: l10n.t('Auto-update interval'),
    prompt: l10n.t('Minutes from one look to the next'),
    value: ({ interval }) =>
      interval === '' ? l10n.t('not said') : interval === '1' ? l10n.t('one minute') : l10n.t('{0} minutes', interval),
  },
  autoResolveConflict: {
    label: l10n.t('On conflict'),
    prompt: l10n.t('What if a file was changed in the container as well as in the repository?'),
    value: (fields) => conflictWords(fields),
  },
  zdt: {
    label: l10n.t('Without downtime'),
    prompt: l10n.t('Deploy without downtime? Only layers with PHP can.'),
    value: ({ zdt }) => (zdt === undefined ? l10n.t('the platform does not say') : zdt ? l10n.t('yes') : l10n.t('no')),
  },
  hooks: {
    label: l10n.t('Hooks'),
    // Scripts are written in editors.
    prompt: '',
    value: ({ hooks }, notSet) => (hooks === undefined ? notSet : Object.keys(hooks).join(', ')),
  },
  delay: {
    label: l10n.t('Delay between nodes'),
    prompt: {
      new: l10n.t('Seconds from one node to the next; empty for none'),
      existing: l10n.t('Seconds from one node to the next; empty for nothing set from here'),
    },
    value: ({ delay }, notSet) => (delay === undefined ? notSet : l10n.t('{0} s', String(delay))),
  },
};

export function fieldLabel(name: FieldName): string {
  return texts[name].label;
}

export function fieldPrompt(name: FieldName, of: FieldOwner): string {
  const { prompt } = texts[name];
  return typeof prompt === 'string' ? prompt : prompt[of];
}

/** Formats a field's value. Never shows a password or the content of a script. */
export function fieldValue(name: FieldName, fields: ProjectFields, of: FieldOwner = 'existing'): string {
  return texts[name].value(fields, notSetWords(of), of);
}

/** For values that the platform never shows, and that weren't set here. */
export function notSetWords(of: FieldOwner): string {
  return of === 'new' ? none : l10n.t('nothing set from here');
}

export const hookLabels: Readonly<Record<HookName, string>> = {
  preDeploy: l10n.t('Hook before the deployment'),
  postDeploy: l10n.t('Hook after the deployment'),
  preBuild: l10n.t('Hook before the build'),
  postBuild: l10n.t('Hook after the build'),
};

const problemSentences: Readonly<Record<FieldProblem, string>> = {
  urlMissing: l10n.t("Enter the repository's address."),
  urlWithoutProtocol: l10n.t('Enter the whole address, with its protocol, such as https://git.example.com/shop.git.'),
  urlWithLogin: l10n.t('Leave login and password out of the address: they have steps of their own.'),
  branch: l10n.t('This is no name of a branch.'),
  loginCharacters: l10n.t('The platform refuses logins with any of {0}', '~ ! # $ % ^ & * ( ) { } \\ / = -'),
  passwordAndKey: l10n.t('The platform refuses a password together with an SSH key. Take one of them away.'),
  keyId: l10n.t('Enter the number of an SSH key on your account.'),
  contextPattern: l10n.t('The platform refuses this name: letters, digits, dots and underscores are safe.'),
  rootOnly: l10n.t('This layer takes one project only, in the context ROOT.'),
  contextTaken: l10n.t('The layer has a project in this context already.'),
  interval: l10n.t('Enter a number of minutes, at least 1.'),
  delay: l10n.t('Enter a number of seconds.'),
  commit: l10n.t('Enter the hash of a commit, at least its first seven characters.'),
  revision: l10n.t('Enter the number of a revision.'),
  zdtUnknown: l10n.t('The platform does not say whether this project is deployed without downtime: choose.'),
};

export function problemSentence(problem: FieldProblem, pattern?: string): string {
  return problem === 'contextPattern' && pattern !== undefined
    ? l10n.t("The layer's nodes refuse this name; they take {0}", pattern)
    : problemSentences[problem];
}
