import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import { commands, EventEmitter, workspace } from 'vscode';
import type { Account } from '../../../src/accounts/accounts';
import { keepLackedKeys, keepSeveralNodesKey, ShownFolders } from '../../../src/files/shownFiles';
import { type Layer, undescribedNode } from '../../../src/containers/environment';
import { closeWithoutSaving, openInEditor } from '../support/editing';
import { fileUri } from '../support/gantry';
import { endOneLayer, type OneLayer, startOneLayer } from '../support/oneLayer';

const has = (value: unknown, folder: string) => Array.isArray(value) && value.includes(folder);

describe('the context key for layers with several nodes', () => {
  let stage: OneLayer;
  const { executeCommand } = commands;
  const set: unknown[] = [];

  before(async () => {
    stage = await startOneLayer();
    await writeFile(join(stage.platform.nodeFolder(stage.nodes[0] ?? 0), 'srv/shop.conf'), 'one\n');
    await openInEditor(fileUri(stage.account, 'shop', `cp~${stage.nodes[0]}`, '/srv/shop.conf'));
  });
  after(async () => {
    Object.assign(commands, { executeCommand });
    await closeWithoutSaving();
    await endOneLayer(stage);
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
    const folder = `/shop/cp~${stage.nodes[0]}/srv`;
    assert.ok(workspace.textDocuments.some(({ uri }) => uri.scheme === 'gantry'));
    assert.ok(has(set.at(-1), folder));
    const [environment] = await stage.parts.environments.of(stage.account);
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
    const path = `/shop/cp~${stage.nodes[0]}/srv`;
    const lacking = new Map<string, ReadonlySet<string>>();
    const rights = new EventEmitter<Account>();
    const shown = new ShownFolders((error) => assert.fail(String(error)));
    const find = (slug: string) => {
      const account = stage.parts.accounts.find(stage.account.slug);
      const lacks = (operation: string) => lacking.get(slug)?.has(operation) === true;
      return account && Object.assign(Object.create(account) as Account, { lacks });
    };
    const kept = keepLackedKeys(shown, {
      find,
      onDidChange: stage.parts.accounts.onDidChange,
      onDidChangeRights: rights.event,
    });
    const tell = () => rights.fire(stage.account);
    lacking.set(stage.account.slug, new Set(['AddFavorite']));
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
