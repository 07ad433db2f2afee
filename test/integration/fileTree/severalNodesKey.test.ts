import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import { commands, EventEmitter, workspace } from 'vscode';
import { keepSeveralNodesKey } from '../../../src/fileTree/severalNodesKey';
import type { Layer } from '../../../src/containers/environment';
import { closeWithoutSaving, openInEditor } from '../support/editing';
import { fileUri } from '../support/gantry';
import { endOneLayer, type OneLayer, startOneLayer } from '../support/oneLayer';

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

  it('follows a listing by which a layer turns out to have one node, without a click elsewhere', async () => {
    Object.assign(commands, {
      executeCommand: (_: string, key: unknown, value: unknown) => {
        if (key === 'gantry.severalNodes') set.push(value);
        return Promise.resolve();
      },
    });
    const [listed, other] = [new EventEmitter<void>(), new EventEmitter<never>()];
    const known: Layer[] = [];
    const kept = keepSeveralNodesKey(
      { knownLayer: () => known[0], onDidList: listed.event },
      { onDidExpandElement: other.event, onDidChangeVisibility: other.event },
      (error) => assert.fail(String(error)),
    );
    assert.ok(workspace.textDocuments.some(({ uri }) => uri.scheme === 'gantry'));
    assert.deepEqual(set, ['some']);
    const [environment] = await stage.parts.environments.of(stage.account);
    set.splice(0);
    known.push(...(environment?.layers ?? []));
    assert.equal(known[0]?.nodes.length, 1);
    listed.fire();
    assert.deepEqual(set, ['none']);
    kept.dispose();
  });
});
