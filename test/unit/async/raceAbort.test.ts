import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { Canceled } from '../../../src/platform/errors';
import { raceAbort } from '../../../src/async/waiting';

const stopped = new Canceled('Looking', { isOutcomeUnknown: false });

describe('work that is waited for', () => {
  it("rejects for a caller that aborts it, so that the caller doesn't continue", async () => {
    const stopping = new AbortController();
    const never = new Promise<string>(() => undefined);
    const waiting = raceAbort(never, stopping.signal, stopped);
    stopping.abort();
    await assert.rejects(waiting, stopped);
    await assert.rejects(raceAbort(Promise.resolve('late'), AbortSignal.abort(), stopped), stopped);
  });

  it("settles as usual if it isn't aborted", async () => {
    const { signal } = new AbortController();
    assert.equal(await raceAbort(Promise.resolve('done'), signal, stopped), 'done');
    const failure = new Error('It failed.');
    await assert.rejects(raceAbort(Promise.reject(failure), signal, stopped), failure);
  });
});
