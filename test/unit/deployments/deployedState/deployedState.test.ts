import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { deployedStateOf, type Known } from '../../../../src/deployments/deployedState/deployedState';

const a = 'a'.repeat(40);
const b = 'b'.repeat(40);
const findings = (given: Partial<Known>) =>
  deployedStateOf({
    isSubversion: false,
    autoUpdates: false,
    nodes: [{ after: a }, { after: a }],
    left: a,
    behind: 0,
    unpushed: 0,
    editedFiles: 0,
    ...given,
  });
const kinds = (given: Partial<Known>) => findings(given).map(({ kind }) => kind);

describe('the state of a project compared with its branch', () => {
  it('is determined for every possible case', () => {
    assert.deepEqual(kinds({}), ['upToDate']);
    assert.deepEqual(kinds({ behind: 3 }), ['behind']);
    assert.deepEqual(kinds({ behind: undefined }), ['atCommit']);
    assert.deepEqual(kinds({ unpushed: 1 }), ['unpushed']);
    assert.deepEqual(kinds({ behind: 3, unpushed: 1 }), ['behind', 'unpushed']);
    assert.deepEqual(kinds({ editedFiles: 2, unpushed: 1 }), ['edited', 'unpushed']);
    assert.deepEqual(kinds({ editedFiles: 2 }), ['edited']);
    assert.deepEqual(kinds({ editedFiles: 2, behind: 1 }), ['edited', 'behind']);
    assert.deepEqual(kinds({ left: b, autoUpdates: true }), ['autoUpdated', 'upToDate']);
    assert.deepEqual(kinds({ left: b }), ['updatedElsewhere', 'upToDate']);
    assert.deepEqual(kinds({ nodes: [{ after: a }, { after: b }] }), ['nodesDiffer']);
    assert.deepEqual(kinds({ nodes: [{ after: a }, {}] }), ['nodesDiffer']);
    assert.deepEqual(kinds({ nodes: [{}, {}] }), ['notDeployed']);
    assert.deepEqual(kinds({ nodes: [{ after: a }, { unreadable: 'denied' }] }), ['unknown']);
    assert.deepEqual(kinds({ isSubversion: true, nodes: [{}] }), ['unknown']);
  });

  it('says that the project is pinned, and nothing twice', () => {
    const pinnedTo = a.slice(0, 7);
    assert.deepEqual(kinds({ pinnedTo, behind: 1 }), ['pinned', 'behind']);
    assert.deepEqual(kinds({ pinnedTo }), ['pinned', 'upToDate']);
    assert.deepEqual(kinds({ pinnedTo, behind: undefined }), ['pinned']);
    assert.deepEqual(kinds({ pinnedTo: b, behind: undefined }), ['pinned', 'atCommit']);
    assert.deepEqual(kinds({ pinnedTo, editedFiles: 1, behind: 1 }), ['edited', 'pinned', 'behind']);
    assert.deepEqual(kinds({ pinnedTo, nodes: [{ after: a }, { after: b }] }), ['nodesDiffer', 'pinned']);
    assert.deepEqual(kinds({ pinnedTo, nodes: [{}, {}] }), ['pinned', 'notDeployed']);
    assert.deepEqual(kinds({ pinnedTo, failure: { nodesDiffered: false }, behind: 1 }), ['failed', 'pinned', 'behind']);
    assert.deepEqual(kinds({ pinnedTo: '17', isSubversion: true, nodes: [{}] }), ['pinned', 'unknown']);
  });

  it('says that the project was rolled back by a branch, and from which one if that is known', () => {
    const pinnedTo = a.slice(0, 7);
    const pin = { kind: 'pinned', commit: pinnedTo, isDeployed: true };
    const first = (rolledBackFrom?: string) => findings({ pinnedTo, rolledBackFrom })[0];
    assert.deepEqual(
      [first(), first(''), first('main')],
      [pin, { ...pin, rolledBackFrom: '' }, { ...pin, rolledBackFrom: 'main' }],
    );
  });

  it('is a failure until something else is deployed', () => {
    const failure = { nodesDiffered: false };
    assert.deepEqual(kinds({ failure, behind: 1 }), ['failed', 'behind']);
    assert.deepEqual(kinds({ failure }), ['failed', 'upToDate']);
    assert.deepEqual(kinds({ failure, left: undefined, nodes: [{}, {}] }), ['failed', 'notDeployed']);
    assert.deepEqual(kinds({ failure, isSubversion: true, nodes: [{}] }), ['failed', 'unknown']);
    assert.deepEqual(kinds({ failure, left: b }), ['updatedElsewhere', 'upToDate']);
    const differed = { nodesDiffered: true };
    assert.deepEqual(kinds({ failure: differed, left: undefined }), ['upToDate']);
    assert.deepEqual(kinds({ failure: differed, left: undefined, nodes: [{ after: a }, { after: b }] }), [
      'failed',
      'nodesDiffer',
    ]);
  });

  it('is never "up to date" if there is evidence against it', () => {
    for (const against of [{ behind: 1 }, { behind: undefined }, { editedFiles: 1 }, { nodes: [{ after: a }, {}] }]) {
      assert.ok(!kinds(against).includes('upToDate'), JSON.stringify(against));
    }
  });
});
