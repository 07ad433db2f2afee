import assert from 'node:assert/strict';
import {
  commands,
  EventEmitter,
  type InputBox,
  type QuickPick,
  type QuickPickItem,
  type QuickPickItemButtonEvent,
  QuickPickItemKind,
  type QuickPickOptions,
  type Uri,
  window,
} from 'vscode';
import { untilTrue } from './untilTrue';

/** Closes a question without an answer. */
export const escape = Symbol('Escape');

/** Accepts what a question has in focus. */
export const enter = Symbol('Enter');

/** How a user answers a question: types text, picks the row that contains it, or clicks a button. */
export type Answer =
  | string
  /** Several rows are ticked. */
  | readonly string[]
  /** Types first, and picks among what comes of it. */
  | { readonly typed: string; readonly pick: string }
  /** The button of a row. */
  | { readonly row: string; readonly button: string }
  /** Files or folders of this computer. */
  | { readonly files: readonly Uri[] }
  /**
   * A button, pressed at once or later, or a row that is picked later. A message that isn't modal is let pass if the next
   * answer isn't one of its buttons.
   */
  | { readonly presses: string; readonly when?: Promise<unknown> }
  /** Depends on the rows that are offered. */
  | ((rows: readonly string[]) => Answer)
  | typeof escape
  | typeof enter;

/** Types an answer, and picks the row that is made for it. */
export const typed = (text: string, pick = text) => ({ typed: text, pick });

/**
 * Answers whatever is asked, if that can't be known. `undefined` lets a message pass that isn't modal.
 * @param buttons those of a message
 */
export type AnswerRule = (question: string, buttons: readonly string[]) => Answer | undefined;

/** A row that a question offered, or the text of a message. */
export type Seen = string;

type Window = typeof window;
/** The functions that show questions. In the extension host, the extension and its tests share this object. */
type Asking = Pick<
  Window,
  | 'createInputBox'
  | 'createQuickPick'
  | 'showInputBox'
  | 'showQuickPick'
  | 'showInformationMessage'
  | 'showWarningMessage'
  | 'showErrorMessage'
  | 'showOpenDialog'
>;

/**
 * Answers the questions that VS Code really shows, as a user with a keyboard would. Only modal questions and file
 * dialogs are answered without showing them, because VS Code opens none during tests.
 */
export class Person {
  private readonly answers: Answer[] = [];
  readonly seen: Seen[] = [];
  private readonly saw = new EventEmitter<void>();
  private readonly rowButtons = new WeakMap<object, EventEmitter<QuickPickItemButtonEvent<QuickPickItem>>>();
  readonly onDidSee = this.saw.event;
  /** What is replaced while they are there. */
  private usual: Asking | undefined;
  private rule: AnswerRule = () => undefined;
  private stumble: (error: unknown) => void = () => undefined;

  /** @param comes whether they are there at once, or as soon as they have to answer */
  constructor({ comes = 'atOnce' }: { readonly comes?: 'atOnce' | 'toAnswer' } = {}) {
    if (comes === 'atOnce') this.enter();
  }

