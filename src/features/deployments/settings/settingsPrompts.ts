import { isDeepStrictEqual } from 'node:util';
import { l10n, QuickPickItemKind } from 'vscode';
import { type Entered, type Question, suggestionQuestion } from '../../../ui/prompts';
import { type Choice, pickRow, type PickRow } from '../../../ui/quickPick';
import { formatDate } from '../../../ui/relativeTime';
import type { RepositorySuggestions } from '../repositories/repositorySuggestions';
import type { LayerRules } from './fieldChecks';
import { fieldOrder, problemWith } from './fieldChanges';
import { hookLabels, type HookName, hookNames } from './hooks';
import { isChanged, isHookChanged, type ProjectDraft } from './projectDrafts';
import {
  type FieldName,
  fieldLabel,
  type FieldOwner,
  fieldValue,
  notSetWords,
  type ProjectFields,
  projectFields,
} from './projectFields';
import type { CurrentSettings } from './projectOperations';
import { sentOtherwise } from './writeOnlySettings';

export function questionsFor(
  name: FieldName,
  fields: ProjectFields,
  {
    suggestions,
    rules,
    of,
  }: {
    readonly suggestions: RepositorySuggestions;
    readonly rules: LayerRules;
    readonly of: FieldOwner;
  },
): readonly Question[] {
  const { prompt = '', example = '', isSecret = false, ask } = projectFields[name];
  const asking = ask?.(fields, suggestions);
  const current = fields[name];
  const value = current === undefined || typeof current === 'object' ? '' : String(current);
  const shownPrompt = typeof prompt === 'string' ? prompt : prompt[of];
  if (asking === undefined) {
    return [];
  }
  switch (asking.kind) {
    case 'text':
      return [
        {
          key: name,
          prompt: shownPrompt,
          placeholder: example,
          value,
          masked: isSecret,
          problem: (typed) => problemWith(name, fieldsFromAnswers(name, fields, { [name]: typed }), rules),
          ...asking,
        },
      ];
    case 'choice':
      return [{ key: name, prompt: shownPrompt, value, ...asking }];
    case 'suggestion': {
      const { choices, use, doubt } = asking;
      const typedValue = (typed: string): readonly Choice[] | string =>
        problemWith(name, { ...fields, [name]: typed }, {}) ?? [
          // It's offered only for what isn't among the choices.
          {
            label: use(typed),
            icon: 'arrow-right',
            value: typed,
            ...(choices.length > 0 && doubt && { detail: doubt }),
          },
        ];
      return [
        suggestionQuestion({
          key: name,
          prompt: asking.prompt,
          choices: withCurrent(value, choices),
          value,
          typed: typedValue,
        }),
      ];
    }
  }
}

/** Puts the current value first if it isn't among the choices. */
function withCurrent(value: string, choices: readonly Choice[]): readonly Choice[] {
  const isListed = value === '' || choices.some((choice) => choice.value === value);
  return isListed ? choices : [{ label: value, description: l10n.t('current value'), value }, ...choices];
}

export function fieldsFromAnswers(name: FieldName, fields: ProjectFields, entered: Entered): ProjectFields {
  const answer = entered[name];
  const { parsed } = projectFields[name];
  return answer === undefined || parsed === undefined ? fields : { ...fields, [name]: parsed(answer) };
}

export type PageChoice =
  | { readonly kind: 'apply' | 'applyAndDeploy' | 'discard' | 'problem' }
  | { readonly kind: 'field'; readonly name: FieldName }
  | { readonly kind: 'hook'; readonly hook: HookName };

interface PageRow extends PickRow {
  readonly choice?: PageChoice;
}

export interface PageProblem {
  /** Changed by someone else meanwhile, rejected by the platform, never reached it, or the result isn't known. */
  readonly kind: 'changed' | 'refused' | 'notRead' | 'notSent' | 'unknown';
  readonly sentence: string;
}

interface PageState {
  readonly title: string;
  readonly draft: ProjectDraft;
  /** What the draft started from, if this window has read it. */
  readonly current: CurrentSettings | undefined;
  /** Why the last attempt did not succeed. */
  readonly problem: PageProblem | undefined;
  /** The previously selected row. */
  readonly at: PageChoice | undefined;
}

/** Shows a project's settings on one page, one row each, and marks changes. Returns `undefined` if it's closed. */
export function showPage(state: PageState): Promise<PageChoice | undefined> {
  const { draft, at, title } = state;
  const placeholder =
    !draft.isNew && isChanged(draft)
      ? l10n.t('Select a setting to change it, or select Apply to review the changes')
      : l10n.t("Select a setting. Changes aren't sent until you apply them.");
  const items = rowsOf(state);
  const before = items.filter(({ choice }) => at !== undefined && isDeepStrictEqual(choice, at));
  // Without an active item, Enter would do nothing.
  const activeItems = before.length > 0 ? before : items.filter(({ choice }) => choice !== undefined).slice(0, 1);
  return pickRow({ title, placeholder, items, activeItems }, ({ choice }) => choice);
}

