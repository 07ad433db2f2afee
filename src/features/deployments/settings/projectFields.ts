import * as v from 'valibot';
import { l10n } from 'vscode';
import type { Choice } from '../../../ui/quickPick';
import { formatDuration } from '../../../ui/relativeTime';
import { short, wholeHash } from '../commits';
import type { ProjectSettings } from '../projects';
import { conflictWords, kindWord } from '../projectText';
import { repositoryPrompt, type RepositorySuggestions } from '../repositories/repositorySuggestions';
import { sameRepository, withoutSecret } from '../repositories/repositoryUrl';
import {
  checkBranch,
  checkCommit,
  checkContext,
  checkDelay,
  checkInterval,
  checkKey,
  checkLogin,
  checkPassword,
  checkUrl,
  checkZeroDowntime,
  type LayerRules,
} from './fieldChecks';
import { differingHooks, editedHooks, hooksText, rebasedHooks, sameHooks, storedHooks } from './hooks';

/** All settings of a project that CreateProject and EditProject accept, in page order. */
export const fieldValues = v.object({
  type: v.picklist(['GIT', 'SVN']),
  url: v.string(),
  branch: v.string(),
  /** Empty for the branch's tip. */
  repoHash: v.string(),
  /** Empty for no login. */
  login: v.string(),
  password: v.optional(v.string()),
  keyId: v.optional(v.number()),
  context: v.string(),
  autoupdate: v.boolean(),
  /** In minutes; empty if not set. */
  interval: v.string(),
  autoResolveConflict: v.boolean(),
  /** `undefined` if the platform didn't return it. */
  zdt: v.optional(v.boolean()),
  hooks: v.optional(storedHooks),
  delay: v.optional(v.number()),
});
type FieldValues = v.InferOutput<typeof fieldValues>;
export type FieldName = keyof FieldValues;
export type ProjectFields = { readonly [N in FieldName]-?: FieldValues[N] };

/** The settings that GetProject never returns, except the password, which the platform keeps. `undefined` if not set from here. */
export type WriteOnlySettings = Pick<ProjectFields, 'keyId' | 'hooks' | 'delay'>;
export const noWriteOnlySettings: WriteOnlySettings = { keyId: undefined, hooks: undefined, delay: undefined };

export const newProject: ProjectFields = {
  ...noWriteOnlySettings,
  type: 'GIT',
  context: 'ROOT',
  url: '',
  branch: 'master',
  login: '',
  autoupdate: false,
  interval: '',
  autoResolveConflict: false,
  zdt: false,
  repoHash: '',
  password: undefined,
};

/** A project that is being created, or one that the platform has: of that one, not all values are known. */
export type FieldOwner = 'new' | 'existing';

type Asking =
  | { readonly kind: 'text'; readonly value?: string; readonly mayBeEmpty?: true }
  | { readonly kind: 'choice'; readonly choices: readonly Choice[] }
  /** One of the values known here, or a typed one. */
  | {
      readonly kind: 'suggestion';
      readonly prompt: string;
      readonly choices: readonly Choice[];
      readonly use: (typed: string) => string;
      /** What to say of a typed value that isn't among those known here, if any are. */
      readonly doubt?: string;
    };

interface ProjectField<T> {
  readonly label: string;
  /** What the platform shows; missing if it never does. */
  readonly shown?: (settings: ProjectSettings) => T;
  /** The value in words. `notSet` is for what the platform doesn't show. */
  readonly words: (fields: ProjectFields, notSet: string, of: FieldOwner) => string;
  /** Neither shown nor stored. */
  readonly isSecret?: true;
  /** What to ask, for a project that exists and for a new one. */
  readonly prompt?: string | Readonly<Record<FieldOwner, string>>;
  /** Shown in an empty input. */
  readonly example?: string;
  /** Returns what is wrong with a value that the platform would reject, detected before sending. */
  readonly check?: (fields: ProjectFields, rules: LayerRules) => string | undefined;
  readonly ask?: (fields: ProjectFields, suggestions: RepositorySuggestions) => Asking | undefined;
  readonly parsed?: (answer: string) => T;
  readonly next?: (of: FieldOwner) => readonly FieldName[];
  /** Whether the page has a row for it; missing if it always has. */
  readonly hasRow?: (page: Page) => boolean;
  /** Whether the platform took a value, although it shows another one. */
  readonly isTaken?: (wanted: ProjectFields, shown: ProjectFields) => boolean;
  /** What is sent; missing if it's the value. `undefined` is left out. */
  readonly sent?: (fields: ProjectFields, before?: ProjectFields) => string | boolean | undefined;
  /** Whether two values differ; missing if they differ unless they are identical. */
  readonly differ?: (one: ProjectFields, other: ProjectFields) => boolean;
  /** Applies the user's change to the current value; missing if it replaces that. */
  readonly rebased?: (base: ProjectFields, changed: ProjectFields, now: ProjectFields) => T;
  /** A change in words, if it isn't only the old value and the new one. */
  readonly change?: (before: ProjectFields, after: ProjectFields) => string | undefined;
}

