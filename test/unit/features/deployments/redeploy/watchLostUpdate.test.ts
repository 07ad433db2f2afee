import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import {
  watchLostUpdate,
  type NodeCheck,
  type PollInterval,
} from '../../../../../src/features/deployments/redeploy/watchLostUpdate';

const look = (given: Partial<NodeCheck> = {}): NodeCheck => ({
  projectLog: 'old',
  logLengths: [10],
  commits: ['a'],
  ...given,
});
const before = { commits: ['a'], projectLog: 'old' };

describe('a deployment whose response was lost', () => {
  let clock: number;
  let pace: PollInterval;
  const never = new AbortController().signal;

  beforeEach(() => {
    clock = 0;
    pace = {
      pauses: [1, 2, 4],
      limit: 1000,
      stableChecks: { withLog: 2, withoutLog: 4 },
      now: () => clock,
      wait: (milliseconds) => {
        clock += milliseconds;
        return Promise.resolve();
      },
    };
  });

  const looks = (...seen: readonly (NodeCheck | undefined)[]) => {
    const asked = { count: 0 };
    return {
      asked,
      next: () => Promise.resolve(seen[Math.min(asked.count++, seen.length - 1)]),
    };
  };

  it("has ended when the project's log is a different one and stops growing", async () => {
    const { next, asked } = looks(look(), look({ projectLog: 'ne' }), look({ projectLog: 'new' }));
    assert.equal(await watchLostUpdate(next, before, pace, never), true);
    assert.equal(asked.count, 4);
  });

  it("has ended when every node's log grew and stops growing", async () => {
    const { next } = looks(look({ projectLog: undefined }), look({ projectLog: undefined, logLengths: [20] }));
    assert.equal(await watchLostUpdate(next, { commits: ['a'] }, pace, never), true);
  });

  it('has ended when a log that was missing before stops growing', async () => {
    const first = looks(look({ projectLog: undefined, logLengths: [20] })).next;
    assert.equal(await watchLostUpdate(first, { commits: ['a'], logLengths: [0] }, pace, never), true);
  });

  it("hasn't ended only because a log can be listed that couldn't be before", async () => {
    const listed = looks(look({ projectLog: undefined }), look({ projectLog: undefined })).next;
    assert.equal(await watchLostUpdate(listed, { commits: ['a'], logLengths: [undefined] }, pace, never), false);
  });

  it("hasn't ended while one node is missing", async () => {
    const half = look({ projectLog: undefined, logLengths: [20, 10], commits: ['b', 'a'] });
    const baseline = { commits: ['a', 'a'], logLengths: [10, 10] };
    assert.equal(await watchLostUpdate(looks(half).next, baseline, pace, never), false);
    assert.ok(clock >= pace.limit);
  });

  it("hasn't ended only because commits moved: a hook may still be running", async () => {
    const moved = look({ commits: ['b'] });
    assert.equal(await watchLostUpdate(looks(moved).next, before, pace, never), false);
    assert.ok(clock < pace.limit, 'it is not watched for ever');
  });

  it("hasn't ended only because a commit can be read that couldn't be before", async () => {
    const read = looks(look({ projectLog: undefined })).next;
    assert.equal(await watchLostUpdate(read, { commits: [undefined] }, pace, never), false);
    assert.ok(clock >= pace.limit, 'it is watched up to the limit');
  });

  it('may have ended once a node that had no clone has one', async () => {
    const cloned = looks(look({ projectLog: undefined })).next;
    assert.equal(await watchLostUpdate(cloned, { commits: [''] }, pace, never), false);
    assert.ok(clock < pace.limit, 'it is not watched for ever');
  });

  it('is watched through failed checks, and up to a limit', async () => {
    const { next, asked } = looks(undefined, undefined, look({ projectLog: 'new' }));
    assert.equal(await watchLostUpdate(next, before, pace, never), true);
    assert.equal(asked.count, 4);
    clock = 0;
    assert.equal(await watchLostUpdate(looks(undefined).next, before, pace, never), false);
    assert.ok(clock >= pace.limit);
  });

  it('is no longer watched when the user cancels', async () => {
    const { next, asked } = looks(look());
    assert.equal(await watchLostUpdate(next, before, pace, AbortSignal.abort()), false);
    assert.equal(asked.count, 0);
  });
});
