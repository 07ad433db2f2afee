import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Environment } from '../../../../src/containers/environment';
import type { FavoriteEntry } from '../../../../src/platform/wire/environments';
import { favoriteOf, isEntryOf } from '../../../../src/features/favorites/favorite';

const environment: Environment = {
  account: 'me',
  name: 'shop',
  title: 'Shop',
  domain: undefined,
  status: undefined,
  isAdded: false,
  layers: [],
};

describe('a favorite', () => {
  it("is found in the platform's list with or without a name", () => {
    const entries: readonly FavoriteEntry[] = [
      { id: 1, path: '/etc/app.conf', keyword: 'settings', filter: undefined, isDir: false },
      { id: 2, path: '/etc/app.conf', keyword: '', filter: undefined, isDir: false },
      { id: 3, path: '/var/log/', keyword: undefined, filter: undefined, isDir: true },
    ];
    for (const entry of entries) {
      const favorite = favoriteOf(environment, entry, { nodeGroup: 'cp' });
      assert.deepEqual(
        entries.filter((one) => isEntryOf(one, favorite)),
        [entry],
      );
    }
  });
});
