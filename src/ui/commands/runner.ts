import { l10n } from 'vscode';
import type { EnvironmentPlace } from '../../containers/place';
import type { TitlesOfEnvironments } from '../../containers/protectedEnvironments';
import { type ChangeQuestion, confirmChange, confirmInProduction } from './protectedPrompt';
import { checkEach, reportFailures, runEach, succeeded } from '../batchOutcomes';
import { confirm, showInformationMessage } from '../notifications';
import { withDetachableProgress } from '../progress';
import { showStatusMessage } from '../statusBar';

interface ChangeInEnvironments extends ChangeQuestion {
  readonly when: 'always' | 'inProduction';
  readonly places: readonly EnvironmentPlace[];
  readonly titles: TitlesOfEnvironments;
}

/** Nothing in an environment changes, or nothing that production asks about. */
interface OtherChange extends ChangeQuestion {
  readonly when: 'always';
  readonly places?: undefined;
}

/** A question before a change. If one of the places is in production, it says so. */
export type ChangeConfirmation = ChangeInEnvironments | OtherChange;

/** What is said once it's done: in the status bar, or in a message that offers to undo it. */
type Said =
  | { readonly icon: string; readonly status: string }
  | {
      readonly information: string;
      /** Must not reject, because nothing waits for it. */
      readonly undo: () => Promise<unknown>;
    };

interface Doing<T, A, R> {
  /** Throws if it's known that it can't be done, before anything is asked. */
  readonly needs?: (target: T) => void;
  readonly confirm?: (target: T, answers: A) => ChangeConfirmation | undefined;
  /** A present participle and an object. Cancel only stops waiting. */
  readonly progress?: (target: T, answers: A) => string;
  readonly run: (target: T, answers: A) => PromiseLike<R> | R;
  /** Returns what is said, or shows it without progress, which is waited for. */
  readonly done?: (result: R, target: T, answers: A) => Said | Promise<unknown> | undefined;
}

interface Asking<T, A, R> extends Doing<T, A, R> {
  /** Returns `undefined` if canceled. */
  readonly ask: (target: T) => Promise<A | undefined>;
}

interface NotAsking<T, R> extends Doing<T, undefined, R> {
  readonly ask?: undefined;
}

/** Does one thing with its rituals, in this order. Returns whether it was done, which isn't so if a question is canceled. */
export function step<T, A, R>(parts: Asking<T, A, R>): (target: T) => Promise<boolean>;
export function step<T, R>(parts: NotAsking<T, R>): (target: T) => Promise<boolean>;
export function step<T, A, R>(parts: Asking<T, A, R> | NotAsking<T, R>): (target: T) => Promise<boolean> {
  return async (target) => {
    parts.needs?.(target);
    if (parts.ask === undefined) {
      return doIt(parts, target, undefined);
    }
    const answers = await parts.ask(target);
    return answers !== undefined && doIt(parts, target, answers);
  };
}

async function doIt<T, A, R>(
  { confirm: question, progress, run, done }: Doing<T, A, R>,
  target: T,
  answers: A,
): Promise<boolean> {
  if (!(await isAgreed(question?.(target, answers)))) {
    return false;
  }
  const work = async () => run(target, answers);
  const title = progress?.(target, answers);
  const result = await (title === undefined ? work() : withDetachableProgress(title, work));
  const said = done?.(result, target, answers);
  if (said instanceof Promise) {
    await said;
  } else {
    say(said);
  }
  return true;
}

interface Batch<T> {
  readonly needs?: (one: T) => void;
  readonly confirm?: (all: readonly T[]) => ChangeConfirmation | undefined;
  readonly run: (one: T) => Promise<void>;
  /** Isn't called if all failed. */
  readonly done?: (succeeded: readonly [T, ...T[]]) => Said | undefined;
  readonly nameOf: (one: T) => string;
  readonly failed: (failed: number, all: number) => string;
}

/**
 * Does the same with each of several things, with one question and one report. Does nothing with none. Returns whether it
 * was done, which isn't so if the question is canceled. If the work is canceled, it rejects after the report of what was
 * done before.
 */
export function batch<T>({ needs = () => undefined, confirm: question, run, done, nameOf, failed }: Batch<T>) {
  return async (targets: readonly T[]): Promise<boolean> => {
    const { passed, refused } = checkEach(targets, needs);
    if (passed.length > 0 && !(await isAgreed(question?.(passed)))) {
      return false;
    }
    const { outcomes: ran, canceled } = await runEach(passed, run);
    const outcomes = [...refused, ...ran];
    const [first, ...others] = succeeded(outcomes);
    if (first !== undefined) {
      say(done?.([first, ...others]));
    }
    await reportFailures(outcomes, nameOf, failed);
    if (canceled !== undefined) {
      throw canceled;
    }
    return true;
  };
}

async function isAgreed(asked: ChangeConfirmation | undefined): Promise<boolean> {
  if (asked === undefined) {
    return true;
  }
  if (asked.places === undefined) {
    return confirm(asked.question, asked.paragraphs, asked.button, asked.others);
  }
  const ask = asked.when === 'always' ? confirmChange : confirmInProduction;
  return ask(asked.places, asked.titles, asked);
}

const shownForMs = 5_000;

function say(said: Said | undefined): void {
  if (said === undefined) {
    return;
  }
  if ('status' in said) {
    showStatusMessage(said.icon, said.status, shownForMs);
    return;
  }
  const undo = l10n.t('Undo');
  // The command has ended. The message may stay open for hours.
  void showInformationMessage(said.information, undo).then((chosen) => (chosen === undo ? said.undo() : undefined));
}
