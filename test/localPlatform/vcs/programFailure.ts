import { codes, Refusal } from '../refusal';
import type { Ending, Outcome } from './runProgram';

const words = (ending: Ending): string => {
  switch (ending.kind) {
    case 'exit':
      return `ended with ${ending.code}`;
    case 'deadline':
      return 'took too long and was ended';
    case 'stopped':
      return 'was ended with the platform';
    case 'missing':
      return 'is not installed on this machine';
  }
};

/** Converts a failed program to the platform's error. */
export const programFailure = (
  what: string,
  { ending }: Outcome,
  result: number = codes.deployFailed,
): Refusal | undefined =>
  ending.kind === 'exit' && ending.code === 0 ? undefined : new Refusal(result, `${what} ${words(ending)}`);
