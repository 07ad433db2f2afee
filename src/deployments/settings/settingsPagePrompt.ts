import { pickRow } from '../../ui/quickPick';
import { l10n, type QuickPickItem, QuickPickItemKind, window } from 'vscode';
import { problemsIn } from './fieldProblems';
import { fieldLabel, fieldValue, hookLabels, notSetWords, problemSentence } from './fieldText';
import { isChanged, type ProjectDraft } from './projectDrafts';
import { type FieldName, fieldOrder, type HookName, hookNames } from './projectFields';

/** The user's choice on the page. */
export type PageChoice =
  | { readonly kind: 'apply' | 'applyAndDeploy' | 'discard' | 'problem' }
  | { readonly kind: 'field'; readonly name: FieldName }
  | { readonly kind: 'hook'; readonly hook: HookName };

interface PageRow extends QuickPickItem {
  readonly choice?: PageChoice;
}

export interface PageProblem {
  /** Changed by someone else meanwhile, rejected by the platform, never reached it, or the result isn't known. */
  readonly kind: 'changed' | 'refused' | 'notRead' | 'notSent' | 'unknown';
  readonly sentence: string;
}

export interface PageState {
  readonly title: string;
  readonly draft: ProjectDraft;
  /** Why the last attempt did not succeed. */
  readonly problem: PageProblem | undefined;
  /** The previously selected row. */
  readonly at: PageChoice | undefined;
}

/** Shows a project's settings on one page, one row each, and marks changes. Returns `undefined` if it's closed. */
export function showPage(state: PageState): Promise<PageChoice | undefined> {
  const { draft, at, title } = state;
  const pick = window.createQuickPick<PageRow>();
  pick.title = title;
  pick.placeholder =
    !draft.isNew && isChanged(draft)
      ? l10n.t('Select a setting to change it, or select Apply to review the changes')
      : l10n.t("Select a setting. Changes aren't sent until you apply them.");
  pick.items = rowsOf(state);
  pick.matchOnDescription = true;
  const before = pick.items.filter(({ choice }) => at !== undefined && sameChoice(choice, at));
  // Without an active item, Enter would do nothing.
  pick.activeItems = before.length > 0 ? before : pick.items.filter(({ choice }) => choice !== undefined).slice(0, 1);
  return pickRow(pick, ({ choice }) => choice);
}

function rowsOf({ draft, problem }: PageState): readonly PageRow[] {
  const names = fieldOrder.filter((name) => isShown(name, draft));
  return [
    ...(problem === undefined
      ? []
      : [{ label: problemLabels[problem.kind], detail: problem.sentence, choice: { kind: 'problem' } as const }]),
    ...ways(draft),
    { label: l10n.t('Settings'), kind: QuickPickItemKind.Separator },
    ...names.map((name) => fieldRow(name, draft)),
    { label: l10n.t('Hooks'), kind: QuickPickItemKind.Separator },
    ...hookNames.map((hook) => hookRow(hook, draft)),
  ];
}

const problemLabels: Readonly<Record<PageProblem['kind'], string>> = {
  changed: l10n.t('$(warning) Someone else changed this project in the meantime, so nothing was sent'),
  refused: l10n.t('$(error) The platform rejected the settings'),
  notRead: l10n.t("$(error) Couldn't read the current settings, so nothing was sent"),
  notSent: l10n.t("$(error) Couldn't send the settings"),
  unknown: l10n.t("$(warning) The platform didn't confirm the settings"),
};

function ways(draft: ProjectDraft): readonly PageRow[] {
  if (draft.isNew) {
    return [
      { label: l10n.t('$(rocket) Create and Deploy Now'), choice: { kind: 'applyAndDeploy' } },
      { label: l10n.t('$(check) Create Without Deploying'), choice: { kind: 'apply' } },
      { label: l10n.t('$(discard) Discard'), choice: { kind: 'discard' } },
    ];
  }
  return isChanged(draft)
    ? [
        { label: l10n.t('$(check) Apply…'), choice: { kind: 'apply' } },
        { label: l10n.t('$(discard) Discard Changes'), choice: { kind: 'discard' } },
      ]
    : [];
}

function isShown(name: FieldName, { fields, isNew, rules: { technology } }: ProjectDraft): boolean {
  switch (name) {
    case 'interval':
      return fields.autoupdate;
    case 'branch':
      return fields.type === 'GIT';
    case 'zdt':
      return !isNew || technology === undefined || technology === 'php';
    default:
      return name !== 'hooks';
  }
}

function fieldRow(name: FieldName, { base, fields, rules, isNew, lacksPassword }: ProjectDraft): PageRow {
  const of = isNew ? 'new' : 'existing';
  const was = fieldValue(name, base);
  const now = fieldValue(name, fields, of);
  const changed = !isNew && JSON.stringify(base[name]) !== JSON.stringify(fields[name]);
  const found = problemsIn(fields, rules).find((one) => one.name === name)?.problem;
  const problem =
    found !== undefined
      ? problemSentence(found, rules.contextPattern)
      : name === 'password' && lacksPassword
        ? l10n.t("The password wasn't kept when the window was closed or reloaded. Enter it again.")
        : undefined;
  const mark = problem !== undefined ? '$(warning) ' : changed ? '$(edit) ' : '';
  const detail = problem ?? (changed && l10n.t('was: {0}', was));
  return {
    label: `${mark}${fieldLabel(name)}`,
    description: now,
    ...(detail === false ? {} : { detail }),
    choice: { kind: 'field', name },
  };
}

function hookRow(hook: HookName, { base, fields, isNew }: ProjectDraft): PageRow {
  const script = fields.hooks?.[hook];
  const changed = !isNew && script !== base.hooks?.[hook];
  return {
    label: `${changed ? '$(edit) ' : ''}${hookLabels[hook]}`,
    description: script === undefined ? notSetWords(isNew ? 'new' : 'existing') : scriptLength(script.trimEnd()),
    choice: { kind: 'hook', hook },
  };
}

function scriptLength(script: string): string {
  const lines = script === '' ? 0 : script.split('\n').length;
  return lines === 1 ? l10n.t('1 line') : l10n.t('{0} lines', String(lines));
}

function sameChoice(one: PageChoice | undefined, other: PageChoice): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
