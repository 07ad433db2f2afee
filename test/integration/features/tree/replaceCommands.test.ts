import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { commands, window, workspace } from 'vscode';
import { closeWithoutSaving, openInEditor, type } from '../../support/editing';
import { until } from '../../support/event';
import { fileUri } from '../../support/gantry';
import { replaceAll } from '../../support/editing';
import { type Answer, escape } from '../../support/person';
import { windowScene } from '../../support/windowScene';

const path = '/srv/shop.conf';

describe('replacing text in a file', () => {
  const stage = windowScene();
  const cp = stage.environment('shop').layer('cp', { nodes: 2 });
  const { person } = stage;

  beforeEach(async () => {
    await cp.put(path, 'one\ntwo\n');
    await cp.put(path, 'uno\ntwo\n', 1);
    stage.parts.listings.forgetAll();
  });

  afterEach(async () => {
    const { journal } = stage.parts.files;
    const replaced = (await journal.entries()).filter(({ cause }) => cause === 'replace');
    await journal.drop(stage.account.slug, ...replaced.map(({ id }) => id));
  });

  const onDisk = (node: number) => cp.onDisk(path, node);
  const texts = () => cp.texts(path);
  const node = () => `cp~${cp.nodeId()}`;
  const replace = (target: string, ...answers: readonly Answer[]) =>
    person.answering(['two', 'TWO', '', ...answers], () =>
      commands.executeCommand('gantry.file.replace', fileUri(stage.account, 'shop', target, path)),
    );

  it('can be undone', async () => {
    await replace(node(), { presses: 'Undo' });
    assert.match(person.seen.join(' | '), /Replaced text in 1 line of shop\.conf/);
    assert.deepEqual(await texts(), ['one\ntwo\n', 'uno\ntwo\n']);
  });

  it('counts as an edit only on the nodes where the file has another text', async () => {
    const edited: unknown[] = [];
    const listening = stage.parts.files.fileSystem.onDidAlter((changes) =>
      edited.push(...changes.map(({ place }) => place.target.nodeId ?? 'layer')),
    );
    const replaceOnce = () =>
      person.answering(['uno', 'UNO', ''], () => commands.executeCommand('gantry.file.replace', cp.layerUri(path)));
    try {
      stage.fail('ReplaceInBody', { kind: 'refuse', result: 4037, error: 'denied' });
      await replace(node());
      assert.match(person.seen.at(-1) ?? '', /denied/);
      assert.deepEqual(edited.splice(0), []);
      await replace('cp');
      assert.deepEqual(edited.splice(0), ['layer', ...cp.nodes]);
      await replaceOnce();
      assert.deepEqual(edited.splice(0), [cp.nodeId(1)]);
      await replaceOnce();
      assert.match(person.seen.at(-1) ?? '', /^No matches in shop\.conf\.$/);
      assert.deepEqual(edited, []);
    } finally {
      listening.dispose();
    }
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
    // Two reads for the replacement. The third is the check of the write that undoes it.
    const check = stage.platform.faults.add({ operation: 'Read', nth: 3, fault: { kind: 'hang' } });
    const replaced = replace(node(), { presses: 'Undo' });
    await check.reached;
    await writeFile(onDisk(0), 'one\nTWO\ncolleague\n');
    check.release();
    await replaced;
    assert.match(
      person.seen.at(-1) ?? '',
      /Couldn't restore shop\.conf: it changed in the meantime, so nothing was written\. Check the file\./,
    );
    assert.equal((await texts())[0], 'one\nTWO\ncolleague\n');
  });

  it("can be undone later if that wasn't possible at first, because the earlier text is kept", async () => {
    const uri = fileUri(stage.account, 'shop', node(), path);
    const hasSeen = (text: string) => until(person.onDidSee, () => person.seen.some((one) => one.includes(text)));
    const typing = async () => {
      await hasSeen('Replaced text in 1 line');
      await type(await openInEditor(uri), ' ');
    };
    const undo = (...answers: readonly Answer[]) =>
      person.answering(answers, () => commands.executeCommand('gantry.search.undoReplace'));
    await replace(node(), { presses: 'Undo', when: typing() });
    assert.match(person.seen.at(-1) ?? '', /^Skipped shop\.conf because of unsaved changes/);
    await commands.executeCommand('workbench.action.files.revert');
    await writeFile(onDisk(0), 'one\nTWO\ncolleague\n');
    await undo('Undo');
    assert.match(person.seen.at(-1) ?? '', /Couldn't restore shop\.conf: it changed in the meantime/);
    await writeFile(onDisk(0), 'one\nTWO\n');
    await undo('Undo');
    assert.equal((await texts())[0], 'one\ntwo\n');
    await closeWithoutSaving();
  });

  it('can be undone by this window if the disk could not take the earlier text', async () => {
    const { journal } = stage.parts.files;
    Object.assign(journal, { append: () => Promise.resolve('failed') });
    try {
      await replace(node(), { presses: 'Undo' });
      assert.deepEqual(await texts(), ['one\ntwo\n', 'uno\ntwo\n']);
      await replace(node());
      await person.answering(['Undo'], () => commands.executeCommand('gantry.search.undoReplace'));
      assert.deepEqual(await texts(), ['one\ntwo\n', 'uno\ntwo\n']);
      await person.answering([], () => commands.executeCommand('gantry.search.undoReplace'));
      assert.match(person.seen.at(-1) ?? '', /^No replacement to undo/);
    } finally {
      Reflect.deleteProperty(journal, 'append');
    }
  });

  it('is listed with its time if several can be undone, but without the texts, which may be secret', async () => {
    let press = (): void => undefined;
    const when = new Promise<void>((resolve) => (press = resolve));
    const replaced = replace(node(), { presses: 'Undo', when });
    await until(person.onDidSee, () => person.seen.some((one) => one.startsWith('Replaced text')));
    await writeFile(onDisk(0), 'one\nTWO\ncolleague\ntwo\n');
    press();
    await replaced;
    stage.parts.listings.forgetAll();
    await replace(node());
    await person.answering([escape], () => commands.executeCommand('gantry.search.undoReplace'));
    const seen = person.seen.join('\n');
    assert.match(seen, /Select the replacement to undo/);
    assert.equal(seen.match(/shop\.conf.*replaced just now \(.+, \d+:\d+:\d+\s[AP]M\)/g)?.length, 2, seen);
    assert.doesNotMatch(seen, /TWO|colleague/);
  });

  it('undoes the rest of a layer if a node failed', async () => {
    stage.platform.faults.add({
      operation: 'Write',
      parameters: { nodeid: String(cp.nodeId(1)) },
      fault: { kind: 'refuse', result: 4099, error: 'read-only file system' },
    });
    await replace('cp', { presses: 'Undo' });
    assert.match(person.seen.join(' | '), /Restored 1 of 2 files\./);
    await person.answering(['Undo'], () => commands.executeCommand('gantry.search.undoReplace'));
    assert.deepEqual(await texts(), ['one\ntwo\n', 'uno\ntwo\n']);
  });

  it('can be undone in a layer, where each node gets its own text back', async () => {
    await replace('cp', { presses: 'Undo' });
    assert.match(person.seen.join(' | '), /Replaced text in shop\.conf on 2 of 2 nodes/);
    assert.deepEqual(await texts(), ['one\ntwo\n', 'uno\ntwo\n']);
  });

  it("doesn't undo on the nodes of a layer that have changed since, and says which", async () => {
    let press = (): void => undefined;
    const when = new Promise<void>((resolve) => (press = resolve));
    const replaced = replace('cp', { presses: 'Undo', when });
    await until(person.onDidSee, () => person.seen.some((one) => one.startsWith('Replaced text in shop.conf')));
    await writeFile(onDisk(1), 'uno\nTWO\ncolleague\n');
    press();
    await replaced;
    assert.match(person.seen.at(-1) ?? '', /Restored 1 of 2 files\./);
    assert.deepEqual(await texts(), ['one\ntwo\n', 'uno\nTWO\ncolleague\n']);
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
