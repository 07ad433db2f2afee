import { l10n, type QuickPickItem, QuickPickItemKind } from 'vscode';
import { byService, missingFrom, partsOf } from '../accounts/tokenRights';
import { askByPick, type Question, type QuestionFrame, type Step } from '../ui/prompts';

interface MethodItem extends QuickPickItem {
  readonly method: string;
}

/** A searchable multi-select of methods, grouped by service. The answer is a comma-separated list. */
export function askMethodsQuestion(key: string, offered: readonly string[], held: readonly string[]): Question {
  // Keep methods that the token has but the platform no longer offers, so that they aren't removed silently.
  const methods = [...offered, ...missingFrom(offered, held)];
  return { kind: 'own', key, value: held.join(','), ask: (frame) => choose(methods, frame) };
}

export function methodsIn(answer: string | undefined): readonly string[] {
  return (answer ?? '').split(',').filter((method) => method !== '');
}

function choose(methods: readonly string[], frame: QuestionFrame): Promise<Step> {
  const { value, keep } = frame;
  const items = itemsOf(methods);
  const chosen = methodsIn(value);
  const look = {
    canSelectMany: true,
    placeholder: l10n.t('Select the methods to permit. Type to filter.'),
    items,
    selectedItems: items.filter((item) => isMethod(item) && missingFrom(chosen, [item.method]).length === 0),
  };
  return askByPick<QuickPickItem>(frame, look, (pick, resolve) => {
    const answer = () =>
      pick.selectedItems
        .filter(isMethod)
        .map(({ method }) => method)
        .join(',');
    return [
      pick.onDidChangeSelection(() => keep(answer())),
      pick.onDidAccept(() => {
        if (answer() === '') {
          pick.placeholder = l10n.t('Select at least one method.');
        } else {
          keep(answer());
          resolve({ kind: 'answer', text: answer() });
        }
      }),
    ];
  });
}

function itemsOf(methods: readonly string[]): readonly QuickPickItem[] {
  return [...byService(methods)].flatMap(([service, ofService]) => [
    { label: service, kind: QuickPickItemKind.Separator },
    ...ofService.map((method): MethodItem => ({ label: partsOf(method).name, description: service, method })),
  ]);
}

function isMethod(item: QuickPickItem): item is MethodItem {
  return 'method' in item;
}
