import { l10n } from 'vscode';
import { formatDuration } from '../../ui/relativeTime';
import { conflictWords } from '../projectText';
import { withoutSecret } from '../repositories/repositoryUrl';
import { short } from '../deployedState/gitHeadLog';
import type { FieldProblem } from './fieldProblems';
import { differingHooks, editedHooks, type FieldName, type HookName, type ProjectFields } from './projectFields';

/** A project that is being created, or one that the platform has: of that one, not all values are known. */
export type FieldOwner = 'new' | 'existing';

interface FieldText {
  readonly label: string;
  /** What to ask, for a project that exists and for a new one. */
  readonly prompt: string | Readonly<Record<FieldOwner, string>>;
  /** Shown in an empty input. */
  readonly example?: string;
  /** The value in words. `notSet` is for what the platform never shows. */
  readonly value: (fields: ProjectFields, notSet: string, of: FieldOwner) => string;
}

const none = l10n.t('none');

const texts: Readonly<Record<FieldName, FieldText>> = {
  type: {
    label: l10n.t('Repository type'),
    prompt: l10n.t('Select the repository type'),
    value: ({ type }) => (type === 'GIT' ? 'Git' : 'Subversion'),
  },
  url: {
    label: l10n.t('Repository URL'),
    prompt: l10n.t('Repository URL'),
    example: 'https://git.example.com/shop.git',
    value: ({ url }) => withoutSecret(url),
  },
  branch: {
    label: l10n.t('Branch'),
    prompt: l10n.t('Branch to deploy'),
    example: 'main',
    value: ({ branch }) => (branch === '' ? l10n.t('default') : branch),
  },
  repoHash: {
    label: l10n.t('Commit'),
    prompt: l10n.t('Commit or revision to pin to, which platforms may ignore (empty for the newest)'),
    example: '5512b09',
    value: ({ repoHash }) => (repoHash === '' ? l10n.t('newest on the branch') : shortCommit(repoHash)),
  },
  login: {
    label: l10n.t('Username'),
    prompt: l10n.t('Username for the repository (empty for none)'),
    example: 'marit',
    value: ({ login }) => (login === '' ? none : login),
  },
  password: {
    label: l10n.t('Password or token'),
    prompt: {
      new: l10n.t('Password or token for the repository (empty for none)'),
      existing: l10n.t('Password or token for the repository (empty to keep the current one)'),
    },
    value: ({ password }, _, of) => (password !== undefined ? '•••' : of === 'new' ? none : l10n.t('unchanged')),
  },
  keyId: {
    label: l10n.t('SSH key'),
    prompt: l10n.t('ID of a private SSH key in your account (empty for none)'),
    example: '12',
    value: ({ keyId }, notSet) => (keyId === undefined ? notSet : String(keyId)),
  },
  context: {
    label: l10n.t('Context'),
    prompt: l10n.t('Context (deployment folder and URL path)'),
    example: 'ROOT',
    value: ({ context }) => context,
  },
  autoupdate: {
    label: l10n.t('Auto-update'),
    prompt: l10n.t('Deploy new commits automatically'),
    value: ({ autoupdate }) => (autoupdate ? l10n.t('on') : l10n.t('off')),
  },
  interval: {
    label: l10n.t('Auto-update interval'),
    prompt: l10n.t('Minutes between checks'),
    example: '5',
    value: ({ interval }) =>
      interval === '' ? l10n.t('unknown') : interval === '1' ? l10n.t('1 minute') : l10n.t('{0} minutes', interval),
  },
  autoResolveConflict: {
    label: l10n.t('On conflict'),
    prompt: l10n.t('What should happen if a file changed both in the repository and on a node?'),
    value: (fields) => conflictWords(fields),
  },
  zdt: {
    label: l10n.t('Zero-downtime deployment'),
    prompt: l10n.t('Zero-downtime deployment (supported only by PHP layers)'),
    value: ({ zdt }) => (zdt === undefined ? l10n.t('unknown') : zdt ? l10n.t('on') : l10n.t('off')),
  },
  hooks: {
    label: l10n.t('Hooks'),
    // Scripts are written in editors.
    prompt: '',
    value: ({ hooks }, notSet) => (hooks === undefined ? notSet : hooksText(editedHooks(undefined, hooks))),
  },
  delay: {
    label: l10n.t('Delay between node restarts'),
    prompt: {
      new: l10n.t('Seconds between node restarts (empty for none)'),
      existing: l10n.t('Seconds between node restarts (empty to leave it unset)'),
    },
    example: '30',
    value: ({ delay }, notSet) => (delay === undefined ? notSet : formatDuration(delay * 1000)),
  },
};

