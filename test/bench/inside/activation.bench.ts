import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { extensions } from 'vscode';
import { benchSurroundings, reportFigure } from '../figure';

const timeOf = async (id: string): Promise<number> => {
  const extension = extensions.getExtension(id);
  assert.ok(extension, `${id} is there`);
  assert.equal(extension.isActive, false, `${id} is not active before it is asked for`);
  const begun = performance.now();
  await extension.activate();
  return performance.now() - begun;
};

describe('the speed of activation', () => {
  it('activation', async () => {
    // Whatever comes first pays for what VS Code itself does at a first activation.
    await timeOf('gantry-bench.first');
    const empty = await timeOf('gantry-bench.empty');
    const milliseconds = await timeOf('gantry.gantry');
    await reportFigure(benchSurroundings().results, 'activation', { ratio: milliseconds / empty, milliseconds, empty });
  });
});
