import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { FileEntry } from '../../../src/platform/wire/fileEntry';
import type { EntryElement } from '../../../src/trees/sharedElement';
import { sharedKinds } from '../../../src/trees/sharedRows';
import { atTime } from '../support/trees';

const rowOf = (entry: FileEntry, more: Partial<EntryElement> = {}) => {
  const target = { nodeGroup: 'cp', nodeId: 1 };
  const place = { kind: 'file', account: 'a', environment: 'shop', target, path: entry.absolutePath } as const;
  return sharedKinds.entry.row({
    kind: 'entry',
    place,
    entry,
    via: undefined,
    isConfiguration: false,
    isOnSeveralNodes: false,
    ...more,
  });
};

const tooltipOf = (entry: FileEntry) => {
  const { tooltip } = rowOf(entry);
  assert.ok(typeof tooltip === 'string');
  return tooltip;
};

describe('the row of a file or folder', () => {
  const logs: FileEntry = { absolutePath: '/var/log/nginx', name: 'nginx', shortcut: 'log', isDir: true };
  const file: FileEntry = {
    absolutePath: '/etc/hosts',
    name: 'hosts',
    isDir: false,
    fileType: 'regular file',
    length: 2048,
    lastModified: '2026-03-01 12:00:00',
    permission: '-rw-r--r--',
  };

  it('has the name of a shortcut, then its path, and screen readers hear them in that order', () => {
    const { label, description, accessibilityInformation } = rowOf(logs, { isConfiguration: true });
    assert.deepEqual([label, description], ['log', '/var/log/nginx']);
    assert.equal(accessibilityInformation?.label, 'log, /var/log/nginx, shortcut to a folder');
    assert.equal(rowOf(logs).label, 'nginx', 'in its folder');
  });

  it('says in its tooltip what it has no room for', () => {
    const tooltip = tooltipOf(file);
    for (const fact of [
      '/etc/hosts',
      'Type: file',
      'Size: 2.0 KB',
      'Modified: Mar 1, 2026',
      'Permissions: -rw-r--r--',
    ]) {
      assert.ok(tooltip.includes(fact), `${fact} in ${tooltip}`);
    }
    assert.match(tooltipOf({ ...file, lastModified: 'last week' }), /Modified: last week/);
    assert.match(tooltipOf({ ...file, fileType: 'symbolic link' }), /Type: symbolic link/);
  });

  it("says of a node's shortcut nothing that may have changed since the shortcuts were read", () => {
    const { tooltip } = rowOf({ ...file, shortcut: 'hosts' }, { isConfiguration: true });
    assert.equal(tooltip, '/etc/hosts\nShortcut to a configuration file\nType: file');
  });

  it('of a log says briefly when it was changed, and the tooltip exactly', () => {
    const changed = new Date(2026, 10, 28, 14, 3);
    const log = { ...file, length: 28_672, lastModified: String(changed.getTime()) };
    const now = (moment: Date) => atTime(moment.getTime(), () => rowOf(log, { isLog: true }));
    const { description, tooltip, accessibilityInformation } = now(new Date(2026, 10, 28, 23, 59));
    assert.match(String(description), /^28 KB · 2:03\sPM$/);
    assert.equal(accessibilityInformation?.label, `hosts, ${String(description)}`);
    assert.ok(typeof tooltip === 'string');
    assert.match(tooltip, /^Modified: Nov 28, 2026, 2:03\sPM$/m);
    assert.equal(now(new Date(2026, 10, 29)).description, '28 KB · Nov 28');
    assert.equal(now(new Date(2027, 0, 1)).description, '28 KB · Nov 28, 2026');
  });

  it('has the word for several nodes only in a layer with several', () => {
    assert.equal(rowOf(file).contextValue, 'file');
    assert.equal(rowOf(file, { isOnSeveralNodes: true }).contextValue, 'file severalNodes');
  });
});
