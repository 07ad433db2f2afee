import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { commands, EventEmitter, workspace } from 'vscode';
import type { Account } from '../../../src/accounts/accounts';
import { keepLackedKeys, keepSeveralNodesKey, ShownFolders } from '../../../src/files/shownFiles';
import { type Layer, undescribedNode } from '../../../src/containers/environment';
import { windowScene } from '../support/windowScene';

const has = (value: unknown, folder: string) => Array.isArray(value) && value.includes(folder);

describe('the context key for layers with several nodes', () => {
  const { executeCommand } = commands;

  // Before the scene closes the editor.
  afterEach(() => void Object.assign(commands, { executeCommand }));

  const scene = windowScene();
  const cp = scene.environment('shop').layer('cp');
  const set: unknown[] = [];

  beforeEach(async () => {
    await (await cp.file('/srv/shop.conf', 'one\n')).inEditor();
  });

  it('has the folder of an open file until its layer turns out to have one node', async () => {
    Object.assign(commands, {
      executeCommand: (_: string, key: unknown, value: unknown) => {
        if (key === 'gantry.foldersOnSeveralNodes') set.push(value);
        return Promise.resolve();
      },
    });
    const listed = new EventEmitter<void>();
    const known: Layer[] = [];
    const shown = new ShownFolders((error) => assert.fail(String(error)));
    const kept = keepSeveralNodesKey(shown, { knownLayer: () => known[0], onDidList: listed.event });
    const folder = `/shop/cp~${cp.nodeId()}/srv`;
    assert.ok(workspace.textDocuments.some(({ uri }) => uri.scheme === 'gantry'));
    assert.ok(has(set.at(-1), folder));
    const [environment] = await scene.parts.environments.of(scene.account);
    const [layer] = environment?.layers ?? [];
    assert.equal(layer?.nodes.length, 1);
    known[0] = layer;
    listed.fire();
    assert.deepEqual(set.at(-1), []);
    known[0] = { ...layer, nodes: [...layer.nodes, undescribedNode(1)] };
    listed.fire();
    assert.ok(has(set.at(-1), folder));
    kept.dispose();
    shown.dispose();
  });

  it('has folders whose account is known to lack something, until it has that again', () => {
    const keys = new Map<unknown, unknown>();
    Object.assign(commands, {
      executeCommand: (_: string, key: unknown, value: unknown) => Promise.resolve(keys.set(key, value)),
    });
    const path = `/shop/cp~${cp.nodeId()}/srv`;
    const lacking = new Map<string, ReadonlySet<string>>();
    const rights = new EventEmitter<Account>();
    const shown = new ShownFolders((error) => assert.fail(String(error)));
    const find = (slug: string) => {
      const account = scene.parts.accounts.find(scene.account.slug);
      const lacks = (operation: string) => lacking.get(slug)?.has(operation) === true;
      return account && Object.assign(Object.create(account) as Account, { lacks });
    };
    const kept = keepLackedKeys(shown, {
      find,
      onDidChange: scene.parts.accounts.onDidChange,
      onDidChangeRights: rights.event,
    });
    const tell = () => rights.fire(scene.account);
    lacking.set(scene.account.slug, new Set(['AddFavorite']));
    tell();
    assert.ok(has(keys.get('gantry.foldersWithoutAddFavorite'), path));
    assert.ok(!has(keys.get('gantry.foldersWithoutUpload'), path));
    lacking.clear();
    tell();
    assert.deepEqual(keys.get('gantry.foldersWithoutAddFavorite'), []);
    kept.dispose();
    shown.dispose();
    rights.dispose();
  });
});
