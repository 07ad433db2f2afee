import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { parseSoakOptions } from '../../soak/options';

const parsed = (line: string) => {
  const { counts, ...rest } = parseSoakOptions(line.split(' ').filter((word) => word !== ''));
  return { ...rest, counts: Object.fromEntries(counts) };
};
const everything = {
  saves: Infinity,
  sequences: Infinity,
  answers: Infinity,
  kills: Infinity,
  races: Infinity,
  'full-disks': Infinity,
  redeploys: Infinity,
};

describe('soak options', () => {
  it('run all tests without a limit by default', () => {
    assert.deepEqual(parsed(''), { firstSeed: 1, minutes: undefined, counts: everything });
  });

  it('limit the time of a run of all tests', () => {
    assert.deepEqual(parsed('--minutes 30 --seed 7'), { firstSeed: 7, minutes: 30, counts: everything });
  });

  it('run only the tests that have a number', () => {
    assert.deepEqual(parsed('--saves 3000 --kills=200').counts, { saves: 3_000, kills: 200 });
  });

  it('are rejected with a message that names the invalid option', () => {
    assert.throws(() => parsed('--saves many'), /--saves must be a positive integer, not "many"\./);
    assert.throws(() => parsed('--kills 0'), /--kills must be a positive integer/);
    assert.throws(() => parsed('--nights 3'), /--nights/);
  });
});