interface Page {
  readonly fields: ProjectFields;
  readonly isNew: boolean;
  readonly rules: LayerRules;
}

const [none, on, off] = [l10n.t('none'), l10n.t('on'), l10n.t('off')];
const trimmed = (answer: string) => answer.trim();
const isTrue = (answer: string) => answer === 'true';
export const numberIn = (answer = '') => (answer.trim() === '' ? undefined : Number(answer.trim()));
const optionalText = (): Asking => ({ kind: 'text', mayBeEmpty: true });
/** A removed value is sent as an empty string. */
const unlessEmpty =
  (name: 'branch' | 'repoHash' | 'login' | 'interval') => (fields: ProjectFields, before?: ProjectFields) =>
    fields[name] === '' && (before?.[name] ?? '') === '' ? undefined : fields[name];
const chosen = (...choices: readonly Choice[]): Asking => ({ kind: 'choice', choices });

export const projectFields: { readonly [N in FieldName]: ProjectField<ProjectFields[N]> } = {
  type: {
    label: l10n.t('Repository type'),
    shown: ({ type = 'GIT' }) => type,
    words: kindWord,
    prompt: l10n.t('Select the repository type'),
    ask: () => chosen(...(['GIT', 'SVN'] as const).map((value) => ({ label: kindWord({ type: value }), value }))),
    parsed: (answer) => (answer === 'SVN' ? 'SVN' : 'GIT'),
  },
  url: {
    label: l10n.t('Repository URL'),
    shown: ({ url = '' }) => url,
    words: ({ url }) => withoutSecret(url),
    example: 'https://git.example.com/shop.git',
    check: checkUrl,
    ask: ({ type }, { repositories }) => {
      const known = repositories.filter((one) => one.type === type);
      return {
        kind: 'suggestion',
        prompt: repositoryPrompt(known, type),
        choices: known.map(({ url, description }) => ({ label: url, description, value: url })),
        use: (typed) => l10n.t('Use {0}', typed),
      };
    },
    parsed: trimmed,
    isTaken: (wanted, shown) => sameRepository(shown.url, wanted.url),
  },
  branch: {
    label: l10n.t('Branch'),
    shown: ({ branch = '' }) => branch,
    words: ({ branch }) => (branch === '' ? l10n.t('default') : branch),
    example: 'main',
    check: checkBranch,
    ask: ({ type, url }, { branchesOf }) => {
      const known = branchesOf(url);
      return type === 'SVN'
        ? undefined
        : {
            kind: 'suggestion',
            prompt:
              known.length === 0
                ? l10n.t('Enter the branch to deploy, for example {0}', 'main')
                : l10n.t('Select the branch to deploy, or enter another one'),
            choices: known.map((value) => ({ label: value, icon: 'git-branch', value })),
            use: (typed) => l10n.t('Use branch {0}', typed),
            doubt: l10n.t("Not among the branches known here. A redeploy fails if the repository doesn't have it."),
          };
    },
    parsed: trimmed,
    hasRow: ({ fields }) => fields.type === 'GIT',
    isTaken: ({ type, branch }) => type === 'SVN' || branch === '',
    sent: unlessEmpty('branch'),
  },
  repoHash: {
    label: l10n.t('Commit'),
    shown: ({ repoHash = '' }) => repoHash,
    words: ({ repoHash }) => (repoHash === '' ? l10n.t('newest on the branch') : shortCommit(repoHash)),
    prompt: l10n.t('Commit or revision to pin to, which platforms may ignore (empty for the newest)'),
    example: '5512b09',
    check: checkCommit,
    ask: optionalText,
    parsed: trimmed,
    sent: unlessEmpty('repoHash'),
  },
  login: {
    label: l10n.t('Username'),
    shown: ({ login = '' }) => login,
    words: ({ login }) => (login === '' ? none : login),
    prompt: l10n.t('Username for the repository (empty for none)'),
    example: 'marit',
    check: checkLogin,
    ask: optionalText,
    parsed: trimmed,
    next: (of) => (of === 'new' ? ['password'] : []),
    sent: unlessEmpty('login'),
  },
  password: {
    label: l10n.t('Password or token'),
    words: ({ password }, _, of) => (password !== undefined ? '•••' : of === 'new' ? none : l10n.t('unchanged')),
    isSecret: true,
    prompt: {
      new: l10n.t('Password or token for the repository (empty for none)'),
      existing: l10n.t('Password or token for the repository (empty to keep the current one)'),
    },
    check: checkPassword,
    ask: () => ({ kind: 'text', mayBeEmpty: true, value: '' }),
    // Don't trim: a password may start or end with a space.
    parsed: (answer) => (answer === '' ? undefined : answer),
  },
  keyId: {
    label: l10n.t('SSH key'),
    words: ({ keyId }, notSet) => (keyId === undefined ? notSet : String(keyId)),
    prompt: l10n.t('ID of a private SSH key in your account (empty for none)'),
    example: '12',
    check: checkKey,
    ask: optionalText,
    parsed: numberIn,
    change: (before, { keyId }) =>
      keyId === undefined
        ? l10n.t('{0}: {1} → another one or none', l10n.t('SSH key'), fieldValue('keyId', before))
        : undefined,
  },
  context: {
    label: l10n.t('Project name'),
    shown: ({ context = '' }) => context,
    words: ({ context }) => context,
    prompt: l10n.t('Project name: its folder on the nodes and its path in the URL (ROOT for the main path)'),
    example: 'ROOT',
    check: checkContext,
    ask: () => ({ kind: 'text' }),
    parsed: trimmed,
  },
  autoupdate: {
    label: l10n.t('Auto-update'),
    shown: ({ autoupdate = false }) => autoupdate,
    words: ({ autoupdate }) => (autoupdate ? on : off),
    prompt: l10n.t('Deploy new commits automatically'),
    ask: () =>
      chosen(
        { label: l10n.t('Off'), description: l10n.t('deploy new commits only when you redeploy'), value: 'false' },
        { label: l10n.t('On'), description: l10n.t('check for new commits regularly'), value: 'true' },
      ),
    parsed: isTrue,
    next: () => ['interval'],
  },
  interval: {
    label: l10n.t('Auto-update interval'),
    shown: ({ interval = '' }) => interval,
    words: ({ interval }) =>
      interval === '' ? l10n.t('unknown') : interval === '1' ? l10n.t('1 minute') : l10n.t('{0} minutes', interval),
    prompt: l10n.t('Minutes between checks'),
    example: '5',
    check: checkInterval,
    ask: ({ autoupdate, interval }) => (autoupdate ? { kind: 'text', value: interval || '5' } : undefined),
    parsed: trimmed,
    hasRow: ({ fields }) => fields.autoupdate,
    isTaken: ({ autoupdate, interval }) => !autoupdate || interval === '',
    sent: unlessEmpty('interval'),
  },
  autoResolveConflict: {
    label: l10n.t('On conflict'),
    shown: ({ autoResolveConflict = true }) => autoResolveConflict,
    words: conflictWords,
    prompt: l10n.t('What should happen if a file changed both in the repository and on a node?'),
    ask: () =>
      chosen(
        ...[false, true].map((value) => ({
          label: conflictWords({ autoResolveConflict: value }),
          value: String(value),
        })),
      ),
    parsed: isTrue,
  },
  zdt: {
    label: l10n.t('Zero-downtime deployment'),
    shown: ({ atomicDeploy }) => atomicDeploy,
    words: ({ zdt }) => (zdt === undefined ? l10n.t('unknown') : zdt ? on : off),
    prompt: l10n.t('Zero-downtime deployment (supported only by PHP layers)'),
    check: checkZeroDowntime,
    ask: () =>
      chosen(
        { label: l10n.t('Off'), value: 'false' },
        { label: l10n.t('On'), description: l10n.t('switch to the new version without interruption'), value: 'true' },
      ),
    parsed: isTrue,
    hasRow: ({ isNew, rules: { technology } }) => !isNew || technology === undefined || technology === 'php',
    isTaken: (_, shown) => shown.zdt === undefined,
    sent: ({ zdt = false }) => zdt,
  },
  // Scripts are written in editors.
  hooks: {
    label: l10n.t('Hooks'),
    words: ({ hooks }, notSet) => (hooks === undefined ? notSet : hooksText(editedHooks(undefined, hooks))),
    hasRow: () => false,
    sent: ({ hooks }) => hooks && JSON.stringify(hooks),
    differ: (one, other) => !sameHooks(one.hooks, other.hooks),
    rebased: (base, changed, now) => rebasedHooks(base.hooks, changed.hooks, now.hooks),
    change: (before, after) => l10n.t('{0}: changed', hooksText(differingHooks(before.hooks, after.hooks))),
  },
  delay: {
    label: l10n.t('Delay between node restarts'),
    words: ({ delay }, notSet) => (delay === undefined ? notSet : formatDuration(delay * 1000)),
    prompt: {
      new: l10n.t('Seconds between node restarts (empty for none)'),
      existing: l10n.t('Seconds between node restarts (empty to leave it unset)'),
    },
    example: '30',
    check: checkDelay,
    ask: optionalText,
    parsed: numberIn,
  },
};

export function fieldLabel(name: FieldName): string {
  return projectFields[name].label;
}

/** Formats a field's value. Never shows a password or the content of a script. */
export function fieldValue(name: FieldName, fields: ProjectFields, of: FieldOwner = 'existing'): string {
  return projectFields[name].words(fields, notSetWords(of), of);
}

/** For values that the platform doesn't show, and that weren't set on this computer. */
export function notSetWords(of: FieldOwner): string {
  return of === 'new' ? none : l10n.t('unknown');
}

/** Leaves Subversion's revisions and what a person typed as they are. */
function shortCommit(text: string): string {
  return wholeHash.test(text) ? short(text) : text;
}
