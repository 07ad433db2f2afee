import {
  Disposable,
  type InputBoxOptions,
  type InputBoxValidationMessage,
  type QuickInput,
  type QuickInputButton,
  type QuickPick,
  type QuickPickItem,
  QuickPickItemKind,
  type QuickPickOptions,
  window,
} from 'vscode';
import { escapeMarkup, withIcon } from './escapeMarkup';
import { askByPick, type OwnQuestion, type QuestionFrame, type Step } from './prompts';

/** A row of a list. Its texts are shown exactly, because names and the platform's words are among them. */
export interface PickRow extends QuickPickItem {
  /** The name of an icon before the label. */
  readonly icon?: string;
}

/** What VS Code gets for a row. */
interface ShownRow<R extends PickRow> extends QuickPickItem {
  readonly row: R;
}

function shownRow<R extends PickRow>(row: R): ShownRow<R> {
  const { label, icon, description, detail, kind, iconPath, buttons, picked, alwaysShow } = row;
  return {
    row,
    label: icon === undefined ? escapeMarkup(label) : withIcon(icon, label),
    ...(description === undefined ? {} : { description: escapeMarkup(description) }),
    ...(detail === undefined ? {} : { detail: escapeMarkup(detail) }),
    ...(kind === undefined ? {} : { kind }),
    ...(iconPath === undefined ? {} : { iconPath }),
    ...(buttons === undefined ? {} : { buttons }),
    ...(picked === undefined ? {} : { picked }),
    ...(alwaysShow === undefined ? {} : { alwaysShow }),
  };
}

type PlainProperty =
  'title' | 'placeholder' | 'value' | 'buttons' | 'step' | 'totalSteps' | 'canSelectMany' | 'keepScrollPosition';

/** What a list looks like when it opens. */
export interface ListLook<R extends PickRow> extends Partial<Pick<QuickPick<R>, PlainProperty>> {
  readonly items?: readonly R[];
  readonly activeItems?: readonly R[];
  readonly selectedItems?: readonly R[];
}

/** A quick pick that shows the texts of its rows exactly. Titles and placeholders can't contain links or icons. */
export class PickList<R extends PickRow> {
  private readonly pick = window.createQuickPick<ShownRow<R>>();
  readonly input: QuickInput = this.pick;
  readonly onDidAccept = this.pick.onDidAccept;
  readonly onDidChangeValue = this.pick.onDidChangeValue;
  readonly onDidTriggerButton = this.pick.onDidTriggerButton;

  constructor({ items = [], activeItems, selectedItems, ...look }: ListLook<R>) {
    Object.assign(this.pick, { matchOnDescription: true }, look);
    this.items = items;
    if (activeItems !== undefined) {
      this.activeItems = activeItems;
    }
    if (selectedItems !== undefined) {
      this.pick.selectedItems = this.shown(selectedItems);
    }
  }

  onDidChangeSelection(listener: () => void): Disposable {
    return this.pick.onDidChangeSelection(listener);
  }

  onDidTriggerItemButton(listener: (row: R, button: QuickInputButton) => void): Disposable {
    return this.pick.onDidTriggerItemButton(({ item, button }) => listener(item.row, button));
  }

  get items(): readonly R[] {
    return this.pick.items.map(({ row }) => row);
  }

  set items(rows: readonly R[]) {
    this.pick.items = rows.map(shownRow);
  }

  get activeItems(): readonly R[] {
    return this.pick.activeItems.map(({ row }) => row);
  }

  set activeItems(rows: readonly R[]) {
    this.pick.activeItems = this.shown(rows);
  }

  get selectedItems(): readonly R[] {
    return this.pick.selectedItems.map(({ row }) => row);
  }

  get value(): string {
    return this.pick.value;
  }

  set value(text: string) {
    this.pick.value = text;
  }

  set placeholder(text: string) {
    this.pick.placeholder = text;
  }

  set title(text: string) {
    this.pick.title = text;
  }

  set busy(isBusy: boolean) {
    this.pick.busy = isBusy;
  }

  private shown(rows: readonly R[]): readonly ShownRow<R>[] {
    return this.pick.items.filter(({ row }) => rows.includes(row));
  }
}

