import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import { RecentFolders } from '../../../../src/files/provider/recentFolders';
import { fileAt } from '../../../scene/fileAt';

describe('folders that VS Code listed', () => {
  let now = 0;
  let recent: RecentFolders<string>;

  const taken = (path: string) => recent.take(fileAt(path)).map(({ folder, found }) => `${folder.path} ${found}`);

  beforeEach(() => {
    now = 0;
    recent = new RecentFolders(10, () => now);
    recent.add(fileAt('/srv/full/below'), 'nothing');
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
    recent.add(fileAt('/srv/full'), 'nothing');
    now += 61 * 60_000;
    assert.deepEqual(taken('/srv'), []);
  });
});
