import { Disposable, type InputBox, l10n, QuickInputButtons, window } from 'vscode';
import { escapeMarkup } from './escapeMarkup';
import {
  type AnswerCheck,
  AnswerChecks,
  answered,
  type Choice,
  isRow,
  type ListLook,
  type PickList,
  type PickRow,
  pressedButton,
  type QuestionButton,
  showPick,
  shownButtons,
} from './quickPick';

/** The answers so far, by the key of the question. */
export type Entered = Readonly<Record<string, string>>;

interface AnyQuestion {
  readonly key: string;
  /** Whether the number of questions depends on the answer. Then no question shows a total, which would change. */
  readonly branches?: true;
  /** How many questions there will be, if the later ones can be made only after this one is answered. */
  readonly total?: number;
}

export interface TextQuestion extends AnyQuestion {
  readonly kind?: 'text';
  /** A function if buttons change it. */
  readonly prompt: string | (() => string);
  readonly buttons?: readonly QuestionButton[];
  readonly placeholder?: string;
  readonly value?: string;
  readonly masked?: boolean;
  readonly mayBeEmpty?: boolean;
  /** Validates the text while typing. Returns a message if it's invalid. */
  readonly problem?: (text: string) => string | undefined;
  /** Checks an accepted text, for example by a request, while the question stays open. Returns a message if it's wrong. */
  readonly check?: AnswerCheck;
}

export interface ChoiceQuestion extends AnyQuestion {
  readonly kind: 'choice';
  readonly prompt: string;
  readonly choices: readonly Choice[];
  readonly value?: string;
}

/** A question with a custom input. */
export interface OwnQuestion extends AnyQuestion {
  readonly kind: 'own';
  readonly value?: string;
  readonly ask: (frame: QuestionFrame) => Promise<Step>;
}

export type Question = TextQuestion | ChoiceQuestion | OwnQuestion;

/** Where to resume: with earlier answers, at the question whose answer was wrong. */
export interface Resumption {
  readonly entered: Entered;
  readonly at?: { readonly key: string; readonly problem: string };
  /** Receives what was entered so far if the user cancels. */
  readonly onCancel?: (entered: Entered) => void;
}

/** The result of a question; `undefined` if the user cancels. */
export type Step =
  | { readonly kind: 'answer'; readonly text: string }
  | { readonly kind: 'back' }
  /** A button closed the question. What was typed is kept, even if it isn't a valid answer. */
  | { readonly kind: 'left' }
  | undefined;

/**
 * Asks the questions in order. Later ones can depend on earlier answers, and going back keeps the answers. Returns
 * `undefined` if the user cancels.
 */
export async function askInTurn(
  title: string | ((entered: Entered) => string),
  questions: readonly Question[] | ((entered: Entered) => readonly Question[]),
  { entered: before, at, onCancel }: Resumption = { entered: {} },
  signal?: AbortSignal,
): Promise<Entered | undefined> {
  const entered = new Map(Object.entries(before));
  const asked = () => (typeof questions === 'function' ? questions(Object.fromEntries(entered)) : questions);
  let problem = at?.problem;
  let step = Math.max(
    0,
    asked().findIndex(({ key }) => key === at?.key),
  );
  for (let question = asked()[step]; question !== undefined; question = asked()[step]) {
    const { key } = question;
    const value = entered.get(key) ?? question.value ?? '';
    const shown = typeof title === 'string' ? title : title(Object.fromEntries(entered));
    const heading = headingOf(shown, step, asked());
    const frame = { heading, value, problem, signal, keep: (text: string) => void entered.set(key, text) };
    const answer = await put(question, frame);
    if (answer === undefined) {
      onCancel?.(Object.fromEntries(entered));
      return undefined;
    }
    problem = undefined;
    step += answer.kind === 'back' ? -1 : 1;
  }
  const kept = asked().map(({ key }) => [key, entered.get(key) ?? ''] as const);
  return Object.fromEntries(kept);
}

/** Asks until the attempt succeeds. Its error becomes the problem of a question, unless `problemOf` throws it. */
export async function askUntilAccepted<T>(
  title: string,
  questions: () => readonly Question[],
  attempt: (entered: Entered) => Promise<T>,
  problemOf: (error: unknown, entered: Entered) => NonNullable<Resumption['at']>,
): Promise<T | undefined> {
  let resumption: Resumption = { entered: {} };
  for (;;) {
    const entered = await askInTurn(title, questions, resumption);
    if (entered === undefined) {
      return undefined;
    }
    try {
      return await attempt(entered);
    } catch (error) {
      resumption = { entered, at: problemOf(error, entered) };
    }
  }
}

/** A question's title, with its number if there are several. */
interface Heading {
  readonly title: string;
  readonly step?: number;
  readonly totalSteps?: number;
}

function headingOf(title: string, step: number, questions: readonly Question[]): Heading {
  if (questions.some(({ branches }) => branches)) {
    return { title, step: step + 1 };
  }
  const totalSteps = Math.max(questions.length, ...questions.map(({ total = 0 }) => total));
  return totalSteps === 1 ? { title } : { title, step: step + 1, totalSteps };
}

/** The Back button, on all questions except the first, and on a question that can itself go back. */
function backFrom({ heading: { step = 1 }, goesBack = step > 1 }: Pick<QuestionFrame, 'heading' | 'goesBack'>) {
  return goesBack ? [QuickInputButtons.Back] : [];
}

