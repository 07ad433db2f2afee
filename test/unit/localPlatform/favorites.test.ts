import assert from 'node:assert/strict';
import { onStageEachTime } from '../../scene/onStage';
import { AskedScene, rowsOf, type Values } from './requests';

describe('local platform: favorites', () => {
  const asked = onStageEachTime(new AskedScene());
  const { result } = asked;
  const paths = async (values: Values = {}): Promise<unknown[]> =>
    rowsOf(await asked.call('GetFavorites', values), 'favoriteList').map(({ path }) => path);

  it('stores the given values, with the last name of the path as keyword', async () => {
    assert.equal(
      await result('AddFavorite', { path: '/etc/nginx/', isDir: true, filter: '.*\\.conf', nodeGroup: 'cp' }),
      0,
    );
    assert.equal(await result('AddFavorite', { path: '/var/log/error.log', keyword: 'Errors' }), 0);
    assert.deepEqual(rowsOf(await asked.call('GetFavorites'), 'favoriteList'), [
      { id: 1, path: '/etc/nginx', keyword: 'nginx', filter: '.*\\.conf', isDir: true },
      { id: 2, path: '/var/log/error.log', keyword: 'Errors', isDir: false },
    ]);
  });

  it('lists favorites of a node, of its layer, and of all nodes', async () => {
    const [first, second] = [asked.disk('cp').id, asked.disk('cp', 1).id];
    await asked.call('AddFavorite', { path: '/everywhere' });
    await asked.call('AddFavorite', { path: '/layer', nodeGroup: 'cp' });
    await asked.call('AddFavorite', { path: '/node', nodeId: first });
    assert.deepEqual(await paths(), ['/everywhere', '/layer', '/node']);
    assert.deepEqual(await paths({ nodeId: first }), ['/everywhere', '/layer', '/node']);
    assert.deepEqual(await paths({ nodeId: second }), ['/everywhere', '/layer']);
    assert.deepEqual(await paths({ nodeGroup: 'cp' }), ['/everywhere', '/layer']);
    assert.deepEqual(await paths({ nodeGroup: 'sqldb' }), ['/everywhere']);
  });

  it('belong to the account that created them', async () => {
    await asked.call('AddFavorite', { path: '/mine' });
    await asked.platform.addUser({ email: 'other@gantry.example', password: 'x' });
    const session = await asked.platform.createSession('other@gantry.example');
    assert.deepEqual(await paths({ session }), []);
    assert.equal(await result('RemoveFavorite', { session, path: '/mine' }), 4035);
  });

  it('removes favorites, and rejects invalid ones', async () => {
    await asked.call('AddFavorite', { path: '/a' });
    assert.equal(await result('AddFavorite', { path: '/a' }), 4036);
    assert.equal(await result('AddFavorite', { path: 'a' }), 3);
    assert.equal(await result('AddFavorite', { path: '' }), 4033);
    assert.equal(await result('AddFavorite', { path: '/b', filter: 'x'.repeat(256) }), 3);
    assert.equal(await result('AddFavorite', { path: '/b', filter: '(' }), 3);
    assert.equal(await result('AddFavorite', { path: '/b', nodeGroup: 'none' }), 5);
    assert.equal(await result('GetFavorites', { nodeId: 1 }), 5);
    assert.equal(await result('RemoveFavorite', { path: '/a/' }), 0);
    assert.equal(await result('RemoveFavorite', { path: '/a' }), 4035);
    assert.deepEqual(await paths(), []);
  });
});
