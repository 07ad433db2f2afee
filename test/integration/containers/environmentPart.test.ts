import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Account } from '../../../src/accounts/accounts';
import { environmentOf } from '../../../src/containers/environment';
import { partOfRow } from '../../../src/containers/environmentPart';

const shop = environmentOf('me', {
  envName: 'shop',
  displayName: 'Shop',
  domain: 'shop.example.com',
  status: 'running',
  nodeGroups: [{ name: 'cp', displayName: 'Servers', deployments: [] }],
  nodes: [{ id: 1, nodeGroup: 'cp' }],
});
const [layer] = shop.layers;
const node = layer?.nodes[0];
const account = { slug: 'me' } as Account;
const deps = {
  accounts: { find: (slug: string) => (slug === 'me' ? account : undefined) },
  environments: { of: () => Promise.resolve([shop]) },
};

describe('the row that a command was called on', () => {
  it('stands for an environment, a layer, or a node, whichever view it is from', async () => {
    assert.deepEqual(await partOfRow({ kind: 'environment', environment: shop }, deps), {
      environment: shop,
      layer: undefined,
      node: undefined,
    });
    assert.deepEqual(await partOfRow({ kind: 'node', environment: shop, layer, node }, deps), {
      environment: shop,
      layer,
      node,
    });
  });

  it('stands for nothing if its environment, layer, or node is gone, or if it is something else', async () => {
    const gone = [
      { environment: { account: 'me', name: 'other' } },
      { environment: { account: 'else', name: 'shop' } },
      { environment: shop, layer: { id: 'bl' } },
      { environment: shop, layer, node: { id: 9 } },
    ];
    for (const received of [...gone, undefined, ['shop'], { kind: 'account' }]) {
      assert.equal(await partOfRow(received, deps), undefined, JSON.stringify(received));
    }
  });
});
