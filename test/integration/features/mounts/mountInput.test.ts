import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { type MountInput, mountInputProblem, sourceParameters } from '../../../../src/features/mounts/mountInput';

const target = { nodeGroup: 'cp', nodeId: 1 };
const mountAt = (path: string, more: Partial<MountInput> = {}): MountInput => ({
  ...{ place: { kind: 'file', account: 'me', environment: 'shop', target, path }, nodeIds: [1] },
  ...{ source: { kind: 'node', nodeId: 7 }, sourcePath: '/var/lib/backup', protocol: 'NFS4' },
  ...{ readOnly: true, name: 'backups', ...more },
});
const problemOf = (path: string, more?: Partial<MountInput>) => mountInputProblem(mountAt(path, more));

describe('a mount to add', () => {
  it('tells the platform the kind of source', () => {
    const kinds: readonly [MountInput['source'], object][] = [
      [
        { kind: 'node', nodeId: 7 },
        { sourceNodeId: 7, sourceAddressType: 'IP' },
      ],
      [
        { kind: 'layer', nodeGroup: 'sqldb', nodeId: 7 },
        { sourceNodeId: 7, sourceHost: 'sqldb', sourceAddressType: 'NODE_GROUP' },
      ],
      [
        { kind: 'host', host: 'storage.example.com' },
        { sourceHost: 'storage.example.com', sourceAddressType: 'DOMAIN' },
      ],
      [
        { kind: 'host', host: '10.0.0.5' },
        { sourceHost: '10.0.0.5', sourceAddressType: 'IP' },
      ],
      [
        { kind: 'host', host: '[fd00::5]' },
        { sourceHost: 'fd00::5', sourceAddressType: 'IP' },
      ],
    ];
    for (const [source, expected] of kinds) assert.deepEqual(sourceParameters(source), expected);
  });

  for (const path of ['', 'var/www', '/', '//', '/.', '/a/..', './x']) {
    it(`can't be at ${JSON.stringify(path)}`, () => {
      assert.ok(problemOf(path));
    });
  }

  for (const sourcePath of ['', ' ', 'var/lib']) {
    it(`can't have its data in ${JSON.stringify(sourcePath)}`, () => {
      assert.ok(problemOf('/mnt/backup', { sourcePath }));
    });
  }

  it("can't have its data in itself on the same node", () => {
    const source = { kind: 'node', nodeId: 1 } as const;
    assert.match(problemOf('/mnt/backup', { source, sourcePath: '/mnt' }) ?? '', /overlap on the same node/);
    assert.match(problemOf('/mnt', { source, sourcePath: '/mnt/backup' }) ?? '', /overlap on the same node/);
    assert.equal(problemOf('/mnt/backup', { source, sourcePath: '/srv' }), undefined);
    assert.equal(problemOf('/mnt/backup', { sourcePath: '/mnt' }), undefined, 'another node');
  });
});
