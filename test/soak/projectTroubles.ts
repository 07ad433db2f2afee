import fc from 'fast-check';
import type { FaultRule } from '../localPlatform/faults/fault';
import type { ProjectUnderTest } from './projectUnderTest';

/** What goes wrong during a step, or what someone else does in the middle of it. */
export type Trouble =
  /** A response is lost, before the platform does anything or after it did it. */
  | { readonly what: 'lost'; readonly operation: 'Update' | 'EditProject'; readonly when: 'before' | 'after' }
  /** Every operation on a node fails. */
  | { readonly what: 'unreachable'; readonly node: number }
  | {
      readonly what: 'someone';
      readonly does: 'updates' | 'pushes' | 'switches';
      readonly branch: string;
      /** While Gantry asks, or once its Update is on its way. */
      readonly when: 'asked' | 'sent';
    };

const one = <T>(value: T) => fc.constant(value);

export const trouble: fc.Arbitrary<Trouble | undefined> = fc.oneof(
  { weight: 5, arbitrary: one(undefined) },
  {
    weight: 2,
    arbitrary: fc.record({
      what: one('lost' as const),
      operation: fc.constantFrom('Update' as const, 'EditProject' as const),
      when: fc.constantFrom('before' as const, 'after' as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ what: one('unreachable' as const), node: fc.nat(1) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      what: one('someone' as const),
      does: fc.constantFrom('updates' as const, 'pushes' as const, 'switches' as const),
      branch: fc.constantFrom('master', 'next'),
      when: fc.constantFrom('asked' as const, 'sent' as const),
    }),
  },
);

const shownErrors = ['PlatformError', 'RedeployRefused', 'ResultNotRecorded', 'ExpectedError'];

/** Does work in spite of trouble. Only trouble may make it fail, and only with an error that Gantry shows. */
export async function withTrouble(
  found: Trouble | undefined,
  at: ProjectUnderTest,
  work: () => Promise<void>,
): Promise<void> {
  if (found === undefined) {
    return work();
  }
  const { faults } = at.setUp.platform;
  if (found.what === 'someone') {
    const act = async () => {
      await actAsSomeone(found, at);
      at.between = await at.states();
    };
    if (found.when === 'asked') {
      at.meanwhile = act;
      return work();
    }
    const fault = faults.add({ operation: 'Update', fault: { kind: 'hang' } });
    const acted = fault.reached.then(act).finally(() => fault.release());
    try {
      await work();
    } finally {
      fault.remove();
    }
    return fault.hits > 0 ? acted : undefined;
  }
  const fault = faults.add(faultOf(found, at));
  try {
    await work();
  } catch (error) {
    // The extension has other classes than the bundle of this test.
    if (!(error instanceof Error) || !shownErrors.includes(error.name)) {
      throw error;
    }
  } finally {
    fault.remove();
  }
}

function faultOf(found: Exclude<Trouble, { what: 'someone' }>, at: ProjectUnderTest): FaultRule {
  return found.what === 'lost'
    ? { operation: found.operation, fault: { kind: 'reset', when: found.when } }
    : { operation: '*', times: 'always', fault: { kind: 'failNode', nodeId: at.nodeId(found.node % at.nodeCount) } };
}

async function actAsSomeone(
  { does, branch }: Extract<Trouble, { what: 'someone' }>,
  at: ProjectUnderTest,
): Promise<void> {
  if (does === 'pushes') {
    return at.push(branch, 'about.php', false);
  }
  if (does === 'switches') {
    await at.editAsSomeone({ branch, autoResolveConflict: true, repoHash: '' });
  }
  return at.updateAsSomeone();
}
