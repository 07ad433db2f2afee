import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import { scratchFolder } from '../../../host/folders';
import { limit } from '../../../host/limits';
import { isNightly } from '../../../host/nightly';
import { checkJournalRace, checkKilledJournal, checkKilledSignOut } from '../../../soak/killedJournals';
import { bundleWindow } from '../../../soak/startWindow';

const kills = isNightly() ? 300 : 40;
const races = isNightly() ? 60 : 6;
const signOuts = isNightly() ? 100 : 12;

describe('windows that share a journal', () => {
  let program: string;
  let scratch: string;

  before(async () => {
    scratch = scratchFolder('journal');
    program = await bundleWindow(scratch, 'journalWindow');
  });
  after(() => rm(scratch, { recursive: true, force: true }));

  it(`lose nothing if one is killed at any step (${kills} seeds)`, async () => {
    let killed = 0;
    for (let seed = 1; seed <= kills; seed += 1) {
      killed += (await checkKilledJournal(seed, program, join(scratch, `kill-${seed}`))) ? 1 : 0;
    }
    assert.ok(killed > kills / 2, `only ${killed} were killed`);
  }).timeout(limit(isNightly() ? 600_000 : 60_000));

  it(`lose nothing if they write and tidy up at once (${races} seeds)`, async () => {
    for (let seed = 1; seed <= races; seed += 1) {
      await checkJournalRace(seed, program, join(scratch, `race-${seed}`));
    }
  }).timeout(limit(isNightly() ? 600_000 : 60_000));

  it(`leave nothing of an account that signed out after one was killed in the middle (${signOuts} seeds)`, async () => {
    const left = new Set<string>();
    for (let seed = 1; seed <= signOuts; seed += 1) {
      left.add(await checkKilledSignOut(seed, program, join(scratch, `sign-out-${seed}`)));
    }
    assert.deepEqual([...left].sort(), ['all', 'none', 'some']);
  }).timeout(limit(60_000));
});
