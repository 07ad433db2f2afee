import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { sep } from 'node:path';
import { describe, it } from 'mocha';
import { commands, extensions } from 'vscode';
import type { TestExports } from '../../../src/extension';
import type { CommandId } from '../../../src/manifest';
import { watchDisk } from '../../soak/diskCalls';
import { benchSurroundings, reportFigure } from '../figure';

const timeOf = async (id: string): Promise<number> => {
  const extension = extensions.getExtension(id);
  assert.ok(extension, `${id} is there`);
  assert.equal(extension.isActive, false, `${id} is not active before it is asked for`);
  const begun = performance.now();
  await extension.activate();
  return performance.now() - begun;
};

describe('activation performance', () => {
  it('activation', async () => {
    const { results, journal } = benchSurroundings();
    assert.ok(journal);
    const isFull = existsSync(journal);
    const read = { texts: 0, others: 0 };
    const stopWatching = watchDisk(journal, ({ name, path, flags, perform }) => {
      if (name === 'readFile' || flags === 'r') read[path.includes(`${sep}texts${sep}`) ? 'texts' : 'others'] += 1;
      return perform();
    });
    // The first activation also includes VS Code's own work for it.
    await timeOf('gantry-bench.first');
    const empty = await timeOf('gantry-bench.empty');
    const milliseconds = await timeOf('gantry.gantry');
    // The first use of the Environments view loads it and all that it builds on.
    const begun = performance.now();
    await commands.executeCommand('gantry.environments.refresh' satisfies CommandId);
    const firstUse = performance.now() - begun;
    // It tidies up the journal, for which nobody waits.
    const exported = await extensions.getExtension<TestExports | undefined>('gantry.gantry')?.activate();
    await exported?.settled();
    const tidied = performance.now() - begun;
    stopWatching();
    assert.equal(read.others > 0, isFull, 'this is the journal');
    await reportFigure(results, 'activation', {
      ratio: milliseconds / empty,
      milliseconds,
      empty,
      firstUse,
      firstUseRatio: firstUse / empty,
      start: milliseconds + firstUse,
      textsRead: read.texts,
      tidied,
    });
  });
});
