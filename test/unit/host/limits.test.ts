import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import { projectFolder } from '../../host/folders';

/** Returns the figures of a process that was started with this one. */
function figures(slowness?: string): Readonly<Record<string, unknown>> {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', 'tsx', join(__dirname, 'fixtures', 'slowness.ts')],
    { cwd: projectFolder, env: { ...process.env, GANTRY_SLOWNESS: slowness }, encoding: 'utf8' },
  );
  assert.notEqual(stdout, '', stderr);
  return JSON.parse(stdout) as Record<string, unknown>;
}

describe('the limits of tests', () => {
  it('grow with the median of the last three windows, and shrink again, but the highest figure stays', () => {
    const { highestHere, highestOfOthers, highest, ...others } = figures();
    assert.deepEqual(others, {
      start: 1_000,
      twoWindows: 1_000,
      threeWindows: 2_500,
      passedOn: '2.50',
      broken: 6_000,
      fast: 1_000,
      measured: 'from 1 to 6',
    });
    assert.deepEqual([highestHere, highestOfOthers, highest], [2.5, 4, 6]);
  });

  it('start with the figure of the process that started this one, from 1 to 6', () => {
    const start = (slowness: string) => figures(slowness)['start'];
    assert.deepEqual([start('1.5'), start('0.2'), start('40')], [1_500, 1_000, 6_000]);
    assert.equal(figures('3')['threeWindows'], 3_000);
  });
});
