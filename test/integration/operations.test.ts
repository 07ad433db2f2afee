import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'mocha';
import contract from '../contract/operations.json';
import { type LocalPlatform, startPlatform } from '../localPlatform/localPlatform';
import { gantry } from './support/gantry';
import { accessPerformances, signingIn } from './support/operations/accounts';
import { filePerformances } from './support/operations/files';
import { checkPage, checkRow } from './support/operations/page';
import type { Performance } from './support/operations/performance';
import { projectPerformances } from './support/operations/projects';
import { sharingPerformances } from './support/operations/sharing';
import { type Gesture, Stage } from './support/operations/stage';

const suite = 'every operation of the contract';
const performances: readonly Performance[] = [
  ...signingIn,
  ...filePerformances,
  ...sharingPerformances,
  ...projectPerformances,
  ...accessPerformances,
];

describe(suite, () => {
  let platform: LocalPlatform;
  let stage: Stage;

  before(async () => {
    platform = await startPlatform();
    const parts = await gantry();
    stage = await Stage.set(platform, { ...parts, ...parts.sharing });
  });

  beforeEach(() => stage.begin());

  afterEach(() => stage.clear());

  after(async () => {
    await stage.end();
    await platform.dispose();
  });

  const rowOf = ({ operation, effect }: Performance) => ({ operation, test: `${suite} › ${operation}`, effect });

  for (const performance of performances) {
    const { operation, effect, play } = performance;
    it(`${operation}: ${effect}`, async () => {
      await play(stage);
      const reaching = stage.gestures().filter(({ performed }) => performed.has(operation));
      assert.ok(reaching.length > 0, `no gesture made the platform perform ${operation}`);
      await checkRow({ ...rowOf(performance), gestures: wordsOf(reaching) });
    });
  }

  it('has a row in the table in the documentation', async () => {
    const names = contract.operations.map(({ name }) => name).sort();
    assert.equal(names.length, 40);
    assert.deepEqual(performances.map(({ operation }) => operation).sort(), names);
    await checkPage(performances.map(rowOf));
  });
});

function wordsOf(gestures: readonly Gesture[]): string {
  return [...new Set(gestures.map(({ words }) => words))].join('; ');
}
