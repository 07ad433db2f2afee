import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, it } from 'mocha';
import { findTests } from '../../host/findTests';
import { projectFolder } from '../../host/folders';

/** Returns the figures of a process that was started with this one. */
function figures(slowness?: string, last?: string): Readonly<Record<string, unknown>> {
  const env = { ...process.env, GANTRY_SLOWNESS: slowness, GANTRY_LAST_SLOWNESS: last };
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', 'tsx', join(__dirname, 'fixtures', 'slowness.ts')],
    { cwd: projectFolder, env, encoding: 'utf8' },
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
      passedOnThen: '1.00',
      begunAgain: 1_500,
      measured: 'from 1 to 6',
    });
    assert.deepEqual([highestHere, highestOfOthers, highest], [2.5, 4, 6]);
  });

  it('start with the figure of the process that started this one, from 1 to 6', () => {
    const start = (slowness: string) => figures(slowness)['start'];
    assert.deepEqual([start('1.5'), start('0.2'), start('40')], [1_500, 1_000, 6_000]);
    assert.equal(figures('3')['threeWindows'], 3_000);
  });

  it('start with the figure of the windows that another process opened last, until three have opened in this one', () => {
    const { start, twoWindows, threeWindows, fast } = figures('1.2', '4');
    assert.deepEqual([start, twoWindows, threeWindows, fast], [4_000, 4_000, 2_500, 1_200]);
  });

  it('are what tests compare a duration with, in every suite', () => {
    const fixed = /\b(performance|Date)\.now\(\) - \w+ <=? \d/;
    const tests = findTests(join(projectFolder, 'test'));
    const comparing = tests.filter((file) => fixed.test(readFileSync(file, 'utf8')));
    assert.deepEqual(
      comparing.map((file) => relative(projectFolder, file)),
      [],
    );
  });
});