  /** Is there from now on, and has seen nothing yet. */
  enter(): void {
    this.seen.splice(0);
    if (this.usual) return;
    const { createInputBox, createQuickPick, showInputBox, showQuickPick } = window;
    const { showInformationMessage, showWarningMessage, showErrorMessage, showOpenDialog } = window;
    const usual = {
      createInputBox,
      createQuickPick,
      showInputBox,
      showQuickPick,
      showInformationMessage,
      showWarningMessage,
      showErrorMessage,
      showOpenDialog,
    };
    this.usual = usual;
    const telling = (message: string, ...rest: readonly unknown[]) => Promise.resolve(this.told(message, rest));
    Object.assign(window, {
      createInputBox: () => this.atInput(usual.createInputBox()),
      createQuickPick: () => this.atPick(usual.createQuickPick()),
      showInputBox: (...[options]: Parameters<Window['showInputBox']>) => {
        const value = textOf(this.next(options?.prompt ?? options?.title ?? ''));
        return accepted(usual.showInputBox({ ...options, value }));
      },
      showQuickPick: async (
        listed: readonly QuickPickItem[] | Promise<readonly QuickPickItem[]>,
        { placeHolder: placeholder = '', ...options }: QuickPickOptions = {},
      ) => {
        const items = await listed;
        const pick = this.atPick(usual.createQuickPick());
        return new Promise((resolve) => {
          Object.assign(pick, { ...options, items, placeholder });
          pick.onDidAccept(() => {
            resolve(pick.selectedItems[0]);
            pick.dispose();
          });
          pick.onDidHide(() => resolve(undefined));
          pick.show();
        });
      },
      showInformationMessage: telling,
      showWarningMessage: telling,
      showErrorMessage: telling,
      showOpenDialog: () => {
        const answer = this.next('which files');
        return Promise.resolve(typeof answer === 'object' && 'files' in answer ? answer.files : undefined);
      },
    });
  }

  /** Answers the questions during the work in order. Each answer must be used. */
  async answering<T>(answers: readonly Answer[], work: () => Thenable<T>): Promise<T> {
    this.enter();
    this.answers.splice(0, Infinity, ...answers);
    this.seen.splice(0);
    const stumbled = new Promise<never>((_, reject) => {
      this.stumble = reject;
    });
    const outcome = await Promise.race([work(), stumbled]);
    assert.deepEqual(this.answers, [], `not asked; told: ${this.seen.join(' | ')}`);
    return outcome;
  }

  /** Answers each question during the work by a rule. */
  async answeringBy<T>(rule: AnswerRule, work: () => Thenable<T>): Promise<T> {
    this.rule = rule;
    try {
      return await this.answering([], work);
    } finally {
      this.rule = () => undefined;
    }
  }

  leave(): void {
    Object.assign(window, this.usual);
    this.usual = undefined;
  }

  private see(...told: readonly Seen[]): void {
    this.seen.push(...told);
    this.saw.fire();
  }

  private next(question: string, buttons: readonly string[] = []): Answer {
    this.see(question);
    const answer = this.answers.shift() ?? this.rule(question, buttons);
    if (answer === undefined) {
      const error = new Error(`nobody answers “${question}”; told: ${this.seen.join(' | ')}`);
      this.stumble(error);
      throw error;
    }
    return answer;
  }

  /** Records a message without buttons, and continues. */
  private told(message: string, rest: readonly unknown[]): unknown {
    this.see(message);
    const [options, ...buttons] = rest;
    if (typeof options !== 'object' || options === null || !('modal' in options)) return this.pressed(message, rest);
    if ('detail' in options) this.see(String(options.detail));
    const answer = this.next(message, buttons.map(titleOf));
    if (answer === escape) return undefined;
    const later = typeof answer === 'object' && 'presses' in answer ? answer : undefined;
    const presses = later?.presses ?? answer;
    const pressed = buttons.find((button) => button === presses || titleOf(button) === presses);
    assert.ok(pressed !== undefined, `“${textOf(presses)}” is among ${buttons.map(titleOf).join(', ')}`);
    return later?.when === undefined ? pressed : later.when.then(() => pressed);
  }

  private pressed(message: string, buttons: readonly unknown[]): unknown {
    const titles = buttons.map(titleOf);
    const [answer = this.rule(message, titles)] = this.answers;
    if (typeof answer !== 'object' || !('presses' in answer) || !buttons.includes(answer.presses)) return undefined;
    this.next(message, titles);
    return answer.when === undefined ? answer.presses : answer.when.then(() => answer.presses);
  }