export function fieldLabel(name: FieldName): string {
  return texts[name].label;
}

export function fieldPrompt(name: FieldName, of: FieldOwner): string {
  const { prompt } = texts[name];
  return typeof prompt === 'string' ? prompt : prompt[of];
}

/** An example of a value; empty if there is none. */
export function fieldExample(name: FieldName): string {
  return texts[name].example ?? '';
}

/** Formats a field's value. Never shows a password or the content of a script. */
export function fieldValue(name: FieldName, fields: ProjectFields, of: FieldOwner = 'existing'): string {
  return texts[name].value(fields, notSetWords(of), of);
}

/** A field's change as "name: old → new". */
export function fieldChange(name: FieldName, before: ProjectFields, after: ProjectFields): string {
  if (name === 'hooks') {
    return l10n.t('{0}: changed', hooksText(differingHooks(before.hooks, after.hooks)));
  }
  if (name === 'keyId' && after.keyId === undefined) {
    return l10n.t('{0}: {1} → another one or none', fieldLabel(name), fieldValue(name, before));
  }
  return `${fieldLabel(name)}: ${fieldValue(name, before)} → ${fieldValue(name, after)}`;
}

/** Names hooks in a list. */
export function hooksText(hooks: readonly HookName[]): string {
  return hooks.map((hook) => hookLabels[hook]).join(', ');
}

/** For values that the platform never shows, and that weren't set here. */
export function notSetWords(of: FieldOwner): string {
  return of === 'new' ? none : l10n.t('not set on this computer');
}

export const hookLabels: Readonly<Record<HookName, string>> = {
  preDeploy: l10n.t('Pre-deploy hook'),
  postDeploy: l10n.t('Post-deploy hook'),
  preBuild: l10n.t('Pre-build hook'),
  postBuild: l10n.t('Post-build hook'),
};

const problemSentences: Readonly<Record<FieldProblem, string>> = {
  urlMissing: l10n.t('Enter the repository URL.'),
  urlWithoutProtocol: l10n.t('Enter the full URL, such as https://git.example.com/shop.git.'),
  urlWithLogin: l10n.t('Enter the URL without a username or password. You can enter them separately.'),
  branch: l10n.t('Enter a valid branch name.'),
  loginCharacters: l10n.t("A username can't contain any of these characters: {0}", '~ ! # $ % ^ & * ( ) { } \\ / = -'),
  passwordAndKey: l10n.t("The platform doesn't accept both a password and an SSH key. Remove one of them."),
  keyId: l10n.t('Enter the numeric ID of an SSH key in your account.'),
  contextPattern: l10n.t(
    "Enter up to 63 letters, digits, dots, underscores, or dashes. The context can't start with a dot.",
  ),
  rootOnly: l10n.t('This layer allows only one project, in the context ROOT.'),
  contextTaken: l10n.t('The layer already has a project in this context.'),
  interval: l10n.t('Enter a number of minutes, at least 1.'),
  delay: l10n.t('Enter a number of seconds.'),
  commit: l10n.t('Enter at least the first seven characters of a commit hash.'),
  revision: l10n.t('Enter a revision number.'),
  zdtUnknown: l10n.t(
    "The platform doesn't report whether this project uses zero-downtime deployment. Select an option.",
  ),
};

export function problemSentence(problem: FieldProblem, pattern?: string): string {
  return problem === 'contextPattern' && pattern !== undefined
    ? l10n.t("The layer's nodes don't accept this context. Allowed pattern: {0}", pattern)
    : problemSentences[problem];
}

/** Leaves Subversion's revisions and what a person typed as they are. */
function shortCommit(text: string): string {
  return /^[0-9a-f]{40}$/.test(text) ? short(text) : text;
}
