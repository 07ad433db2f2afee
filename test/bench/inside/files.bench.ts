import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { commands } from 'vscode';
import { gantry, signedIn } from '../../integration/support/gantry';
import { largestRatio, type BudgetName, budgets } from '../budgets';
import { benchSurroundings, reportFigure } from '../figure';
import { DistantPlatform } from './distantPlatform';
import { fileWork, layOut, openToType, typeFor, type WorkingOn } from './filesWork';
import { type Bench, measureAt, ProviderClock } from './measure';

const [slow, quick] = [200, 50];
const turns = 20;
const minute = 60_000;

describe('the speed of files', function () {
  this.timeout(300_000);
  const { results, origin, sample, node } = benchSurroundings();
  const platform = new DistantPlatform(origin);
  let working: WorkingOn;
  let bench: Bench;

  before(async () => {
    const parts = await gantry();
    working = { parts, node, account: await signedIn({ origin, sample }) };
    bench = { platform, turns, clock: new ProviderClock(parts.files.fileSystem) };
    await layOut(working);
    // What is measured is the work itself: looks at what others do are counted apart.
    parts.watching.focus(false);
  });

  after(async () => {
    await platform.clearFaults();
    await commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });

  const names: readonly BudgetName[] = [
    'expandFolder',
    'openFile',
    'openUnlisted',
    'stats100',
    'save',
    'renameFolder',
    'copyFolder',
    'reopen',
  ];
  for (const name of names) {
    it(name, async () => {
      const work = fileWork(working)[name];
      assert.ok(work);
      const atSlow = await measureAt(slow, work, bench);
      const atQuick = await measureAt(quick, work, bench);
      await reportFigure(results, name, {
        ...atSlow,
        ...(atQuick.ratio === undefined ? {} : { ratioAt50: atQuick.ratio }),
      });
      const { requests, sequential } = budgets[name];
      assert.ok((atSlow.requests ?? 0) <= requests, `${name}: ${atSlow.requests} requests`);
      assert.ok((atSlow.sequential ?? 0) <= sequential, `${name}: ${atSlow.sequential} in sequence`);
      assert.ok((atSlow.ratio ?? 0) <= largestRatio, `${name}: ratio ${atSlow.ratio}`);
    });
  }

  it('typing', async () => {
    await openToType(working);
    await platform.forgetJournal();
    await typeFor(minute);
    const requests = await platform.requests();
    await reportFigure(results, 'typing', { requests: requests.length, sequential: 0 });
    assert.deepEqual(requests, []);
  });
});
