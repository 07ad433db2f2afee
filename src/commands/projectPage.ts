import { Disposable, l10n, type QuickPickItem, QuickPickItemKind, window } from 'vscode';
import { problemsIn } from '../projects/fieldProblems';
import { fieldLabel, fieldValue, hookLabel, problemSentence } from '../projects/fieldWords';
import { isChanged, type ProjectDraft } from '../projects/projectDrafts';
import { type FieldName, fieldOrder, type HookName, hookNames } from '../projects/projectFields';

/** What a person chose on the page. */
export type PageChoice =
  | { readonly kind: 'apply' | 'discard' | 'refused' }
  | { readonly kind: 'field'; readonly name: FieldName }
  | { readonly kind: 'hook'; readonly hook: HookName };

interface PageRow extends QuickPickItem {
  readonly choice?: PageChoice;
}

export interface PageState {
  readonly draft: ProjectDraft;
  /** What the platform answered to the last attempt. */
  readonly refusal: string | undefined;
  /** Where the person was before. */
  readonly at: PageChoice | undefined;
}

/** All settings of a project on one page, a row for each, with what was changed marked. `undefined`: closed. */
export function showPage(state: PageState): Promise<PageChoice | undefined> {
  const { draft, at } = state;
  const pick = window.createQuickPick<PageRow>();
  const { context, environment } = draft.place;
  pick.title = draft.isNew
    ? l10n.t('New Project on {0}', environment)
    : l10n.t('Settings of {0} on {1}', context, environment);
  pick.placeholder = l10n.t('Choose a setting to change it. Nothing is sent before you say so.');
  pick.items = rowsOf(state);
  pick.ignoreFocusOut = true;
  pick.matchOnDescription = true;
  pick.activeItems = pick.items.filter(({ choice }) => at !== undefined && sameChoice(choice, at));
  const listeners: Disposable[] = [];
  return new Promise<PageChoice | undefined>((resolve) => {
    listeners.push(
      pick.onDidHide(() => resolve(undefined)),
      pick.onDidAccept(() => {
        const [row] = pick.selectedItems;
        if (row?.choice !== undefined) {
          resolve(row.choice);
        }
      }),
    );
    pick.show();
  }).finally(() => {
    Disposable.from(pick, ...listeners).dispose();
  });
}

function rowsOf({ draft, refusal }: PageState): readonly PageRow[] {
  const names = fieldOrder.filter((name) => name !== 'hooks' && isShown(name, draft));
  return [
    ...(refusal === undefined
      ? []
      : [{ label: l10n.t('$(error) The platform refused it'), detail: refusal, choice: { kind: 'refused' } as const }]),
    ...ways(draft),
    { label: l10n.t('Settings'), kind: QuickPickItemKind.Separator },
    ...names.map((name) => fieldRow(name, draft)),
    { label: l10n.t('Hooks'), kind: QuickPickItemKind.Separator },
    ...hookNames.map((hook) => hookRow(hook, draft)),
  ];
}

function ways(draft: ProjectDraft): readonly PageRow[] {
  if (draft.isNew) {
    return [
      { label: l10n.t('$(check) Create the Project'), choice: { kind: 'apply' } },
      { label: l10n.t('$(discard) Discard'), choice: { kind: 'discard' } },
    ];
  }
  return isChanged(draft)
    ? [
        { label: l10n.t('$(check) Apply…'), choice: { kind: 'apply' } },
        { label: l10n.t('$(discard) Discard the Changes'), choice: { kind: 'discard' } },
      ]
    : [];
}

function isShown(name: FieldName, { fields }: ProjectDraft): boolean {
  return (name !== 'interval' || fields.autoupdate) && (name !== 'branch' || fields.type === 'GIT');
}

function fieldRow(name: FieldName, { base, fields, rules, isNew }: ProjectDraft): PageRow {
  const was = fieldValue(name, base);
  const now = fieldValue(name, fields);
  const changed = !isNew && JSON.stringify(base[name]) !== JSON.stringify(fields[name]);
  const problem = problemsIn(fields, rules).find((found) => found.name === name)?.problem;
  const mark = problem !== undefined ? '$(warning) ' : changed ? '$(edit) ' : '';
  const detail =
    problem === undefined ? changed && l10n.t('was: {0}', was) : problemSentence(problem, rules.contextPattern);
  return {
    label: `${mark}${fieldLabel(name)}`,
    description: now,
    ...(detail === false ? {} : { detail }),
    choice: { kind: 'field', name },
  };
}

function hookRow(hook: HookName, { base, fields }: ProjectDraft): PageRow {
  const script = fields.hooks?.[hook];
  const changed = script !== base.hooks?.[hook];
  return {
    label: `${changed ? '$(edit) ' : ''}${hookLabel(hook)}`,
    description:
      script === undefined
        ? l10n.t('nothing set from here')
        : l10n.t('{0} lines', String(script === '' ? 0 : script.trimEnd().split('\n').length)),
    choice: { kind: 'hook', hook },
  };
}

function sameChoice(one: PageChoice | undefined, other: PageChoice): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
