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
  ThemeIcon,
  window,
} from 'vscode';
import { escapeMarkup, withIcon } from './escapeMarkup';
import { failureText } from './failureMessages';

/** A row of a list. Its texts are shown exactly, because names and the platform's words are among them. */
export interface PickRow extends QuickPickItem {
  /** The name of an icon before the label. */
  readonly icon?: string;
}

/** Whether it can be chosen. A separator can't. */
export function isRow({ kind }: QuickPickItem): boolean {
  return kind !== QuickPickItemKind.Separator;
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

/** A button in a question's title, or in its input where VS Code can show it there. */
export interface QuestionButton {
  readonly icon: string;
  readonly tooltip: string;
  /** For a button that turns something on and off. */
  readonly isOn?: () => boolean;
  /** @returns `leave` to close the question */
  readonly press: () => 'stay' | 'leave';
}

/** A button as newer versions of VS Code show it. Older ones ignore what they don't know. */
interface ShownButton extends QuickInputButton {
  readonly toggle?: { readonly checked: boolean };
  readonly button: QuestionButton;
}

export function shownButtons(buttons: readonly QuestionButton[]): readonly ShownButton[] {
  return buttons.map((button) => {
    const { icon, tooltip, isOn } = button;
    const toggle = isOn === undefined ? {} : { toggle: { checked: isOn() } };
    return { iconPath: new ThemeIcon(icon), tooltip, button, ...toggle };
  });
}

/** Returns the button that was pressed, or `undefined` for another, such as Back. */
export function pressedButton(pressed: QuickInputButton): QuestionButton | undefined {
  return isShown(pressed) ? pressed.button : undefined;
}

function isShown(pressed: QuickInputButton): pressed is ShownButton {
  return 'button' in pressed;
}

/** Checks an answer, for example by a request. Returns a message if it's wrong. */
export type AnswerCheck = (text: string, signal: AbortSignal) => Promise<string | undefined>;

/** Runs the check of an accepted answer while its question stays open. A changed answer cancels it. */
export class AnswerChecks {
  private running = new AbortController();

  constructor(private readonly input: QuickInput) {}

  async run(check: AnswerCheck | undefined, text: string): Promise<{ readonly text: string } | 'canceled' | undefined> {
    if (check === undefined) {
      return undefined;
    }
    const { signal } = (this.running = new AbortController());
    this.input.busy = true;
    const problem = await check(text, signal).catch((error: unknown) => failureText(error));
    if (signal.aborted) {
      return 'canceled';
    }
    this.input.busy = false;
    return problem === undefined ? undefined : { text: problem };
  }

  cancel(): void {
    this.running.abort();
    this.input.busy = false;
  }
}
