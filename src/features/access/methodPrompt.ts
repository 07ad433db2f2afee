import { l10n, type QuickPickItem } from 'vscode';
import { byService, effectOf, missingFrom, partsOf } from '../../accounts/tokenRights';
import { askByPick, type Question, type QuestionFrame, type Step } from '../../ui/prompts';
import { underHeading } from '../../ui/quickPick';

interface MethodItem extends QuickPickItem {
  readonly method: string;
}

/** A searchable multi-select of methods, grouped by what they do. The answer is a comma-separated list. */
export function askMethodsQuestion(
  key: string,
  { methods: offered, barred }: { readonly methods: readonly string[]; readonly barred: readonly string[] },
  held: readonly string[],
): Question {
  // Keep methods that the token has but the platform no longer offers, so that they aren't removed silently.
  const methods = [...offered, ...missingFrom(offered, held)];
  return { kind: 'own', key, value: held.join(','), ask: (frame) => choose(itemsOf(methods, barred), frame) };
}

export function methodsIn(answer: string | undefined): readonly string[] {
  return (answer ?? '').split(',').filter((method) => method !== '');
}

function choose(items: readonly QuickPickItem[], frame: QuestionFrame): Promise<Step> {
  const { value, keep } = frame;
  const chosen = methodsIn(value);
  const look = {
    canSelectMany: true,
    placeholder:
      items.length === 0
        ? l10n.t("The platform doesn't list any methods. Select a template.")
        : l10n.t('Select the methods to permit. Type to filter.'),
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
        if (answer() === '' && items.length > 0) {
          // A filter would hide the placeholder.
          pick.value = '';
          pick.placeholder = l10n.t('Select at least one method.');
        } else if (answer() !== '') {
          keep(answer());
          resolve({ kind: 'answer', text: answer() });
        }
      }),
    ];
  });
}

/** What reads, then what changes something, then what Gantry doesn't know, by service. */
function itemsOf(methods: readonly string[], barred: readonly string[]): readonly QuickPickItem[] {
  const methodItem = (method: string, description: string): MethodItem => ({
    label: partsOf(method).name,
    description: barred.includes(method) ? l10n.t('{0} · not allowed for tokens', description) : description,
    method,
  });
  const services = [...byService(methods)];
  const known = (effect: 'read' | 'write', heading: string, word: string) =>
    underHeading(
      heading,
      services.flatMap(([service, ofService]) =>
        // Filtering hides headings, so each row has the word, too.
        ofService.filter(has(effect)).map((method) => methodItem(method, `${service} · ${word}`)),
      ),
    );
  return [
    ...known('read', l10n.t('Read'), l10n.t('reads')),
    ...known('write', l10n.t('Change'), l10n.t('changes')),
    ...services.flatMap(([service, ofService]) =>
      underHeading(
        service,
        ofService.filter(has(undefined)).map((method) => methodItem(method, service)),
      ),
    ),
  ];
}

function has(effect: ReturnType<typeof effectOf>) {
  return (method: string): boolean => effectOf(method) === effect;
}

function isMethod(item: QuickPickItem): item is MethodItem {
  return 'method' in item;
}
