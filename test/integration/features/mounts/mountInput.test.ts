import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Container } from '../../../../src/containers/environmentPart';
import type { Environment, Layer, Node } from '../../../../src/containers/environment';
import {
  type MountInput,
  mountInputFrom,
  mountInputProblem,
  mountQuestions,
  mountSummary,
  mountTitle,
} from '../../../../src/features/mounts/mountInput';
import { sourceParameters } from '../../../../src/features/mounts/mount';

const target = { nodeGroup: 'cp', nodeId: 1 };
const mountAt = (path: string, more: Partial<MountInput> = {}): MountInput => ({
  place: { kind: 'file', account: 'me', environment: 'shop', target, path },
  nodeIds: [1],
  source: { kind: 'node', nodeId: 7 },
  sourcePath: '/var/lib/backup',
  protocol: 'NFS4',
  readOnly: true,
  name: 'backups',
  ...more,
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

describe('the questions for a mount', () => {
  const node = (id: number): Node => ({
    id,
    name: 'PHP',
    type: 'php',
    address: undefined,
    isMaster: true,
    takesProjects: true,
    contextPattern: undefined,
    singleContext: false,
  });
  const layer = (id: string, name: string, ...ids: readonly number[]): Layer => ({
    id,
    name,
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
    layers: [layer('cp', 'Servers', 1, 2), layer('sqldb', 'Database', 7)],
  };
  const [cp, sqldb] = environment.layers;
  assert.ok(cp && sqldb);
  const all: readonly Container[] = [
    { environment, layer: cp, node: undefined },
    { environment, layer: cp, node: cp.nodes[0] },
    { environment, layer: sqldb, node: sqldb.nodes[0] },
  ];
  const parts = { all, problems: [] };
  const asking = { sources: parts, targets: parts, target: undefined };
  const questions = mountQuestions(asking, undefined as never);
  const manners = (entered: Readonly<Record<string, string>>) =>
    questions(entered).flatMap((one) =>
      one.kind === 'choice' && one.key === 'manner' ? one.choices.map(({ value }) => value) : [],
    );

  it('have a number that no answer changes', () => {
    assert.equal(questions({})[0]?.total, 6);
    for (const entered of [{ where: '0' }, { where: '0', from: '2' }, { where: '0', from: 'host' }]) {
      assert.equal(questions(entered).length, 6);
    }
    assert.equal(mountQuestions({ ...asking, target: all[0] }, undefined as never)({}).length, 5);
  });

  it('offer only protocols that fit the source, and read-only first', () => {
    const protocols = (entered: Readonly<Record<string, string>>) => [
      ...new Set(manners(entered).map((manner) => manner.split(' ')[0])),
    ];
    assert.deepEqual(manners({ where: '1', from: '1' }), ['LOCAL readOnly', 'LOCAL readWrite']);
    assert.deepEqual(protocols({ where: '1', from: '2' }), ['NFS', 'NFS4', 'NFS3']);
    assert.deepEqual(protocols({ where: '2', from: '0' }), ['NFS', 'NFS4', 'NFS3', 'GLUSTER']);
    assert.deepEqual(protocols({ where: '1', from: 'host' }), ['NFS', 'NFS4', 'NFS3', 'GLUSTER', 'WEBDAV']);
    assert.equal(manners({ where: '0' })[0], 'NFS readOnly');
  });

  it('offer no layer as its own source, and a node as its own only at the end', () => {
    const sources = (where: string) =>
      questions({ where }).flatMap((one) =>
        one.kind === 'choice' && one.key === 'from' ? one.choices.map(({ label }) => label) : [],
      );
    assert.deepEqual(sources('1').slice(-2), ['Another host…', 'Same node']);
    assert.deepEqual(sources('2').slice(-2), ['Another host…', 'Same node']);
    assert.ok(sources('2').includes('Servers'));
    assert.ok(!sources('0').includes('Servers') && !sources('0').includes('Same node'));
  });

  it('show the answers so far in their title, and all of them before it mounts', () => {
    const entered = { where: '0', path: '/mnt/data', from: '2', sourcePath: '/var/lib' };
    assert.equal(mountTitle(asking, {}), 'Add Mount Point');
    assert.equal(mountTitle(asking, { where: '1' }), 'Add Mount Point · Shop · PHP (1)');
    const partly = mountTitle(asking, { where: '0', path: '/mnt/data', from: '2', sourcePath: '' });
    assert.equal(partly, 'Servers · /mnt/data · From PHP (7)');
    assert.equal(mountTitle(asking, entered), 'Servers · /mnt/data · From PHP (7):/var/lib');
    assert.equal(
      mountSummary(asking, { ...entered, manner: 'NFS readOnly' }),
      'On Shop · Servers (2 nodes)\nFrom PHP (7):/var/lib\nNFS, read-only',
    );
  });

  it('take a host with the path of its data', () => {
    const input = (host: string) =>
      mountInputFrom(asking, {
        where: '0',
        path: '/mnt/data',
        from: 'host',
        host,
        manner: 'NFS readOnly',
      });
    assert.deepEqual(input('storage.example.com:/data')?.source, { kind: 'host', host: 'storage.example.com' });
    assert.equal(input('[fd00::5]:/data')?.sourcePath, '/data');
    const host = questions({ where: '0', from: 'host' }).find(({ key }) => key === 'host');
    assert.ok(host !== undefined && host.kind !== 'choice' && host.kind !== 'own');
    assert.equal(host.problem?.('10.0.0.5:/data'), undefined);
    assert.match(host.problem?.('10.0.0.5:/data ') ?? '', /can't end with a space/);
    assert.match(host.problem?.('storage.example.com') ?? '', /Add the path of the data/);
    assert.match(host.problem?.('https://storage.example.com/data') ?? '', /Enter only the name or IP address/);
  });
});
