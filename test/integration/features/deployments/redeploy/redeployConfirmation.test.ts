import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Head } from '../../../../../src/features/deployments/deployedState/nodeInspector';
import { confirmModes, mustConfirm } from '../../../../../src/features/deployments/redeploy/plan';
import manifest from '../../../../../package.json';

const clear: readonly Head[] = [
  { kind: 'commit', commit: 'a' },
  { kind: 'commit', commit: 'a' },
];
type Circumstances = Parameters<typeof mustConfirm>[0];
const asked = (consent: Circumstances['consent'], others: Partial<Circumstances> = {}) =>
  confirmModes.filter((mode) =>
    mustConfirm({ mode, consent, isProduction: false, heads: clear, replacesFolder: false, ...others }),
  );

describe('the question before a redeploy by which nothing would be lost', () => {
  it('is asked in every mode in production, unless another question has named it', () => {
    for (const consent of [undefined, 'byTask'] as const) {
      assert.deepEqual(asked(consent, { isProduction: true }), confirmModes);
    }
    assert.deepEqual(asked('confirmed', { isProduction: true }), []);
  });

  it('is asked as the setting says, but not of a task, nor if another question has named the consequence', () => {
    assert.deepEqual(asked(undefined), ['always']);
    assert.deepEqual(asked('byTask', { replacesFolder: true }), []);
    assert.deepEqual(asked('confirmed', { replacesFolder: true }), []);
  });

  it('is asked if something is at stake: a folder is replaced, or what the nodes run is unclear', () => {
    const atStake = ['always', 'whenRisky'];
    assert.deepEqual(asked(undefined, { replacesFolder: true }), atStake);
    assert.deepEqual(asked(undefined, { heads: [...clear, { kind: 'commit', commit: 'b' }] }), atStake);
    assert.deepEqual(asked(undefined, { heads: [...clear, { kind: 'absent' }] }), atStake);
    assert.deepEqual(asked(undefined, { heads: [{ kind: 'unreadable', why: 'denied' }] }), atStake);
    // A Subversion project's revision can't be read on any node.
    assert.deepEqual(asked(undefined, { heads: [{ kind: 'absent' }, { kind: 'absent' }] }), ['always']);
  });

  it('has the modes of the setting', () => {
    assert.deepEqual(manifest.contributes.configuration.properties['gantry.redeploy.confirm'].enum, confirmModes);
  });
});
