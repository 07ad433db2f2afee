import { type OperationName, operationsByName } from '../../../../src/platform/contract';
import type { PlatformErrorKind } from '../../../../src/platform/errors';
import type { FaultRule } from '../../../localPlatform/faults/fault';

/** A failure that doesn't depend on the operation, of the platform or of a server in front of it. */
export interface Trouble {
  readonly name: string;
  readonly fault: FaultRule['fault'];
  readonly kind: PlatformErrorKind;
  readonly result?: number;
  /** Whether a write may still have happened. */
  readonly isOutcomeUnknown: boolean;
}

const html = { kind: 'answer', body: '<html><title>Login</title></html>', contentType: 'text/html' } as const;

/** Failures that can affect any request. */
export const troubles: readonly Trouble[] = [
  { name: 'HTML 502', fault: { kind: 'gatewayError', status: 502 }, kind: 'unreachable', isOutcomeUnknown: true },
  {
    name: '504 after',
    fault: { kind: 'gatewayError', status: 504, when: 'after' },
    kind: 'timeout',
    isOutcomeUnknown: true,
  },
  { name: 'reset', fault: { kind: 'reset' }, kind: 'unreachable', isOutcomeUnknown: true },
  { name: 'cut', fault: { kind: 'truncate', bytes: 7 }, kind: 'unreachable', isOutcomeUnknown: true },
  { name: 'HTML 200', fault: html, kind: 'protocol', isOutcomeUnknown: true },
  { name: 'empty', fault: { kind: 'answer', body: '' }, kind: 'protocol', isOutcomeUnknown: true },
  {
    name: 'nested',
    fault: { kind: 'nestedFailure', shape: 'response', result: 4099 },
    kind: 'platform',
    result: 4099,
    isOutcomeUnknown: false,
  },
  {
    name: 'node',
    fault: { kind: 'nestedFailure', shape: 'responses', result: 99, nodeId: 7 },
    kind: 'platform',
    result: 99,
    isOutcomeUnknown: false,
  },
];

const always = [3, 8, 17, 99];
const ofArea: Readonly<Record<string, readonly number[]>> = {
  authentication: [],
  vcs: [5, 4001, 4006, 4017, 4075, 4129, 4130],
  file: [5, 2002, 4033, 4035, 4036, 4037, 4075, 4076, 4102],
  control: [],
};

/** Returns the public codes that an operation can return. Codes without a scenario are simulated. */
export function codesOf(name: OperationName): readonly number[] {
  return [...always, ...(ofArea[operationsByName[name].area] ?? [])];
}
