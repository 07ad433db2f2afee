import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'mocha';
import { commands } from 'vscode';
import type { FaultRule } from '../../localPlatform/faults/fault';
import type { Parts } from '../support/parts';
import { labelOf, rowsBelow, type Tree } from '../support/trees';
import { windowScene } from '../support/windowScene';

const shop = 'Saltmarsh Tea';
const servers = 'Application servers';

/** What a view lists, with at least one row in the sample. */
interface List {
  /** The operation whose response has the rows, and its parameters if a row above needs the same operation. */
  readonly operation: string;
  readonly parameters?: Readonly<Record<string, string>>;
  /** The name of the list in a response, if it is one. */
  readonly field?: string;
  readonly view: (parts: Parts) => Tree<unknown>;
  /** The labels of the rows that lead to it. */
  readonly path: readonly string[];
  /** What the reason begins with if it isn't the only list there. */
  readonly says?: RegExp;
  /** Results that aren't problems, because they have rows of their own, which another test holds. */
  readonly understood?: readonly number[];
}

/** A new list in a view belongs here. */
const lists: Readonly<Record<string, List>> = {
  'the environments': {
    operation: 'GetEnvs',
    field: 'infos',
    path: [],
    understood: [8202],
    view: ({ environmentsView }) => environmentsView,
  },
  'the files of a folder': {
    operation: 'GetList',
    parameters: { path: '/etc/nginx/conf.d' },
    field: 'keywords',
    path: [shop, 'Load balancer', 'NGINX 1.26', 'conf.d'],
    view: ({ environmentsView }) => environmentsView,
  },
  favorites: {
    operation: 'GetFavorites',
    field: 'favoriteList',
    path: [shop],
    view: ({ sharing }) => sharing.favoritesView,
  },
  mounts: {
    operation: 'GetMountPoints',
    field: 'array',
    path: [shop, servers],
    view: ({ sharing }) => sharing.mountsView,
  },
  exports: {
    operation: 'GetExportedList',
    field: 'array',
    path: [shop, 'Database', 'MySQL 8.4'],
    says: /^Exports: /,
    view: ({ sharing }) => sharing.mountsView,
  },
  'the settings of a project': {
    operation: 'GetProject',
    path: [shop, 'ROOT'],
    understood: [5],
    view: ({ projects }) => projects.view,
  },
  'access tokens': {
    operation: 'GetTokens',
    field: 'tokens',
    path: [],
    view: ({ accessView }) => accessView,
  },
  sessions: {
    operation: 'GetSessions',
    field: 'sessions',
    path: ['Sessions'],
    view: ({ accessView }) => accessView,
  },
};

/** Responses that don't say what is in a list. */
const failuresOf = ({ field, understood = [] }: List): readonly FaultRule['fault'][] => [
  ...[8, 5, 11, 17, 99, 4037, 8202]
    .filter((result) => !understood.includes(result))
    .map((result) => ({ kind: 'refuse', result, error: 'no' }) as const),
  { kind: 'reset' },
  { kind: 'reset', when: 'after' },
  { kind: 'truncate', bytes: 20 },
  { kind: 'gatewayError', status: 502 },
  { kind: 'gatewayError', status: 504 },
  { kind: 'gatewayError', status: 502, when: 'after' },
  { kind: 'nestedFailure', shape: 'response' },
  { kind: 'nestedFailure', shape: 'responses' },
  { kind: 'answer', body: '<html>maintenance</html>', contentType: 'text/html' },
  ...(field === undefined ? [] : [`{"result":0,"${field}":7}`, `{"${field}":[]}`]).map(
    (body) => ({ kind: 'answer', body }) as const,
  ),
  { kind: 'answer', body: '' },
];

const kindOf = (row: unknown) => (typeof row === 'object' && row !== null && 'kind' in row ? row.kind : undefined);

/** Responses that are slow or unusual, but say it. */
const troubles: readonly FaultRule['fault'][] = [
  { kind: 'textResult' },
  { kind: 'delay', milliseconds: 150 },
  { kind: 'bandwidth', bytesPerSecond: 4_000 },
];

describe('what every view promises', () => {
  const scene = windowScene({ sample: 'project' });
  const database = scene.environment('shop').layer('sqldb');
  const server = scene.environment('shop').layer('cp');

  before(async () => {
    const { account, parts, platform } = scene;
    const { email, password } = platform.sample;
    await parts.unlocking.unlock(account.slug, email, password);
    const place = { account: account.slug, environment: 'shop' };
    const scope = { nodeGroup: 'bl' };
    const favorite = { ...place, scope, path: '/etc/nginx', keyword: 'nginx', filter: undefined, isDir: true };
    await parts.sharing.favorites.add(favorite);
    await database.makeFolder('/var/lib/backup');
    await parts.sharing.mounts.add({
      place: server.place('/mnt/backup'),
      nodeIds: [server.nodeId()],
      source: { kind: 'node', nodeId: database.nodeId() },
      sourcePath: '/var/lib/backup',
      protocol: 'NFS4',
      readOnly: true,
      name: 'backups',
    });
  });

  afterEach(readAgain);

  after(() => commands.executeCommand('notifications.clearAll'));

  function readAgain(): void {
    const { parts } = scene;
    parts.accounts.forgetRights();
    parts.listings.forgetAll();
    parts.environments.refresh();
    parts.projects.projects.refresh();
    parts.sharing.favorites.refresh();
    parts.sharing.mounts.refresh();
  }

  for (const [name, list] of Object.entries(lists)) {
    const { operation, parameters = {}, path, view: viewIn, says = /./ } = list;
    const labels = async () => {
      const view = viewIn(scene.parts);
      const all = (await rowsBelow(view, ...path)).map((row) => labelOf(view, row));
      // A project's row doesn't wait for the commit on the nodes.
      return all.filter((label) => !label.startsWith('at '));
    };

    for (const fault of failuresOf(list)) {
      it(`${name} never look empty because of ${JSON.stringify(fault)}, and Retry reloads them`, async () => {
        const usual = await labels();
        assert.ok(usual.length > 0);
        readAgain();
        scene.fail(operation, fault, { parameters, times: 'always' });
        const view = viewIn(scene.parts);
        const [problem, ...others] = await rowsBelow(view, ...path);
        assert.deepEqual([kindOf(problem), others.length], ['problem', 0], labelOf(view, problem));
        assert.match(labelOf(view, problem), says);
        scene.platform.faults.clear();
        scene.parts.accounts.forgetRights();
        const { command } = view.getTreeItem(problem);
        assert.equal(command?.command, 'gantry.view.retry');
        await commands.executeCommand(command.command, ...(command.arguments as unknown[]));
        assert.deepEqual(await labels(), usual);
      });
    }

    for (const fault of troubles) {
      it(`${name} are shown even if a platform has ${JSON.stringify(fault)}`, async () => {
        const usual = await labels();
        readAgain();
        scene.fail(operation, fault, { parameters, times: 'always' });
        assert.deepEqual(await labels(), usual);
      });
    }

    it(`${name} are shown once a hanging platform continues`, async () => {
      const usual = await labels();
      readAgain();
      const hanging = scene.hang(operation, { parameters });
      const shown = labels();
      await hanging.reached;
      hanging.release();
      assert.deepEqual(await shown, usual);
    });
  }
});
