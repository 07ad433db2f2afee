import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import {
  deployedStateOf,
  type HeadState,
  type DeployedFacts,
} from '../../../../../src/features/deployments/deployedState/deployedState';

const a = 'a'.repeat(40);
const b = 'b'.repeat(40);
const failed = { kind: 'failed', sentence: '' } as const;
/** A failed redeploy that left these commits on the nodes. */
const failureAt = (...commits: readonly (string | undefined)[]) => ({
  result: failed,
  nodes: commits.map((after) => ({ after })),
});
const results = (given: Partial<DeployedFacts>) =>
  deployedStateOf({
    isSubversion: false,
    autoUpdates: false,
    nodes: [{ after: a }, { after: a }],
    left: a,
    branch: 'main',
    behind: 0,
    unpushed: 0,
    editedFiles: 0,
    areEditsUnchecked: false,
    keepsEdits: false,
    ...given,
  });
/** The kinds, with the reason of those that have one. */
const kinds = (given: Partial<DeployedFacts>) =>
  results(given).map((result) => ('because' in result ? `${result.kind} ${result.because}` : result.kind));

describe('the state of a project compared with its branch', () => {
  it('is determined for every possible case', () => {
    assert.deepEqual(kinds({ behind: 3 }), ['behind']);
    assert.deepEqual(results({}), [{ kind: 'deployed', commit: a, behind: 0, branch: 'main' }]);
    assert.deepEqual(results({ behind: undefined }), [{ kind: 'deployed', commit: a }]);
    assert.deepEqual(kinds({ unpushed: 1 }), ['unpushed']);
    assert.deepEqual(results({ behind: 3, unpushed: 1 }), [
      { kind: 'behind', commits: 3, branch: 'main' },
      { kind: 'unpushed', commits: 1, branch: 'main' },
    ]);
    assert.deepEqual(kinds({ editedFiles: 2, unpushed: 1 }), ['edited', 'unpushed']);
    assert.deepEqual(kinds({ editedFiles: 2 }), ['edited']);
    assert.deepEqual(kinds({ areEditsUnchecked: true }), ['editsUnchecked']);
    assert.deepEqual(kinds({ editedFiles: 2, areEditsUnchecked: true }), ['edited', 'editsUnchecked']);
    assert.deepEqual(kinds({ editedFiles: 2, behind: 1 }), ['edited', 'behind']);
    assert.deepEqual(kinds({ left: b, autoUpdates: true }), ['moved autoUpdate', 'deployed']);
    assert.deepEqual(kinds({ left: b }), ['moved elsewhere', 'deployed']);
    assert.deepEqual(kinds({ nodes: [{ after: a }, { after: b }] }), ['nodesDiffer']);
    assert.deepEqual(kinds({ nodes: [{ after: a }, {}] }), ['nodesDiffer']);
    assert.deepEqual(kinds({ nodes: [{}, {}] }), ['unverified folderUnknown']);
    assert.deepEqual(kinds({ nodes: [{ after: a }, { unreadable: 'denied' }] }), ['unverified unreadable']);
    assert.deepEqual(kinds({ isSubversion: true, nodes: [{}] }), ['unverified revisionUnknown']);
  });

  it('keeps edits only where every node has a clone, because the folder of one without it is replaced', () => {
    const areKept = (given: Partial<DeployedFacts>) =>
      results({ editedFiles: 1, keepsEdits: true, ...given }).flatMap((one) =>
        one.kind === 'edited' ? [one.areKept] : [],
      );
    assert.deepEqual(areKept({}), [true]);
    assert.deepEqual(areKept({ keepsEdits: false }), [false]);
    assert.deepEqual(areKept({ nodes: [{ after: a }, { after: b }] }), [true]);
    assert.deepEqual(areKept({ nodes: [{ after: a }, {}] }), [false]);
    assert.deepEqual(areKept({ nodes: [{ after: a }, { unreadable: 'denied' }] }), [false]);
  });

  it('says that the project is pinned, and nothing twice', () => {
    const pinnedTo = a.slice(0, 7);
    assert.deepEqual(kinds({ pinnedTo, behind: 1 }), ['pinned', 'behind']);
    assert.deepEqual(kinds({ pinnedTo }), ['pinned', 'deployed']);
    assert.deepEqual(kinds({ pinnedTo, behind: undefined }), ['pinned']);
    assert.deepEqual(kinds({ pinnedTo: b, behind: undefined }), ['pinned', 'deployed']);
    assert.deepEqual(kinds({ pinnedTo, editedFiles: 1, behind: 1 }), ['edited', 'pinned', 'behind']);
    assert.deepEqual(kinds({ pinnedTo, nodes: [{ after: a }, { after: b }] }), ['nodesDiffer', 'pinned']);
    assert.deepEqual(kinds({ pinnedTo, nodes: [{}, {}] }), ['pinned', 'unverified folderUnknown']);
    assert.deepEqual(kinds({ pinnedTo, failure: failureAt(a), behind: 1 }), ['failed', 'pinned', 'behind']);
    assert.deepEqual(kinds({ pinnedTo: '17', isSubversion: true, nodes: [{}] }), [
      'pinned',
      'unverified revisionUnknown',
    ]);
  });

  it('says that the project was rolled back by a branch, and from which one if that is known', () => {
    const pinnedTo = a.slice(0, 7);
    const pin = { kind: 'pinned', commit: pinnedTo, isDeployed: true };
    const first = (rolledBackFrom?: string) => results({ pinnedTo, rolledBackFrom })[0];
    assert.deepEqual(
      [first(), first(''), first('main')],
      [pin, { ...pin, rolledBackFrom: '' }, { ...pin, rolledBackFrom: 'main' }],
    );
  });

  it('is a failure until something else is deployed', () => {
    const failure = failureAt(a);
    assert.deepEqual(kinds({ failure, behind: 1 }), ['failed', 'behind']);
    assert.deepEqual(kinds({ failure }), ['failed', 'deployed']);
    assert.deepEqual(kinds({ failure, left: undefined, nodes: [{}, {}] }), ['failed', 'unverified folderUnknown']);
    assert.deepEqual(kinds({ failure, isSubversion: true, nodes: [{}] }), ['failed', 'unverified revisionUnknown']);
    assert.deepEqual(kinds({ failure: failureAt(b), left: b }), ['moved elsewhere', 'deployed']);
    const differed = failureAt(a, b);
    assert.deepEqual(kinds({ failure: differed, left: undefined }), ['deployed']);
    assert.deepEqual(kinds({ failure: differed, left: undefined, nodes: [{ after: a }, { after: b }] }), [
      'failed',
      'nodesDiffer',
    ]);
    assert.deepEqual(kinds({ failure: failureAt(undefined, undefined), left: undefined }), ['deployed']);
  });

  it('stays a failure if a node that could not be read may have had the same commit', () => {
    const unread = { unreadable: 'denied' };
    const failure = (...nodes: readonly HeadState[]) => ({ result: failed, nodes });
    assert.deepEqual(kinds({ failure: failure({ after: a }, unread), left: undefined }), ['failed', 'deployed']);
    assert.deepEqual(kinds({ failure: failure(unread, unread), left: undefined }), ['failed', 'deployed']);
    assert.deepEqual(kinds({ failure: failure({ after: b }, unread), left: undefined }), ['deployed']);
  });

  it('is a failure, and never "up to date", until another redeploy after one that left another branch', () => {
    const result = { kind: 'contradicted', because: 'otherBranch', branch: 'next' } as const;
    const failure = { ...failureAt(b), result };
    assert.deepEqual(kinds({ failure }), ['contradicted otherBranch']);
    assert.deepEqual(kinds({ failure, left: b }), ['contradicted otherBranch', 'moved elsewhere']);
    assert.deepEqual(kinds({ failure, behind: 1 }), ['contradicted otherBranch', 'behind']);
    assert.deepEqual(kinds({ failure, behind: undefined }), ['contradicted otherBranch', 'deployed']);
  });

  it('is never "up to date" if there is evidence against it', () => {
    for (const against of [{ behind: 1 }, { behind: undefined }, { editedFiles: 1 }, { nodes: [{ after: a }, {}] }]) {
      const isUpToDate = results(against).some((result) => result.kind === 'deployed' && result.behind === 0);
      assert.ok(!isUpToDate, JSON.stringify(against));
    }
  });
});
