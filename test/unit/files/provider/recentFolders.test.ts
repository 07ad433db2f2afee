import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import type { FilePlace } from '../../../../src/containers/place';
import { RecentFolders } from '../../../../src/files/provider/recentFolders';

const at = (path: string): FilePlace => ({
  kind: 'file',
  account: 'a',
  environment: 'shop',
  target: { nodeGroup: 'cp', nodeId: 1 },
  path,
});

describe('folders that VS Code listed', () => {
  let now = 0;
  let recent: RecentFolders<string>;

  const taken = (path: string) => recent.take(at(path)).map(({ folder, found }) => `${folder.path} ${found}`);

  beforeEach(() => {
    now = 0;
    recent = new RecentFolders(10, () => now);
    recent.add(at('/srv/full/below'), 'nothing');
  });

  it('are found at and below the deleted folder, once', () => {
    assert.deepEqual(taken('/srv/ful'), []);
    assert.deepEqual(taken('/srv/full/below/deeper'), []);
    assert.deepEqual(taken('/srv'), ['/srv/full/below nothing']);
    assert.deepEqual(taken('/srv'), []);
  });

  it('count for as long as a move may take', () => {
    now = 59 * 60_000;
    assert.equal(taken('/srv').length, 1);
    recent.add(at('/srv/full'), 'nothing');
    now += 61 * 60_000;
    assert.deepEqual(taken('/srv'), []);
  });
});
