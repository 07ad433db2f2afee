import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'mocha';
import { TreeItemCollapsibleState } from 'vscode';
import type { Account } from '../../../../src/accounts/accounts';
import type { LocalPlatform } from '../../../localPlatform/localPlatform';
import { type SharingSetUp, startSharing } from '../../support/sharing';
import { descriptionOf, labelOf, labelsBelow, rowsBelow } from '../../support/trees';

const shop = 'Saltmarsh Tea';

describe('the mounts of an environment', () => {
  let platform: LocalPlatform;
  let account: Account;
  let parts: SharingSetUp['parts'];

  before(async () => {
    ({ platform, account, parts } = await startSharing());
  });

  afterEach(() => {
    platform.faults.clear();
    parts.mounts.refresh();
  });

  after(async () => {
    await parts.accounts.remove(account.slug);
    await platform.dispose();
  });

  const layers = async () => {
    const { mountsView: view } = parts;
    return (await rowsBelow(view, shop)).map((row) => {
      const isUnfolded = view.getTreeItem(row).collapsibleState === TreeItemCollapsibleState.Expanded;
      return `${labelOf(view, row)} | ${descriptionOf(view, row)} | ${isUnfolded ? 'unfolded' : 'folded'}`;
    });
  };

  it('show at one click: layers that have some are unfolded, and each says how many it has', async () => {
    const [node] = platform.nodes('shop', 'cp');
    const [database] = platform.nodes('shop', 'sqldb');
    assert.ok(node && database);
    const target = { nodeGroup: 'cp', nodeId: node.id };
    await parts.mounts.add({
      place: { kind: 'file', account: account.slug, environment: 'shop', target, path: '/mnt/backup' },
      nodeIds: [node.id],
      source: { kind: 'node', nodeId: database.id },
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
    const nodes = await labelsBelow(parts.mountsView, shop, 'Application servers');
    assert.deepEqual(await labelsBelow(parts.mountsView, shop, 'Application servers', nodes[0] ?? ''), ['/mnt/backup']);
  });

  it("show the other layers' mounts if those of one can't be listed, and the reason in its place", async () => {
    const fault = { kind: 'refuse', result: 8, error: 'no' } as const;
    platform.faults.add({ operation: 'GetMountPoints', parameters: { nodeGroup: 'bl' }, times: 'always', fault });
    const [balancer, ...others] = await layers();
    assert.equal(balancer, 'Load balancer |  | unfolded');
    assert.equal(others.length, 2);
    const [problem] = await rowsBelow(parts.mountsView, shop, 'Load balancer');
    assert.equal(problem?.kind, 'problem');
  });
});