/** Inputs stay open when the window loses the focus, so that nothing typed is lost. */
const staysOpen = { ignoreFocusOut: true };

/** A row of a quick pick, and the value that choosing it returns. */
export interface Choice<T = string> extends PickRow {
  readonly value: T;
}

/** Puts a heading above the rows, if there are any. */
export function underHeading(label: string, rows: readonly PickRow[]): readonly PickRow[] {
  return rows.length === 0 ? [] : [{ label, kind: QuickPickItemKind.Separator }, ...rows];
}

/** Shows a quick pick until `listen` resolves, or the user cancels. */
export function showPick<R extends PickRow, A>(
  look: ListLook<R>,
  listen: (pick: PickList<R>, resolve: (answer: A | undefined) => void) => Disposable[],
  signal?: AbortSignal,
): Promise<A | undefined> {
  const pick = new PickList(look);
  return answered(pick.input, signal, (resolve) => listen(pick, resolve));
}

/**
 * Shows a list until a row with a value is accepted, or the user hides it.
 * @param valueOf returns the value of a row; `undefined` keeps the list open
 */
export function pickRow<R extends PickRow, V>(
  look: ListLook<R>,
  valueOf: (row: R) => V | undefined,
  listen: (pick: PickList<R>) => Disposable[] = () => [],
): Promise<V | undefined> {
  return showPick<R, V>(look, (pick, resolve) => [
    ...listen(pick),
    pick.onDidAccept(() => {
      const [row] = pick.selectedItems;
      const value = row && valueOf(row);
      if (value !== undefined) {
        resolve(value);
      }
    }),
  ]);
}

/**
 * Asks the user to choose a row. Returns `undefined` if canceled. Rows without a value are only information. If the
 * choices aren't known yet, the list opens empty and shows that it's busy.
 */
export async function askChoice<T>(
  choices: readonly (PickRow | Choice<T>)[] | Promise<readonly (PickRow | Choice<T>)[]>,
  options: QuickPickOptions,
): Promise<T | undefined> {
  const rows = choices instanceof Promise ? choices.then((them) => them.map(shownRow)) : choices.map(shownRow);
  const chosen = await window.showQuickPick(rows, { matchOnDescription: true, ...options, ...staysOpen });
  return chosen !== undefined && 'value' in chosen.row ? chosen.row.value : undefined;
}

interface ValueQuestion extends Omit<InputBoxOptions, 'validateInput'> {
  /** Returns a message if the text is invalid. */
  readonly validateInput?: (text: string) => string | InputBoxValidationMessage | undefined;
}

/** Asks the user for a value. Returns `undefined` if canceled. The prompt and messages are shown exactly. */
export function askValue({ prompt, validateInput, ...options }: ValueQuestion): Thenable<string | undefined> {
  return window.showInputBox({
    ...options,
    ...staysOpen,
    ...(prompt === undefined ? {} : { prompt: escapeMarkup(prompt) }),
    ...(validateInput === undefined ? {} : { validateInput: (text) => shownProblem(validateInput(text)) }),
  });
}

function shownProblem(problem: string | InputBoxValidationMessage = ''): string | InputBoxValidationMessage {
  return typeof problem === 'string' ? escapeMarkup(problem) : { ...problem, message: escapeMarkup(problem.message) };
}

/** Shows an input until the user answers or dismisses it, or the signal is aborted. */
export function answered<R>(
  input: QuickInput,
  signal: AbortSignal | undefined,
  listen: (resolve: (answer: R | undefined) => void) => Disposable[],
): Promise<R | undefined> {
  const closed = new AbortController();
  let listeners: Disposable[] = [];
  return new Promise<R | undefined>((resolve) => {
    Object.assign(input, staysOpen);
    listeners = [...listen(resolve), input.onDidHide(() => resolve(undefined))];
    signal?.addEventListener('abort', () => resolve(undefined), { once: true, signal: closed.signal });
    if (signal?.aborted === true) {
      resolve(undefined);
    } else {
      input.show();
    }
  }).finally(() => {
    closed.abort();
    Disposable.from(input, ...listeners).dispose();
  });
}

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
