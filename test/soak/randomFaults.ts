import type { FaultRule } from '../localPlatform/faults/fault';
import type { Faults, SetFault } from '../localPlatform/faults/faults';
import type { SeededRandom } from './seededRandom';

type Fault = FaultRule['fault'];

/** The save that the faults affect. */
export interface FaultySave {
  readonly path: string;
  readonly text: string;
  /** The node that fails in a `failNode` fault. */
  readonly failingNode: number;
}

/** The deadline in milliseconds for calls that may hit a fault. */
export const deadlineWithFaults = 1_000;

type RandomFault = (random: SeededRandom, save: FaultySave) => Fault;

const when = (random: SeededRandom) => random.pick<'before' | 'after'>(['before', 'after']);

/** Faults that any request can hit. */
const anyFaults: readonly [RandomFault, ...RandomFault[]] = [
  (random) => ({ kind: 'reset', when: when(random) }),
  (random) => ({ kind: 'gatewayError', status: random.pick([502, 504]), when: when(random) }),
  (random) => ({ kind: 'truncate', bytes: random.below(40) }),
  () => ({ kind: 'textResult' }),
  (random) => ({
    kind: 'delay',
    milliseconds: random.pick([5, 20, 60, deadlineWithFaults * 1.2]),
    when: when(random),
  }),
  (random) => ({ kind: 'refuse', result: random.pick([4035, 99, 17]), error: 'no', when: when(random) }),
  // The platform checks rights before it does anything.
  (random) => ({ kind: 'refuse', result: random.pick([702, 8202, 4037, 8]), error: 'no', when: 'before' }),
  (random) => ({ kind: 'nestedFailure', shape: random.pick(['response', 'responses']), when: when(random) }),
  (random) => ({ kind: 'answer', body: random.pick(['', '{}', '{"result":0}', '<html>', '[]']), when: when(random) }),
  (_, { failingNode }) => ({ kind: 'failNode', nodeId: failingNode }),
];
/** Faults that a write can hit. */
const writeFaults: readonly [RandomFault, ...RandomFault[]] = [
  ...anyFaults,
  (random) => ({ kind: 'hang', when: when(random) }),
  (random, { text }) => ({
    kind: 'wrongText',
    text: random.pick(['', text.slice(0, -1), `${text}!`, text.toUpperCase()]),
  }),
  (random) => ({ kind: 'diskFull', leaves: random.pick(['untouched', 'empty', 'partial']) }),
];

/** Adds up to three random faults that this save may hit. */
export function addRandomFaults(random: SeededRandom, faults: Faults, save: FaultySave): readonly SetFault[] {
  const folder = save.path.slice(0, save.path.lastIndexOf('/'));
  return Array.from({ length: random.below(4) }, () => {
    const operation = random.pick(['Read', 'GetList', 'Write', 'Write']);
    const randomFault = random.pick(operation === 'Write' ? writeFaults : anyFaults);
    return faults.add({
      operation,
      parameters: { path: operation === 'GetList' ? folder : save.path },
      nth: operation === 'Write' ? 1 : 1 + random.below(4),
      times: random.chance(0.2) ? 'always' : 1 + random.below(3),
      fault: randomFault(random, save),
    });
  });
}

/** Removes the faults and releases the requests that they still hold. */
export function removeFaults(faults: readonly SetFault[]): void {
  for (const fault of faults) {
    fault.release();
    fault.remove();
  }
}
