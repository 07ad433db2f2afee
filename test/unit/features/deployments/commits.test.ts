import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { isHashLike, pinnedCommit, rollbackBranch } from '../../../../src/features/deployments/commits';

const commit = '0123456789abcdef0123456789abcdef01234567';

describe('the commit that a project is pinned to', () => {
  it('is the one in its settings, or the one of the branch of a roll back', () => {
    for (const repoHash of [commit, commit.slice(0, 7), 'v1.2', 'main', '17']) {
      assert.equal(pinnedCommit({ repoHash, branch: 'main' }), repoHash);
    }
    assert.equal(pinnedCommit({ repoHash: '', branch: rollbackBranch(commit) }), commit.slice(0, 7));
    assert.equal(pinnedCommit({ repoHash: '', branch: 'main' }), undefined);
    assert.equal(pinnedCommit({}), undefined);
  });

  it("isn't the fingerprint that the dashboard writes", () => {
    for (const repoHash of [commit.slice(0, 32), commit.slice(0, 32).toUpperCase()]) {
      assert.equal(pinnedCommit({ repoHash, branch: 'main' }), undefined);
      assert.equal(pinnedCommit({ repoHash, branch: rollbackBranch(commit) }), commit.slice(0, 7));
    }
  });
});

describe('what looks like a commit', () => {
  it('has 7 to 64 hex digits in any case', () => {
    const all = [commit, commit.slice(0, 7), commit.toUpperCase(), commit.slice(0, 6), `${commit}x`, 'main'];
    assert.deepEqual(all.map(isHashLike), [true, true, true, false, false, false]);
  });
});
