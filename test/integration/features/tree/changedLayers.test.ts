import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { commands, env, workspace } from 'vscode';
import { filePlaceOf } from '../../../../src/containers/place';
import { planTransfer } from '../../../../src/files/transfers/plan';
import { runPlan } from '../../../../src/files/transfers/runPlan';
import { fileUri } from '../../support/gantry';
import { listWithoutNode } from '../../support/hiddenNode';
import { type Answer } from '../../support/person';
import { inProduction } from '../../support/production';
import { windowScene } from '../../support/windowScene';

const path = '/srv/shop.conf';
const changes = ['Delete', 'Rename', 'Append', 'ReplaceInBody', 'UnpackByType', 'Write'];

describe('a change of all nodes of a layer', () => {
  const stage = windowScene();
  const cp = stage.environment('shop').layer('cp', { nodes: 2 });
  const { person } = stage;

  beforeEach(async () => {
    await cp.file(path, 'one\ntwo\n');
    stage.platform.journal.reset();
  });

  afterEach(() => stage.parts.environments.refresh());

  const onDisk = (node: number) => cp.onDisk(path, node);
  const run = (command: string, answers: readonly Answer[], uri = cp.layerUri(path)) =>
    person.answering(answers, () => commands.executeCommand(command, uri));
  const sent = () => stage.platform.journal.count(({ operation }) => changes.includes(operation));

  for (const [command, answers] of [
    ['gantry.file.delete', ['Delete']],
    ['gantry.file.rename', ['other.conf']],
    ['gantry.file.append', ['three']],
    ['gantry.file.replace', ['two', 'TWO', '']],
  ] as const) {
    it(`sends nothing if the layer got a node after the question, and says so: ${command}`, async () => {
      // Windows of one browser share it, and what is in it is offered.
      await env.clipboard.writeText('');
      await listWithoutNode(stage, cp.nodeId(1));
      await run(command, answers);
      assert.match(
        person.seen.at(-1) ?? '',
        /the layer has other nodes than before the question, so nothing was changed/,
      );
      assert.equal(sent(), 0);
      assert.equal(await readFile(onDisk(1), 'utf8'), 'one\ntwo\n');
      // Now the question is about both.
      await run(command, answers);
      assert.ok(sent() > 0);
    });
  }

  it('moves nothing if the layer got a node after the question, and says so', async () => {
    await workspace.fs.createDirectory(cp.layerUri('/srv/new'));
    stage.platform.journal.reset();
    await inProduction(['shop'], async () => {
      await commands.executeCommand('gantry.file.cut', cp.layerUri(path));
      await listWithoutNode(stage, cp.nodeId(1));
      await run('gantry.folder.paste', ['Move'], cp.layerUri('/srv/new'));
      assert.match(person.seen.at(-1) ?? '', /the layer has other nodes than before the question/);
      assert.equal(sent(), 0);
      await run('gantry.folder.paste', ['Move'], cp.layerUri('/srv/new'));
    });
    assert.equal(await readFile(cp.onDisk('/srv/new/shop.conf', 1), 'utf8'), 'one\ntwo\n');
    await workspace.fs.delete(cp.layerUri('/srv/new/shop.conf'));
  });

  it('replaces no file on a node that came after the question, and says so', async () => {
    const { folders } = stage.parts.files;
    const folder = filePlaceOf(fileUri(stage.account, 'shop', 'cp', '/srv')) ?? assert.fail();
    await listWithoutNode(stage, cp.nodeId(1));
    const destination = folders.destination(folder);
    const source = { kind: 'file', name: 'shop.conf', read: () => Promise.resolve(Buffer.from('new\n')) } as const;
    const { signal } = new AbortController();
    const plan = await planTransfer([source], destination, signal);
    const { done, failures } = await runPlan(plan, { mayReplace: () => true, signal });
    assert.deepEqual(done, []);
    assert.match(String(failures[0]?.error), /other nodes than before the question/);
    assert.equal(sent(), 0);
  });

  it("asks nothing if an archive can't be unpacked on a whole layer, and says so", async () => {
    await run('gantry.archive.unpack', []);
    assert.match(
      person.seen.join(' | '),
      /this requires a single node, but a whole layer was specified\. Select a node\./,
    );
    assert.equal(person.seen.length, 1);
  });

  it('sends nothing if a node of the same type came after the question, and says so', async () => {
    await listWithoutNode(stage, cp.nodeId(1));
    await run('gantry.archive.unpackOnType', ['/srv/all', 'Unpack'], cp.uri(path));
    assert.match(person.seen.at(-1) ?? '', /shop has other nodes of this type than before the question/);
    assert.equal(sent(), 0);
  });
});
