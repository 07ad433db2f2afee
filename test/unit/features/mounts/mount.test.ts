import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Environment, Layer, Node } from '../../../../src/containers/environment';
import type { MountEntry } from '../../../../src/platform/wire/environments';
import { exportsOf, isSameMount, layerMounts } from '../../../../src/features/mounts/mount';

const node = (id: number): Node => ({
  id,
  name: `node ${id}`,
  type: undefined,
  address: undefined,
  isMaster: false,
  takesProjects: undefined,
  contextPattern: undefined,
  singleContext: false,
});
const layerOf = (...ids: readonly number[]): Layer => ({
  id: 'cp',
  name: 'Servers',
  nodes: ids.map(node),
  isComplete: true,
  contexts: [],
});
const environment: Environment = {
  account: 'me',
  name: 'shop',
  title: 'Shop',
  domain: undefined,
  status: undefined,
  isAdded: false,
  layers: [],
};
const entry = (nodeId: number | undefined, more: Partial<MountEntry> = {}): MountEntry => ({
  creator: 'USER',
  name: 'data',
  nodeId,
  path: '/mnt/data',
  protocol: 'NFS',
  readOnly: false,
  sourceAddressType: 'IP',
  sourceHost: '10.0.0.9',
  sourceNodeId: 9,
  sourcePath: '/data',
  type: 'INTERNAL',
  ...more,
});

describe('the mounts of a layer', () => {
  const shapeOf = (entries: readonly MountEntry[], layer: Layer) => {
    const { common, own } = layerMounts(entries, environment, layer);
    return {
      common: common.map(({ place }) => place.path),
      own: [...own].map(([id, mounts]) => [
        id,
        mounts.map(({ place }) => `${place.target.nodeId ?? ''} ${place.path}`),
      ]),
    };
  };

  it('are common if every node has the same one', () => {
    assert.deepEqual(shapeOf([entry(1), entry(2)], layerOf(1, 2)), { common: ['/mnt/data'], own: [] });
  });

  it('belong to the nodes if one of them has none, or another source, protocol, or access', () => {
    assert.deepEqual(shapeOf([entry(1)], layerOf(1, 2)), { common: [], own: [[1, ['1 /mnt/data']]] });
    for (const other of [
      { sourcePath: '/x' },
      { protocol: 'NFS4' },
      { readOnly: true },
      { creator: 'SYSTEM' },
    ] as const) {
      const { common, own } = shapeOf([entry(1), entry(2, other)], layerOf(1, 2));
      assert.deepEqual([common.length, own.length], [0, 2], JSON.stringify(other));
    }
  });

  it('are still the same if they were taken for one', () => {
    for (const other of [
      { sourceAddressType: 'DOMAIN' },
      { type: 'EXTERNAL' },
      { name: 'other' },
      { readOnly: undefined },
      { creator: undefined },
    ] as Partial<MountEntry>[]) {
      const both = [entry(1), entry(2, other)];
      const [mount, ...others] = layerMounts(both, environment, layerOf(1, 2)).common;
      assert.ok(mount, JSON.stringify(other));
      assert.deepEqual(others, []);
      assert.deepEqual(
        both.map((one) => isSameMount(mount, one)),
        [true, true],
        JSON.stringify(other),
      );
    }
    const [mount] = layerMounts([entry(1)], environment, layerOf(1)).own.get(1) ?? [];
    assert.ok(mount);
    assert.equal(isSameMount(mount, entry(1, { sourcePath: '/x' })), false);
  });

  it('of a single node belong to it', () => {
    assert.deepEqual(shapeOf([entry(1)], layerOf(1)), { common: [], own: [[1, ['1 /mnt/data']]] });
  });

  it('without a node belong to the only node, or to the layer', () => {
    assert.deepEqual(shapeOf([entry(undefined)], layerOf(1)).own, [[1, ['1 /mnt/data']]]);
    assert.deepEqual(shapeOf([entry(undefined)], layerOf(1, 2)).common, ['/mnt/data']);
    assert.deepEqual(shapeOf([entry(undefined)], layerOf()).common, ['/mnt/data']);
  });

  it("aren't lost if their node is unknown", () => {
    assert.deepEqual(shapeOf([entry(7)], layerOf(1, 2)).own, [[7, ['7 /mnt/data']]]);
  });

  it('belong to the platform only if it says so', () => {
    const made = layerMounts(
      [entry(1, { creator: 'SYSTEM' }), entry(1, { creator: undefined })],
      environment,
      layerOf(1),
    );
    assert.deepEqual(
      made.own.get(1)?.map(({ isSystem }) => isSystem),
      [true, false],
    );
  });
});

describe('the exports of a node', () => {
  const at = {
    kind: 'file',
    account: 'me',
    environment: 'shop',
    target: { nodeGroup: 'sqldb', nodeId: 9 },
    path: '/',
  } as const;
  const shapeOf = (entries: readonly MountEntry[]) =>
    exportsOf(entries, at).map(({ place, clients }) => [
      place.path,
      clients.map(({ nodeId, path }) => `${nodeId} ${path}`),
    ]);

  it('can be listed as their clients see them', () => {
    assert.deepEqual(shapeOf([entry(1), entry(2), entry(1, { path: '/mnt/x', sourcePath: '/x' })]), [
      ['/data', ['1 /mnt/data', '2 /mnt/data']],
      ['/x', ['1 /mnt/x']],
    ]);
  });

  it('can be listed as the exporting node sees them', () => {
    const seenFromHere = entry(9, { path: '/data', sourceNodeId: 1, sourcePath: '/mnt/data' });
    assert.deepEqual(shapeOf([seenFromHere]), [['/data', ['1 /mnt/data']]]);
  });

  it('to the node itself are read in the first way', () => {
    assert.deepEqual(shapeOf([entry(9)]), [['/data', ['9 /mnt/data']]]);
  });

  it('without a client are shown too', () => {
    assert.deepEqual(shapeOf([entry(undefined)]), [['/data', []]]);
  });
});
