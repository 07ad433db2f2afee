import { after, before, describe, it } from 'mocha';
import { describeProblem } from '../host/inside/describeProblem';
import { limit } from '../host/limits';
import { redeploySequences } from './redeploySequences';
import { runSeeds } from './runSeeds';
import { openResultChannel, type ResultChannel, sequenceTask } from './sequenceChannel';
import { treeSequences } from './treeSequences';

const tests = { sequences: treeSequences, redeploys: redeploySequences } as const;

/** How many sequences share a platform and an account. */
const batchSize = 20;

/** Runs inside the extension host. Started by runSequencesInHost.ts, which receives each result. */
describe('sequences of operations', () => {
  const { name, first, count, port } = sequenceTask();
  const test = tests[name];
  let channel: ResultChannel;

  before(async () => {
    channel = await openResultChannel(port);
  });

  after(() => channel.close());

  for (let from = first; from < first + count; from += batchSize) {
    const range = { first: from, count: Math.min(batchSize, first + count - from) };
    it(`${from} to ${from + range.count - 1}`, async () => {
      if (channel.isStopped()) {
        return;
      }
      await runSeeds(test, range, {
        onResult: ({ seed, ...failure }) => {
          const problem = 'problem' in failure ? { problem: describeProblem(failure.problem) } : {};
          channel.send({ seed, ...problem });
        },
        isStopped: () => channel.isStopped(),
      });
    }).timeout(limit(batchSize * test.timeLimit));
  }
});
