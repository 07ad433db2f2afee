import { Disposable, type InputBox, l10n, QuickInputButtons, window } from 'vscode';

/** One question of a series: the answer, a step back, or `undefined` when the person gave up. */
export type Answer = { readonly kind: 'answer'; readonly text: string } | { readonly kind: 'back' } | undefined;

export interface Question {
  readonly key: string;
  readonly prompt: string;
  readonly placeholder?: string;
  readonly value?: string;
  readonly masked?: boolean;
  /** A sentence that says what is wrong with the text, while it is typed. */
  readonly problem?: (text: string) => string | undefined;
}

/** Asks the questions one after another; a step back keeps what was entered. `undefined` when the person gave up. */
export async function askInTurn(
  title: string,
  questions: readonly Question[],
): Promise<Readonly<Record<string, string>> | undefined> {
  const entered = new Map<string, string>();
  for (let step = 0; step < questions.length;) {
    const question = questions[step];
    if (question === undefined) {
      break;
    }
    const value = entered.get(question.key) ?? question.value ?? '';
    const answer = await ask({ ...question, value }, { title, step: step + 1, totalSteps: questions.length }, (text) =>
      entered.set(question.key, text),
    );
    if (answer === undefined) {
      return undefined;
    }
    step += answer.kind === 'back' ? -1 : 1;
  }
  return Object.fromEntries(entered);
}

interface Heading {
  readonly title: string;
  readonly step: number;
  readonly totalSteps: number;
}

function ask(question: Question, heading: Heading, keep: (text: string) => void): Promise<Answer> {
  const input = window.createInputBox();
  const listeners: Disposable[] = [];
  return new Promise<Answer>((resolve) => {
    Object.assign(input, heading);
    input.prompt = question.prompt;
    input.placeholder = question.placeholder ?? '';
    input.value = question.value ?? '';
    input.password = question.masked ?? false;
    input.ignoreFocusOut = true;
    input.buttons = heading.step > 1 ? [QuickInputButtons.Back] : [];
    listeners.push(
      input.onDidChangeValue((text) => {
        keep(text);
        showProblem(input, question, text);
      }),
      input.onDidTriggerButton(() => resolve({ kind: 'back' })),
      input.onDidHide(() => resolve(undefined)),
      input.onDidAccept(() => {
        if (showProblem(input, question, input.value)) {
          return;
        }
        keep(input.value);
        resolve({ kind: 'answer', text: input.value });
      }),
    );
    input.show();
  }).finally(() => {
    Disposable.from(input, ...listeners).dispose();
  });
}

function showProblem(input: InputBox, question: Question, text: string): boolean {
  const problem = text === '' ? l10n.t('Enter a value, or press Escape to stop.') : question.problem?.(text);
  input.validationMessage = problem ?? '';
  return problem !== undefined;
}
