import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { assertSeeds, runSeeds, type SeedResult } from '../../soak/runSeeds';
import type { SoakTest } from '../../soak/soakTest';

interface TestSetup {
  seeds: number[];
  isDisposed: boolean;
}

/** Creates a soak test whose setups record the seeds that used them. */
function soakTestOf(runCase: (seed: number, setup: TestSetup) => Promise<void>, rest: Partial<SoakTest> = {}) {
  const setups: TestSetup[] = [];
  const test: SoakTest = {
    name: 'saves',
    concurrency: 1,
    timeLimit: 5_000,
    setUp: () => {
      const setup: TestSetup = { seeds: [], isDisposed: false };
      setups.push(setup);
      return Promise.resolve({
        runCase: (seed) => {
          assert.ok(!setup.isDisposed);
          setup.seeds.push(seed);
          return runCase(seed, setup);
        },
        dispose: () => {
          setup.isDisposed = true;
          return Promise.resolve();
        },
      });
    },
    ...rest,
  };
  return { test, setups };
}

async function resultsOf(test: SoakTest, count: number, isStopped = () => false): Promise<readonly SeedResult[]> {
  const results: SeedResult[] = [];
  await runSeeds(test, { first: 1, count }, { onResult: (result) => results.push(result), isStopped });
  return results;
}

const failsAt = (failing: number) => (seed: number) =>
  seed === failing ? Promise.reject(new Error(`seed ${seed}`)) : Promise.resolve();

describe('seeds of a soak test', () => {
  it('ran out of time together only if each that failed did', async () => {
    const late = (seed: number) => (seed > 2 ? new Promise<void>(() => undefined) : Promise.resolve());
    const limits = { timeLimit: 10, concurrency: 4 };
    await assert.rejects(assertSeeds(soakTestOf(late, limits).test, { first: 1, count: 4 }), { name: 'TimeoutError' });
    const other = (seed: number) => (seed === 1 ? Promise.reject(new Error('lost')) : late(seed));
    await assert.rejects(assertSeeds(soakTestOf(other, limits).test, { first: 1, count: 4 }), { name: 'Error' });
  });

  it('share one setup until a seed fails, then later seeds get a new one', async () => {
    const { test, setups } = soakTestOf(failsAt(3));
    const results = await resultsOf(test, 5);
    assert.deepEqual(
      results.map(({ seed, ...failure }) => [seed, 'problem' in failure]),
      [
        [1, false],
        [2, false],
        [3, true],
        [4, false],
        [5, false],
      ],
    );
    assert.deepEqual(setups, [
      { seeds: [1, 2, 3], isDisposed: true },
      { seeds: [4, 5], isDisposed: true },
    ]);
  });

  it('keep the setup of a failed seed while other seeds use it', async () => {
    const other: { finish: () => void } = { finish: () => undefined };
    const otherFinished = new Promise<void>((resolve) => (other.finish = resolve));
    const { test, setups } = soakTestOf(
      async (seed, setup) => {
        if (seed === 1) {
          await otherFinished;
          assert.ok(!setup.isDisposed);
        } else if (seed === 2) {
          throw new Error('seed 2');
        } else {
          other.finish();
        }
      },
      { concurrency: 2 },
    );
    const results = await resultsOf(test, 3);
    assert.deepEqual(
      results.flatMap((result) => ('problem' in result ? [result.seed] : [])),
      [2],
    );
    assert.deepEqual(setups, [
      { seeds: [1, 2], isDisposed: true },
      { seeds: [3], isDisposed: true },
    ]);
  });

  it('fail after their time limit, and later seeds still run', async () => {
    const { test } = soakTestOf((seed) => (seed === 1 ? new Promise(() => undefined) : Promise.resolve()), {
      timeLimit: 5,
    });
    const [first, second] = await resultsOf(test, 2);
    assert.match(String(first?.problem), /Timed out after/);
    assert.deepEqual(second, { seed: 2 });
  });

  it('do not start once the run is stopped', async () => {
    const { test, setups } = soakTestOf(() => Promise.resolve());
    assert.deepEqual(await resultsOf(test, 5, () => (setups[0]?.seeds.length ?? 0) >= 2), [{ seed: 1 }, { seed: 2 }]);
  });

  it('fail the test with the command that repeats each failed seed', async () => {
    const { test } = soakTestOf(failsAt(12));
    await assertSeeds(test, { first: 1, count: 11 });
    await assert.rejects(
      assertSeeds(test, { first: 10, count: 5 }),
      /1 of 5 failed:\nnpm run soak -- --saves 1 --seed 12$/,
    );
  });

  it('are not run if the setup fails', async () => {
    const { test } = soakTestOf(() => Promise.resolve(), { setUp: () => Promise.reject(new Error('no disk')) });
    await assert.rejects(resultsOf(test, 3), /no disk/);
  });
});