/** Title, initial value and error of a question. */
export interface QuestionFrame {
  readonly heading: Heading;
  /** The earlier answer or a default. */
  readonly value: string;
  readonly problem: string | undefined;
  readonly signal: AbortSignal | undefined;
  readonly goesBack?: boolean | undefined;
  readonly keep: (text: string) => void;
}

function put(question: Question, frame: QuestionFrame): Promise<Step> {
  switch (question.kind) {
    case 'choice':
      return choose(question, frame);
    case 'own':
      return question.ask(frame);
    default:
      return askText(question, frame);
  }
}

export function askText(
  question: TextQuestion,
  { heading, value, problem, signal, keep, goesBack }: QuestionFrame,
): Promise<Step> {
  const input = window.createInputBox();
  Object.assign(input, heading);
  const describe = () => {
    input.prompt = escapeMarkup(typeof question.prompt === 'string' ? question.prompt : question.prompt());
  };
  describe();
  // Once only: VS Code itself turns a button on and off, and new ones would take the focus from the one that was pressed.
  input.buttons = [...backFrom({ heading, goesBack }), ...shownButtons(question.buttons ?? [])];
  input.placeholder = question.placeholder ?? '';
  input.value = value;
  input.password = question.masked ?? false;
  input.validationMessage = escapeMarkup(problem ?? '');
  const checks = new AnswerChecks(input);
  return answered<Step>(input, signal, (resolve) => [
    new Disposable(() => checks.cancel()),
    input.onDidChangeValue((text) => {
      checks.cancel();
      keep(text);
      showProblem(input, question, text);
    }),
    input.onDidTriggerButton((pressed) => {
      const button = pressedButton(pressed);
      if (button === undefined) {
        resolve({ kind: 'back' });
      } else if (button.press() === 'leave') {
        keep(input.value);
        resolve({ kind: 'left' });
      } else {
        describe();
        // What was typed may be wrong with one option and right with another.
        input.validationMessage = escapeMarkup(input.value === '' ? '' : (question.problem?.(input.value) ?? ''));
      }
    }),
    input.onDidAccept(() => {
      const text = input.value;
      if (input.busy || showProblem(input, question, text)) {
        return;
      }
      keep(text);
      void checks.run(question.check, text).then((problem) => {
        if (problem === undefined) {
          resolve({ kind: 'answer', text });
        } else if (problem !== 'canceled') {
          input.validationMessage = escapeMarkup(problem.text);
        }
      });
    }),
  ]);
}

function choose(question: ChoiceQuestion, frame: QuestionFrame): Promise<Step> {
  const { value, problem, keep } = frame;
  const choices = question.choices.filter(isRow);
  const chosenBefore = choices.filter((choice) => choice.value === value);
  const look = {
    placeholder: problem ?? question.prompt,
    items: question.choices,
    // Without an active item, Enter would do nothing.
    activeItems: chosenBefore.length > 0 ? chosenBefore : choices.slice(0, 1),
  };
  return askByPick<Choice>(frame, look, (pick, resolve) => [
    pick.onDidAccept(() => {
      const [chosen] = pick.selectedItems;
      if (chosen !== undefined) {
        keep(chosen.value);
        resolve({ kind: 'answer', text: chosen.value });
      }
    }),
  ]);
}

/** Asks a question with a quick pick, which is closed by what `listen` resolves with. */
export function askByPick<R extends PickRow>(
  { heading, signal }: QuestionFrame,
  look: ListLook<R>,
  listen: (pick: PickList<R>, resolve: (step: Step) => void) => Disposable[],
): Promise<Step> {
  return showPick<R, Step>(
    { ...heading, buttons: backFrom({ heading }), ...look },
    (pick, resolve) => [pick.onDidTriggerButton(() => resolve({ kind: 'back' })), ...listen(pick, resolve)],
    signal,
  );
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

interface SuggestedRow extends PickRow {
  /** Missing in rows that are only information. */
  readonly value?: string;
  /** The input that the row was made for. */
  readonly text?: string;
}

/** Asks for one of the suggested values or a typed one, in the same list. What was typed survives going back. */
export function suggestionQuestion(suggestions: Suggestions): OwnQuestion {
  const { key, value } = suggestions;
  return { kind: 'own', key, ...(value === undefined ? {} : { value }), ask: (frame) => suggest(suggestions, frame) };
}

function suggest(suggestions: Suggestions, frame: QuestionFrame): Promise<Step> {
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
  return askByPick<SuggestedRow>(frame, look, (pick, resolve) => [
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

/** Enter may be pressed before the window has the rows for the last character. */
function chosenIn(pick: PickList<SuggestedRow>, suggestions: Suggestions): string | undefined {
  const [row] = pick.selectedItems;
  const text = pick.value.trim();
  return row?.value !== undefined && (row.text === undefined || row.text === text)
    ? row.value
    : rowsFor(text, suggestions).find((one) => one.text === text)?.value;
}

function rowsFor(text: string, { choices, typed }: Suggestions): readonly SuggestedRow[] {
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

function showProblem(input: InputBox, question: TextQuestion, text: string): boolean {
  const empty = text === '' && question.mayBeEmpty !== true;
  const problem = empty ? l10n.t('Enter a value, or press Escape to cancel.') : question.problem?.(text);
  input.validationMessage = escapeMarkup(problem ?? '');
  return problem !== undefined;
}