  private atInput(input: InputBox): InputBox {
    const show = input.show.bind(input);
    return Object.assign(input, {
      show: () => {
        const answer = this.next(input.prompt ?? input.title ?? '');
        show();
        if (answer === escape) {
          input.hide();
          return;
        }
        input.value = textOf(answer);
        accept().then(undefined, this.stumble);
      },
    });
  }

  private atPick(pick: QuickPick<QuickPickItem>): QuickPick<QuickPickItem> {
    const show = pick.show.bind(pick);
    const pressed = new EventEmitter<QuickPickItemButtonEvent<QuickPickItem>>();
    this.rowButtons.set(pick, pressed);
    return Object.assign(pick, {
      onDidTriggerItemButton: pressed.event,
      show: () => {
        const answer = this.next(pick.placeholder ?? pick.title ?? '');
        show();
        this.choose(pick, answer).catch(this.stumble);
      },
    });
  }

  private async choose(pick: QuickPick<QuickPickItem>, answer: Answer): Promise<void> {
    if (answer === escape) {
      this.see(
        ...pick.items.map(({ label, description = '', detail = '' }) => `${label}: ${description} ${detail}`.trim()),
      );
      pick.hide();
      return;
    }
    if (answer === enter) {
      await nextTimerTick();
      await accept();
      return;
    }
    if (typeof answer === 'function') {
      await this.choose(pick, answer(pick.items.map(({ label, description = '' }) => `${label} ${description}`)));
      return;
    }
    if (typeof answer === 'object' && 'typed' in answer) {
      const before = pick.items;
      pick.value = answer.typed;
      await untilTrue(
        () =>
          pick.items !== before &&
          !pick.busy &&
          pick.value === answer.typed &&
          pick.items.some((item) => holds(item, answer.pick)),
        () => `the row that a question waits for is not among ${rowsOf(pick)}`,
      );
      await this.choose(pick, answer.pick);
      return;
    }
    if (typeof answer === 'object' && 'button' in answer) {
      const item = pick.items.find((one) => holds(one, answer.row));
      const button = item?.buttons?.find(({ tooltip }) => tooltip === answer.button);
      assert.ok(item && button, `a row with “${answer.row}” and “${answer.button}” is among ${rowsOf(pick)}`);
      this.rowButtons.get(pick)?.fire({ item, button });
      return;
    }
    if (typeof answer === 'object' && 'presses' in answer && answer.when !== undefined) {
      await answer.when;
      await this.choose(pick, answer.presses);
      return;
    }
    const wanted = typeof answer === 'string' ? [answer] : 'files' in answer || 'presses' in answer ? [] : answer;
    const isOffered = (words: string) => pick.items.some((item) => holds(item, words));
    await untilTrue(
      () => wanted.every(isOffered),
      () => `the row that a question waits for is not among ${rowsOf(pick)}`,
    );
    const rows = wanted.flatMap((words) => pick.items.find((item) => holds(item, words)) ?? []);
    if (pick.canSelectMany) pick.selectedItems = rows;
    else pick.activeItems = rows;
    await nextTimerTick();
    await accept();
  }
}

function holds({ label, description = '', kind }: QuickPickItem, words: string): boolean {
  return kind !== QuickPickItemKind.Separator && `${label} ${description}`.includes(words);
}

/** Returns the title of a message button. */
function titleOf(button: unknown): string {
  return typeof button === 'object' && button !== null && 'title' in button ? String(button.title) : String(button);
}

function textOf(answer: Answer): string {
  assert.ok(typeof answer === 'string', 'a text or a button is the answer');
  return answer;
}

/** Waits until changes to a visible question reach the window, which takes a timer tick. */
export function nextTimerTick(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}

/** Presses Enter in the open question. */
export function accept(): Thenable<unknown> {
  return commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
}

async function accepted<T>(shown: Thenable<T>): Promise<T> {
  await accept();
  return shown;
}

function rowsOf({ items }: QuickPick<QuickPickItem>): string {
  return items.map(({ label, description = '' }) => `${label} ${description}`).join();
}
