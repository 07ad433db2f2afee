import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { commands, extensions } from 'vscode';
import type { CommandId } from '../../../src/manifest';
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
    // The first activation also includes VS Code's own work for it.
    await timeOf('gantry-bench.first');
    const empty = await timeOf('gantry-bench.empty');
    const milliseconds = await timeOf('gantry.gantry');
    // The first use of the Environments view loads it and all that it builds on.
    const begun = performance.now();
    await commands.executeCommand('gantry.environments.refresh' satisfies CommandId);
    const firstUse = performance.now() - begun;
    const figure = { ratio: milliseconds / empty, milliseconds, empty, firstUse, firstUseRatio: firstUse / empty };
    await reportFigure(benchSurroundings().results, 'activation', figure);
  });
});
