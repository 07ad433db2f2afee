import { after, before, describe, it } from 'mocha';
import { describeProblem } from '../host/inside/describeProblem';
import { limit } from '../host/limits';
import { runSeeds } from './runSeeds';
import { openResultChannel, type ResultChannel, sequenceTask } from './sequenceChannel';
import { treeSequences } from './treeSequences';

/** How many sequences share a platform and an account. */
const batchSize = 20;

/** Runs inside the extension host. Started by runSequencesInHost.ts, which receives each result. */
describe('sequences of operations', () => {
  const { first, count, port } = sequenceTask();
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
      await runSeeds(treeSequences, range, {
        onResult: ({ seed, ...failure }) => {
          const problem = 'problem' in failure ? { problem: describeProblem(failure.problem) } : {};
          channel.send({ seed, ...problem });
        },
        isStopped: () => channel.isStopped(),
      });
    }).timeout(limit(batchSize * treeSequences.timeLimit));
  }
});
