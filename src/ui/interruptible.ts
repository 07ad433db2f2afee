import { createContext, Script } from 'node:vm';
import { ExpectedError } from './expectedError';

/** The work took longer than its deadline, and was stopped. Only expressions that aren't ours get one. */
export class DeadlineExceeded extends ExpectedError {
  override readonly name = 'DeadlineExceeded';

  constructor() {
    super('The regular expression takes too long.');
  }
}

const holder: { work: () => void } = { work: () => undefined };
const context = createContext(holder);
const script = new Script('work()');

/**
 * Runs the work, and stops it at the deadline, even in the middle of a regular expression. Nothing else can stop one:
 * some need hours for a single line, and the extension host is blocked meanwhile.
 */
export function runWithin<T>(milliseconds: number, work: () => T): T {
  const done: { result?: { readonly value: T } } = {};
  holder.work = () => {
    done.result = { value: work() };
  };
  try {
    script.runInContext(context, { timeout: milliseconds });
  } catch (error) {
    throw hasCode(error, 'ERR_SCRIPT_EXECUTION_TIMEOUT') ? new DeadlineExceeded() : error;
  } finally {
    holder.work = () => undefined;
  }
  if (done.result === undefined) {
    throw new DeadlineExceeded();
  }
  return done.result.value;
}

/** The error comes from another context, so it isn't an `Error` of this one. */
function hasCode(error: unknown, code: string): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === code;
}
