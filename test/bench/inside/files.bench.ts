import { after, before, describe, it } from 'mocha';
import { commands, Uri } from 'vscode';
import { uriParts } from '../../../src/containers/place';
import { gantry, signedIn } from '../../integration/support/gantry';
import { type Compared, compared, parallel, pieces } from '../budgets';
import { longestChain } from '../chain';
import { benchSurroundings, reportFigure } from '../figure';
import { DistantPlatform } from './distantPlatform';
import { fileWork, layOut, openToType, placeOnNode, typeFor, type WorkingOn } from './filesWork';
import {
  type Bench,
  measureBeside,
  measureNearAndFar,
  ProviderClock,
  timesProcessor,
  withoutWatching,
} from './measure';
import { comparedWork, MemoryFiles } from './memoryFiles';
import { parallelWork, plainWork } from './parallelWork';

const turns = 20;
const isCompared = (name: string): name is Compared => compared.some((one) => one === name);
const minute = 60_000;

describe('file performance', () => {
  const { results, origin, sample, node } = benchSurroundings();
  const platform = new DistantPlatform(origin);
  let working: WorkingOn;
  let bench: Bench;

  before(async () => {
    const parts = await gantry();
    working = { parts, node, account: await signedIn({ origin, sample }) };
    bench = { platform, turns, clock: new ProviderClock(parts.files.fileSystem) };
    await layOut(working);
    withoutWatching(parts);
  });

  after(async () => {
    await platform.clearFaults();
    await commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });

  /** Returns the processor time as a multiple of what the same work takes in memory. */
  const processorRatio = async (name: Compared): Promise<number> => {
    const memory = new MemoryFiles();
    const at = (path: string) => Uri.from(uriParts(placeOnNode(working, path)));
    try {
      const [own, plain] = [comparedWork(at)[name], comparedWork(memory.at)[name]];
      // A user sees the folders, as for the other work there.
      const inSight = parallelWork(working).write100;
      await platform.clearFaults();
      return await timesProcessor({ ...inSight, ...own }, plain);
    } finally {
      memory.dispose();
    }
  };

  for (const name of pieces) {
    it(name, async () => {
      const processor = isCompared(name) ? { processor: await processorRatio(name) } : {};
      const figure = await measureNearAndFar(fileWork(working)[name], bench);
      await reportFigure(results, name, { ...figure, ...processor });
    });
  }

  for (const name of parallel) {
    it(name, async () => {
      const [work, plain] = [parallelWork(working)[name], (await plainWork(working))[name]];
      await reportFigure(results, name, await measureBeside(work, plain, bench));
    });
  }

  it('typing', async () => {
    await openToType(working);
    await platform.forgetJournal();
    await typeFor(minute);
    const requests = await platform.requests();
    await reportFigure(results, 'typing', { requests: requests.length, sequential: longestChain(requests), ratio: 0 });
  });
});
