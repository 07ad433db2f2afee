import { after, before, describe, it } from 'mocha';
import { commands } from 'vscode';
import { gantry, signedIn } from '../../integration/support/gantry';
import { parallel, pieces } from '../budgets';
import { longestChain } from '../chain';
import { benchSurroundings, reportFigure } from '../figure';
import { DistantPlatform } from './distantPlatform';
import { fileWork, layOut, openToType, typeFor, type WorkingOn } from './filesWork';
import { type Bench, measureBeside, measureNearAndFar, ProviderClock, withoutWatching } from './measure';
import { parallelWork, plainWork } from './parallelWork';

const turns = 20;
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

  for (const name of pieces) {
    it(name, async () => {
      const work = fileWork(working)[name];
      await reportFigure(results, name, await measureNearAndFar(work, bench));
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