function rowsOf({ draft, problem, current }: PageState): readonly PageRow[] {
  const names = fieldOrder.filter((name) => projectFields[name].hasRow?.(draft) ?? true);
  return [
    ...(problem === undefined
      ? []
      : [{ ...problemTexts[problem.kind], detail: problem.sentence, choice: { kind: 'problem' } as const }]),
    ...ways(draft),
    { label: l10n.t('Settings'), kind: QuickPickItemKind.Separator },
    ...names.map((name) => fieldRow(name, draft)),
    { label: l10n.t('Hooks'), kind: QuickPickItemKind.Separator },
    ...hookNames.map((hook) => hookRow(hook, draft, current)),
  ];
}

const problemTexts: Readonly<Record<PageProblem['kind'], PageRow>> = {
  changed: { icon: 'warning', label: l10n.t('Someone else changed this project in the meantime, so nothing was sent') },
  refused: { icon: 'error', label: l10n.t('The platform rejected the settings') },
  notRead: { icon: 'error', label: l10n.t("Couldn't read the current settings, so nothing was sent") },
  notSent: { icon: 'error', label: l10n.t("Couldn't send the settings") },
  unknown: { icon: 'warning', label: l10n.t("The platform didn't confirm the settings") },
};

function ways(draft: ProjectDraft): readonly PageRow[] {
  if (draft.isNew) {
    return [
      { label: l10n.t('Create and Deploy Now'), icon: 'rocket', choice: { kind: 'applyAndDeploy' } },
      { label: l10n.t('Create Without Deploying'), icon: 'check', choice: { kind: 'apply' } },
      { label: l10n.t('Discard'), icon: 'discard', choice: { kind: 'discard' } },
    ];
  }
  return isChanged(draft)
    ? [
        { label: l10n.t('Apply…'), icon: 'check', choice: { kind: 'apply' } },
        { label: l10n.t('Discard Changes'), icon: 'discard', choice: { kind: 'discard' } },
      ]
    : [];
}

function fieldRow(name: FieldName, draft: ProjectDraft): PageRow {
  const { base, fields, isNew } = draft;
  const changed = !isNew && JSON.stringify(base[name]) !== JSON.stringify(fields[name]);
  const problem = problemIn(name, draft);
  const icon = problem !== undefined ? 'warning' : changed ? 'edit' : undefined;
  const notes = [...(changed ? [l10n.t('was: {0}', fieldValue(name, base))] : []), ...platformNotes(name, draft)];
  return {
    label: fieldLabel(name),
    ...(icon === undefined ? {} : { icon }),
    description: fieldValue(name, fields, isNew ? 'new' : 'existing'),
    ...(problem === undefined && notes.length === 0 ? {} : { detail: problem ?? notes.join(' · ') }),
    choice: { kind: 'field', name },
  };
}

/** What a platform does with a setting that a person may not expect. */
function platformNotes(name: FieldName, { fields, isNew }: ProjectDraft): readonly string[] {
  if (!isNew && (name === 'keyId' || name === 'delay') && fields[name] === undefined) {
    return [l10n.t("the platform doesn't show this setting")];
  }
  return name === 'repoHash' && fields.repoHash !== ''
    ? [l10n.t("platforms may ignore this and deploy the branch's newest commit")]
    : [];
}

/** Why a setting can't be sent as it is. */
function problemIn(name: FieldName, { fields, rules, lacksPassword }: ProjectDraft): string | undefined {
  const problem = problemWith(name, fields, rules);
  return problem === undefined && name === 'password' && lacksPassword
    ? l10n.t("The password wasn't kept when the window was closed or reloaded. Enter it again.")
    : problem;
}

function hookRow(hook: HookName, draft: ProjectDraft, current: CurrentSettings | undefined): PageRow {
  const { base, fields, isNew } = draft;
  const script = fields.hooks?.[hook];
  const changed = !isNew && isHookChanged(draft, hook);
  const isUnread = isHookUnread(hook, current);
  const sentAt = isUnread ? undefined : sentOtherwise(current?.kept, hook, base.hooks?.[hook] ?? '');
  return {
    label: hookLabels[hook],
    ...(changed ? { icon: 'edit' } : {}),
    description: script === undefined ? noScriptWords(isUnread, draft, current) : scriptLength(script.trimEnd()),
    ...(sentAt === undefined ? {} : { detail: l10n.t('not what you sent from here on {0}', formatDate(sentAt)) }),
    choice: { kind: 'hook', hook },
  };
}

/** Whether a hook was sent from here that can't be read now, and isn't kept here. */
function isHookUnread(hook: HookName, current: CurrentSettings | undefined): boolean {
  return current?.areHooksMissing === true && current.kept?.hooksSent?.[hook] !== undefined;
}

/** There is none, or why it isn't known. */
function noScriptWords(isUnread: boolean, { isNew }: ProjectDraft, current: CurrentSettings | undefined): string {
  if (isNew || current?.onNode?.scripts !== undefined) {
    return notSetWords('new');
  }
  if (current === undefined) {
    return l10n.t('not read yet');
  }
  // Without a folder for hooks, there may be none, or the platform keeps them elsewhere.
  return isUnread || current.onNode === undefined ? l10n.t("can't be read now") : l10n.t('none found');
}

function scriptLength(script: string): string {
  const lines = script === '' ? 0 : script.split('\n').length;
  return lines === 1 ? l10n.t('1 line') : l10n.t('{0} lines', String(lines));
}
