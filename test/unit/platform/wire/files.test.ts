import assert from 'node:assert/strict';
import { operationsByName } from '../../../../src/platform/contract';
import { assertRefused, readAnswer } from '../readAnswer';

describe('responses about files', () => {
  it('a text is accepted only as a string', async () => {
    assert.equal((await readAnswer('Read', { body: '' })).body, '');
    assert.equal((await readAnswer('Read', {})).body, '');
    assert.equal((await readAnswer('Read', { body: null })).body, '');
    for (const body of [12, true, {}, ['x']]) await assertRefused('Read', { body });
  });

  it('mounts and favorites need their path', async () => {
    const mounts = await readAnswer('GetMountPoints', {
      array: [{ path: '/m', type: 'INTERNAL(1)', creator: 1, sourceAddressType: 'NODE_GROUP' }],
    });
    assert.equal(mounts.array[0]?.type, 'INTERNAL');
    assert.equal(mounts.array[0].creator, 'SYSTEM');
    assert.equal(mounts.array[0].sourceAddressType, 'NODE_GROUP');
    await assertRefused('GetMountPoints', { array: [{}] });
    await assertRefused('GetFavorites', { favoriteList: [{ id: 1 }] });
  });

  it('unreadable values are reported by their field, never by their value', async () => {
    const reading = await operationsByName.GetTokens.answer.read({ tokens: ['the-secret'] }, {});
    assert('malformed' in reading);
    assert.match(reading.malformed, /tokens/);
    assert.doesNotMatch(reading.malformed, /the-secret/);
  });
});
