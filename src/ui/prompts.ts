import {
  Disposable,
  type InputBox,
  l10n,
  type QuickInput,
  QuickInputButtons,
  type QuickPickItem,
  QuickPickItemKind,
  window,
} from 'vscode';

/** What a person has entered so far, by the key of the question. */
export type Entered = Readonly<Record<string, string>>;

export interface TextQuestion {
  readonly kind?: 'text';
  readonly key: string;
  readonly prompt: string;
  readonly placeholder?: string;
  readonly value?: string;
  readonly masked?: boolean;
  readonly mayBeEmpty?: boolean;
  /** A sentence that says what is wrong with the text, while it is typed. */
  readonly problem?: (text: string) => string | undefined;
}

export interface Choice extends QuickPickItem {
  /** What is entered by choosing it. */
  readonly value: string;
}

export interface ChoiceQuestion {
  readonly kind: 'choice';
  readonly key: string;
  readonly prompt: string;
  readonly choices: readonly Choice[];
  readonly value?: string;
}

/** A question with an input of its own. */
export interface OwnQuestion {
  readonly kind: 'own';
  readonly key: string;
  readonly value?: string;
  readonly ask: (frame: QuestionFrame) => Promise<Step>;
}

export type Question = TextQuestion | ChoiceQuestion | OwnQuestion;

/** Where to begin: with what was entered before, at a question whose answer turned out to be wrong. */
export interface Resumption {
  readonly entered: Entered;
  readonly at?: { readonly key: string; readonly problem: string };
}

/** What came of asking; `undefined` when the person gave up. */
export type Step = { readonly kind: 'answer'; readonly text: string } | { readonly kind: 'back' } | undefined;

/**
 * Asks the questions one after another; what is asked next may depend on what was entered. A step back keeps what was
 * entered. `undefined` when the person gave up.
 */
export async function askInTurn(
  title: string,
  questions: readonly Question[] | ((entered: Entered) => readonly Question[]),
  { entered: before, at }: Resumption = { entered: {} },
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
    const heading = headingOf(title, step, asked().length);
    const frame = { heading, value, problem, signal, keep: (text: string) => void entered.set(key, text) };
    const answer = await put(question, frame);
    if (answer === undefined) {
      return undefined;
    }
    problem = undefined;
    step += answer.kind === 'back' ? -1 : 1;
  }
  const kept = asked().map(({ key }) => [key, entered.get(key) ?? ''] as const);
  return Object.fromEntries(kept);
}

/** What stands above a question: its number where there are several. */
export interface Heading {
  readonly title: string;
  readonly step?: number;
  readonly totalSteps?: number;
}

function headingOf(title: string, step: number, totalSteps: number): Heading {
  return totalSteps === 1 ? { title } : { title, step: step + 1, totalSteps };
}

/** The way back, from all questions but the first. */
export function backFrom({ step = 1 }: Heading) {
  return step > 1 ? [QuickInputButtons.Back] : [];
}

/** What a question is asked with. */
export interface QuestionFrame {
  readonly heading: Heading;
  /** What was entered before, or is proposed. */
  readonly value: string;
  readonly problem: string | undefined;
  readonly signal: AbortSignal | undefined;
  readonly keep: (text: string) => void;
}

function put(question: Question, frame: QuestionFrame): Promise<Step> {
  switch (question.kind) {
    case 'choice':
      return choose(question, frame);
    case 'own':
      return question.ask(frame);
    default:
      return ask(question, frame);
  }
}

function ask(question: TextQuestion, { heading, value, problem, signal, keep }: QuestionFrame): Promise<Step> {
  const input = window.createInputBox();
  Object.assign(input, heading);
  input.prompt = question.prompt;
  input.placeholder = question.placeholder ?? '';
  input.value = value;
  input.password = question.masked ?? false;
  input.validationMessage = problem ?? '';
  input.buttons = backFrom(heading);
  return answered(input, signal, (resolve) => [
    input.onDidChangeValue((text) => {
      keep(text);
      showProblem(input, question, text);
    }),
    input.onDidTriggerButton(() => resolve({ kind: 'back' })),
    input.onDidAccept(() => {
      if (!showProblem(input, question, input.value)) {
        keep(input.value);
        resolve({ kind: 'answer', text: input.value });
      }
    }),
  ]);
}

function choose(question: ChoiceQuestion, { heading, value, problem, signal, keep }: QuestionFrame): Promise<Step> {
  const pick = window.createQuickPick<Choice>();
  Object.assign(pick, heading);
  pick.placeholder = problem ?? question.prompt;
  pick.matchOnDescription = true;
  pick.items = question.choices;
  const choices = question.choices.filter(({ kind }) => kind !== QuickPickItemKind.Separator);
  const chosenBefore = choices.filter((choice) => choice.value === value);
  // With nothing active, Enter would do nothing.
  pick.activeItems = chosenBefore.length > 0 ? chosenBefore : choices.slice(0, 1);
  pick.buttons = backFrom(heading);
  return answered(pick, signal, (resolve) => [
    pick.onDidTriggerButton(() => resolve({ kind: 'back' })),
    pick.onDidAccept(() => {
      const [chosen] = pick.selectedItems;
      if (chosen !== undefined) {
        keep(chosen.value);
        resolve({ kind: 'answer', text: chosen.value });
      }
    }),
  ]);
}

/** Shows an input until it is answered, hidden by the person, or settled otherwise. */
export function answered(
  input: QuickInput,
  signal: AbortSignal | undefined,
  listen: (resolve: (step: Step) => void) => Disposable[],
): Promise<Step> {
  const gaveUp = new AbortController();
  let listeners: Disposable[] = [];
  return new Promise<Step>((resolve) => {
    input.ignoreFocusOut = true;
    listeners = [...listen(resolve), input.onDidHide(() => resolve(undefined))];
    signal?.addEventListener('abort', () => resolve(undefined), { once: true, signal: gaveUp.signal });
    if (signal?.aborted === true) {
      resolve(undefined);
    } else {
      input.show();
    }
  }).finally(() => {
    gaveUp.abort();
    Disposable.from(input, ...listeners).dispose();
  });
}

function showProblem(input: InputBox, question: TextQuestion, text: string): boolean {
  const empty = text === '' && question.mayBeEmpty !== true;
  const problem = empty ? l10n.t('Enter a value, or press Escape to stop.') : question.problem?.(text);
  input.validationMessage = problem ?? '';
  return problem !== undefined;
}
