import { type QuickPickItem, QuickPickItemKind } from 'vscode';
import type { Choice, PickList, PickRow } from './quickPick';
import { askByPick, type OwnQuestion, type QuestionFrame, type Step } from './prompts';

interface Suggestions {
  readonly key: string;
  readonly prompt: string;
  /** May contain separators, whose value is ignored. */
  readonly choices: readonly Choice[];
  readonly value?: string;
  /** Returns what a typed text can mean, or a message if it's invalid. */
  readonly typed: (text: string) => readonly Choice[] | string;
  /** Returns what was typed for a value, if that isn't the value itself. */
  readonly textOf?: (value: string) => string;
}

interface Row extends PickRow {
  /** Missing in rows that are only information. */
  readonly value?: string;
  /** The input that the row was made for. */
  readonly text?: string;
}

/** Asks for one of the suggested values or a typed one, in the same list. What was typed survives going back. */
export function suggestionQuestion(suggestions: Suggestions): OwnQuestion {
  const { key, value } = suggestions;
  return { kind: 'own', key, ...(value === undefined ? {} : { value }), ask: (frame) => ask(suggestions, frame) };
}

function ask(suggestions: Suggestions, frame: QuestionFrame): Promise<Step> {
  const { choices, prompt, textOf = (typed: string) => typed } = suggestions;
  const { value, problem, keep } = frame;
  const before = choices.filter(isRow).find((choice) => choice.value === value);
  const text = before === undefined ? textOf(value) : '';
  const items = rowsFor(text, suggestions);
  const rows = items.filter(isRow);
  const active = before ?? rows.find((row) => row.value === value) ?? rows.find((row) => row.value !== undefined);
  const look = {
    value: text,
    placeholder: problem ?? prompt,
    items,
    // Without an active item, Enter would do nothing.
    activeItems: active === undefined ? [] : [active],
  };
  return askByPick<Row>(frame, look, (pick, resolve) => [
    pick.onDidChangeValue((typed) => {
      keep(typed.trim());
      pick.items = rowsFor(typed.trim(), suggestions);
    }),
    pick.onDidAccept(() => {
      const answer = chosenIn(pick, suggestions);
      if (answer !== undefined) {
        keep(answer);
        resolve({ kind: 'answer', text: answer });
      }
    }),
  ]);
}

function isRow({ kind }: QuickPickItem): boolean {
  return kind !== QuickPickItemKind.Separator;
}

/** Enter may be pressed before the window has the rows for the last character. */
function chosenIn(pick: PickList<Row>, suggestions: Suggestions): string | undefined {
  const [row] = pick.selectedItems;
  const text = pick.value.trim();
  return row?.value !== undefined && (row.text === undefined || row.text === text)
    ? row.value
    : rowsFor(text, suggestions).find((one) => one.text === text)?.value;
}

function rowsFor(text: string, { choices, typed }: Suggestions): readonly Row[] {
  if (text === '') {
    return choices;
  }
  const answer = typed(text);
  if (typeof answer === 'string') {
    const isFilter = choices.some(({ label, description = '' }) => holds(`${label}\n${description}`, text));
    return isFilter ? choices : [...choices, { label: answer, icon: 'info', alwaysShow: true }];
  }
  const isSuggested = choices.some(({ value }) => answer.some((one) => one.value === value));
  return isSuggested ? choices : [...choices, ...answer.map((one) => ({ ...one, text, alwaysShow: true }))];
}

function holds(text: string, part: string): boolean {
  return text.toLowerCase().includes(part.toLowerCase());
}
