import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Head } from '../../../../../src/features/deployments/deployedState/nodeInspector';
import { confirmModes, mustConfirm, type RedeployConsent } from '../../../../../src/features/deployments/redeploy/plan';
import manifest from '../../../../../package.json';

const clear: readonly Head[] = [
  { kind: 'commit', commit: 'a' },
  { kind: 'commit', commit: 'a' },
];
const asked = (consent: RedeployConsent | undefined, others: Partial<Parameters<typeof mustConfirm>[0]> = {}) =>
  confirmModes.filter((mode) =>
    mustConfirm({ mode, consent, isProduction: false, heads: clear, replacesFolder: false, ...others }),
  );

describe('the question before a redeploy by which nothing would be lost', () => {
  it('is asked in every mode in production, unless another question has named it', () => {
    for (const consent of [undefined, 'chosen'] as const) {
      assert.deepEqual(asked(consent, { isProduction: true }), confirmModes);
    }
    assert.deepEqual(asked('confirmed', { isProduction: true }), []);
  });

  it("isn't asked by default if the project was chosen by its row or task", () => {
    assert.deepEqual(asked('chosen'), ['always']);
    assert.deepEqual(asked(undefined), ['always', 'exceptFromProjectRow']);
    assert.deepEqual(asked('confirmed'), []);
  });

  it('is asked if something is at stake: a folder is replaced, or what the nodes run is unclear', () => {
    const atStake = ['always', 'whenRisky'];
    assert.deepEqual(asked('chosen', { replacesFolder: true }), atStake);
    assert.deepEqual(asked('chosen', { heads: [...clear, { kind: 'commit', commit: 'b' }] }), atStake);
    assert.deepEqual(asked('chosen', { heads: [...clear, { kind: 'absent' }] }), atStake);
    assert.deepEqual(asked('chosen', { heads: [{ kind: 'unreadable', why: 'denied' }] }), atStake);
    // A Subversion project's revision can't be read on any node.
    assert.deepEqual(asked('chosen', { heads: [{ kind: 'absent' }, { kind: 'absent' }] }), ['always']);
  });

  it('has the modes of the setting', () => {
    assert.deepEqual(manifest.contributes.configuration.properties['gantry.redeploy.confirm'].enum, confirmModes);
  });
});
