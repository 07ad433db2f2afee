import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'mocha';
import { commands, window, workspace } from 'vscode';
import { usualBehaviour } from '../../../localPlatform/behaviour';
import { closeWithoutSaving, openInEditor, type } from '../../support/editing';
import { until } from '../../support/event';
import { fileUri } from '../../support/gantry';
import { replaceAll } from '../../support/editing';
import { clearOneLayer, endOneLayer, type OneLayer, startOneLayer } from '../../support/oneLayer';
import { type Answer, Person } from '../../support/person';

const path = '/srv/shop.conf';

describe('replacing text in a file', () => {
  let stage: OneLayer;
  let person: Person;

  before(async () => {
    stage = await startOneLayer({ nodes: 2 });
  });

  beforeEach(async () => {
    person = new Person();
    await writeFile(onDisk(0), 'one\ntwo\n');
    await writeFile(onDisk(1), 'uno\ntwo\n');
    stage.parts.listings.forgetAll();
  });

  afterEach(async () => {
    person.leave();
    stage.platform.behaviour.readBytes = usualBehaviour.readBytes;
    await clearOneLayer(stage.platform);
  });

  after(() => endOneLayer(stage));

  const onDisk = (node: number) => join(stage.platform.nodeFolder(stage.nodes[node] ?? 0), path);
  const texts = () => Promise.all([0, 1].map((node) => readFile(onDisk(node), 'utf8')));
  const node = () => `cp~${stage.nodes[0]}`;
  const replace = (target: string, ...answers: readonly Answer[]) =>
    person.answering(['two', 'TWO', '', ...answers], () =>
      commands.executeCommand('gantry.file.replace', fileUri(stage.account, 'shop', target, path)),
    );

  it('can be undone', async () => {
    await replace(node(), { presses: 'Undo' });
    assert.match(person.seen.join(' | '), /Replaced text in 1 line of shop\.conf/);
    assert.deepEqual(await texts(), ['one\ntwo\n', 'uno\ntwo\n']);
  });

  it('says how much the platform returned if that is only the beginning, and changes nothing', async () => {
    await writeFile(onDisk(0), `two ${'x'.repeat(96)}`);
    stage.platform.behaviour.readBytes = 40;
    await replace(node());
    assert.match(person.seen.at(-1) ?? '', /Couldn't read shop\.conf\. The platform returned only 40 B of 100 B\./);
    assert.match((await texts())[0] ?? '', /^two x/);
  });

  it("doesn't take someone else's change for a replacement whose response was lost", async () => {
    stage.platform.faults.add({ operation: 'ReplaceInBody', fault: { kind: 'reset', when: 'before' } });
    const check = stage.platform.faults.add({ operation: 'Read', nth: 2, fault: { kind: 'hang' } });
    const replaced = replace(node());
    await check.reached;
    await writeFile(onDisk(0), 'one\ntwo\ncolleague\n');
    check.release();
    await replaced;
    assert.match(
      person.seen.at(-1) ?? '',
      /lost before the platform confirmed the replacement\. Check whether the changes to shop\.conf are yours/,
    );
    assert.equal((await texts())[0], 'one\ntwo\ncolleague\n');
  });

  it('checks every node of a layer after a lost response', async () => {
    stage.platform.faults.add({ operation: 'ReplaceInBody', fault: { kind: 'reset', when: 'before' } });
    const check = stage.platform.faults.add({ operation: 'Read', nth: 3, fault: { kind: 'hang' } });
    const replaced = replace('cp');
    await check.reached;
    await writeFile(onDisk(1), 'uno\nTWO\n');
    check.release();
    await replaced;
    assert.match(person.seen.at(-1) ?? '', /changes to shop\.conf on 1 of 2 nodes are yours/);
    assert.deepEqual(await texts(), ['one\ntwo\n', 'uno\nTWO\n']);
  });

  it("doesn't offer to undo a change that someone else made at the same time", async () => {
    const request = stage.platform.faults.add({ operation: 'ReplaceInBody', fault: { kind: 'hang' } });
    const replaced = replace(node());
    await request.reached;
    await writeFile(onDisk(0), 'one\ntwo\ncolleague\n');
    request.release();
    await replaced;
    assert.match(person.seen.at(-1) ?? '', /shop\.conf also has changes that aren't part of the replacement/);
    assert.equal((await texts())[0], 'one\nTWO\ncolleague\n');
  });

  it("doesn't undo over what someone else has changed since", async () => {
    // Two reads for the replacement, and one before the undo. The fourth is the check of the write itself.
    const check = stage.platform.faults.add({ operation: 'Read', nth: 4, fault: { kind: 'hang' } });
    const replaced = replace(node(), { presses: 'Undo' });
    await check.reached;
    await writeFile(onDisk(0), 'one\nTWO\ncolleague\n');
    check.release();
    await replaced;
    assert.match(person.seen.at(-1) ?? '', /Couldn't undo the replacement in shop\.conf/);
    assert.equal((await texts())[0], 'one\nTWO\ncolleague\n');
  });

  it("offers to undo it again if that wasn't possible, because nothing else keeps the earlier text", async () => {
    const uri = fileUri(stage.account, 'shop', node(), path);
    const hasSeen = (text: string) => until(person.onDidSee, () => person.seen.some((one) => one.includes(text)));
    const typing = async () => {
      await hasSeen('Replaced text in 1 line');
      await type(await openInEditor(uri), ' ');
    };
    const reverting = async () => {
      await hasSeen('shop.conf has unsaved changes. Save or revert them first.');
      await commands.executeCommand('workbench.action.files.revert');
      await writeFile(onDisk(0), 'one\nTWO\ncolleague\n');
    };
    const takingBack = async () => {
      await hasSeen("Couldn't undo the replacement in shop.conf: the file has changed since.");
      await writeFile(onDisk(0), 'one\nTWO\n');
    };
    const undoAfter = (when: Promise<unknown>) => ({ presses: 'Undo', when });
    await replace(node(), undoAfter(typing()), undoAfter(reverting()), undoAfter(takingBack()));
    assert.equal((await texts())[0], 'one\ntwo\n');
    await closeWithoutSaving();
  });

  it('undoes the rest of a layer if a node failed', async () => {
    stage.platform.faults.add({
      ...{ operation: 'Write', parameters: { nodeid: String(stage.nodes[1] ?? 0) } },
      fault: { kind: 'refuse', result: 4099, error: 'read-only file system' },
    });
    await replace('cp', { presses: 'Undo' }, { presses: 'Undo' });
    assert.match(person.seen.join(' | '), /The replacement in shop\.conf was undone on only 1 of 2 nodes\./);
    assert.deepEqual(await texts(), ['one\ntwo\n', 'uno\ntwo\n']);
  });

  it('can be undone in a layer, where each node gets its own text back', async () => {
    await replace('cp', { presses: 'Undo' });
    assert.match(person.seen.join(' | '), /Replaced text in shop\.conf on 2 of 2 nodes/);
    assert.deepEqual(await texts(), ['one\ntwo\n', 'uno\ntwo\n']);
  });

  it("doesn't undo in a layer if one of its nodes has changed since", async () => {
    let press = (): void => undefined;
    const when = new Promise<void>((resolve) => (press = resolve));
    const replaced = replace('cp', { presses: 'Undo', when });
    await until(person.onDidSee, () => person.seen.some((one) => one.startsWith('Replaced text in shop.conf')));
    // The undo reads first. Watching reads other files than this one.
    const check = stage.platform.faults.add({ operation: 'Read', parameters: { path }, fault: { kind: 'hang' } });
    press();
    await check.reached;
    await writeFile(onDisk(0), 'one\nTWO\ncolleague\n');
    await writeFile(onDisk(1), 'uno\nTWO\ncolleague\n');
    check.release();
    await replaced;
    assert.match(person.seen.at(-1) ?? '', /Couldn't undo the replacement in shop\.conf/);
    assert.deepEqual(await texts(), ['one\nTWO\ncolleague\n', 'uno\nTWO\ncolleague\n']);
  });

  it('is refused while an editor has unsaved changes to the file', async () => {
    const uri = fileUri(stage.account, 'shop', node(), path);
    const document = await workspace.openTextDocument(uri);
    await replaceAll(document, 'typed\n');
    await person.answering([], () => commands.executeCommand('gantry.file.replace', uri));
    assert.match(person.seen.at(-1) ?? '', /has unsaved changes/);
    assert.deepEqual(await texts(), ['one\ntwo\n', 'uno\ntwo\n']);
    await window.showTextDocument(document);
    await commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });

  it('can be undone in the file that is open', async () => {
    const uri = fileUri(stage.account, 'shop', node(), path);
    const document = await workspace.openTextDocument(uri);
    await window.showTextDocument(document);
    await person.answering(['two', 'TWO', '', { presses: 'Undo' }], () =>
      commands.executeCommand('gantry.file.replace'),
    );
    assert.deepEqual(await texts(), ['one\ntwo\n', 'uno\ntwo\n']);
    // An open editor reads the file again, and other tests count the reads: this one is the last.
    await commands.executeCommand('workbench.action.closeAllEditors');
  });
});
