import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { DataTransfer, DataTransferItem } from 'vscode';
import type { FilePlace } from '../../../../src/containers/place';
import { EnvironmentsDragController } from '../../../../src/features/tree/tree';
import type { Dropped } from '../../../../src/trees/dropped';
import { viewOf } from '../../support/trees';

describe('a drop on the Environments view', () => {
  const folder: FilePlace = {
    kind: 'file',
    account: 'a',
    environment: 'shop',
    target: { nodeGroup: 'cp', nodeId: 1 },
    path: '/etc',
  };
  const entry = { absolutePath: '/etc/hosts', name: 'hosts', isDir: false };
  const row = {
    kind: 'entry',
    place: { ...folder, path: '/etc/hosts' },
    entry,
    via: undefined,
    isConfiguration: false,
    isOnSeveralNodes: false,
  } as const;

  const drop = async (transfer: DataTransfer) => {
    const seen: { folder: FilePlace; dropped: Dropped }[] = [];
    const onto = { ...row, entry: { ...entry, isDir: true }, place: folder };
    const drag = new EnvironmentsDragController(viewOf([onto]), (into, dropped) =>
      Promise.resolve(void seen.push({ folder: into, dropped })),
    );
    await drag.handleDrop(onto, transfer);
    return seen[0];
  };

  it('accepts rows, and editors accept them too', async () => {
    const transfer = new DataTransfer();
    new EnvironmentsDragController(viewOf([]), () => Promise.resolve()).handleDrag([row], transfer);
    assert.equal(await transfer.get('text/uri-list')?.asString(), 'gantry://a/shop/cp~1/etc/hosts');
    assert.deepEqual(await drop(transfer), { folder, dropped: { kind: 'entries', entries: [row] } });
  });

  it('accepts local files by their URIs', async () => {
    const transfer = new DataTransfer();
    transfer.set('text/uri-list', new DataTransferItem('file:///home/a%20b.txt\r\nfile:///home/c'));
    const seen = await drop(transfer);
    assert.ok(seen?.dropped.kind === 'uris');
    assert.deepEqual(
      seen.dropped.uris.map(({ path }) => path),
      ['/home/a b.txt', '/home/c'],
    );
  });
});
