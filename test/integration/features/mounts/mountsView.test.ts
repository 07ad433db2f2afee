import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { TreeItemCollapsibleState } from 'vscode';
import { descriptionOf, labelOf, labelsBelow, rowsBelow } from '../../support/trees';
import { windowScene } from '../../support/windowScene';

const shop = 'Saltmarsh Tea';

describe('the mounts of an environment', () => {
  const scene = windowScene({ sample: 'environments' });
  const cp = scene.environment('shop').layer('cp');
  const sqldb = scene.environment('shop').layer('sqldb');

  afterEach(() => scene.parts.sharing.mounts.refresh());

  const layers = async () => {
    const { mountsView: view } = scene.parts.sharing;
    return (await rowsBelow(view, shop)).map((row) => {
      const isUnfolded = view.getTreeItem(row).collapsibleState === TreeItemCollapsibleState.Expanded;
      return `${labelOf(view, row)} | ${descriptionOf(view, row)} | ${isUnfolded ? 'unfolded' : 'folded'}`;
    });
  };

  it('show at one click: layers that have some are unfolded, and each says how many it has', async () => {
    const { mounts, mountsView } = scene.parts.sharing;
    await mounts.add({
      place: cp.place('/mnt/backup'),
      nodeIds: [cp.nodeId()],
      source: { kind: 'node', nodeId: sqldb.nodeId() },
      sourcePath: '/var/lib/backup',
      protocol: 'NFS4',
      readOnly: true,
      name: 'backups',
    });
    assert.deepEqual(await layers(), [
      'Load balancer | no mount points | folded',
      'Application servers | 1 mount point · 2 nodes | unfolded',
      'Database | no mount points | folded',
    ]);
    const nodes = await labelsBelow(mountsView, shop, 'Application servers');
    assert.deepEqual(await labelsBelow(mountsView, shop, 'Application servers', nodes[0] ?? ''), ['/mnt/backup']);
  });

  it("show the other layers' mounts if those of one can't be listed, and the reason in its place", async () => {
    const ofBalancer = { parameters: { nodeGroup: 'bl' }, times: 'always' } as const;
    scene.fail('GetMountPoints', { kind: 'refuse', result: 8, error: 'no' }, ofBalancer);
    const [balancer, ...others] = await layers();
    assert.equal(balancer, 'Load balancer | NGINX 1.26 | unfolded');
    assert.equal(others.length, 2);
    const [problem] = await rowsBelow(scene.parts.sharing.mountsView, shop, 'Load balancer');
    assert.equal(problem?.kind, 'problem');
  });
});
