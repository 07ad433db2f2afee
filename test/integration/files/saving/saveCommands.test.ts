import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { describe, it } from 'mocha';
import { commands, type StatusBarItem, TabInputTextDiff, window, workspace } from 'vscode';
import { placeOf } from '../../../../src/containers/place';
import { openInEditor, replaceAll, type } from '../../support/editing';
import { nextEvent } from '../../support/event';
import { Person } from '../../support/person';
import { SavingStage } from '../../support/savingStage';

describe('saving', () => {
  const stage = new SavingStage();
  const { onDisk, text, put, operations, link, opened } = stage;

  describe('to a layer', () => {
    it('writes every node from one, and first names the one that differs', async () => {
      const { path, document, uri } = await opened('old\n');
      await openInEditor(uri);
      await replaceAll(document, 'new\n');
      await put(path, 'only on the second\n', 1);
      await commands.executeCommand('gantry.file.saveToAllNodes');
      assert.ok(document.isDirty);
      assert.equal(await text(path), 'old\n');
      const place = placeOf(uri);
      assert.ok(place?.kind === 'file');
      assert.deepEqual(
        stage.parts.files.edits.conflictOf(place).map(({ node }) => node.target.nodeId),
        [stage.nodes[1]],
      );
      await link('overwrite', uri);
      assert.ok(!document.isDirty);
      assert.equal(await text(path), 'new\n');
      assert.equal(await text(path, 1), 'new\n');
    });

    /** Returns the status bar messages that are shown during the work. */
    async function statusDuring(act: () => PromiseLike<unknown>): Promise<readonly string[]> {
      const { setStatusBarMessage } = window;
      const shown: string[] = [];
      Object.assign(window, {
        setStatusBarMessage: (message: string) => {
          shown.push(message);
          return { dispose: () => undefined };
        },
      });
      try {
        await act();
      } finally {
        Object.assign(window, { setStatusBarMessage });
      }
      return shown;
    }

    it('writes to the other nodes after the file was saved to one', async () => {
      const { path, document, uri } = await opened('old\n');
      await openInEditor(uri);
      await replaceAll(document, 'newer\n');
      assert.ok(await document.save());
      const shown = await statusDuring(() => commands.executeCommand('gantry.file.saveToAllNodes'));
      assert.equal(await text(path, 1), 'newer\n');
      assert.ok(!document.isDirty);
      assert.deepEqual(shown, ['$(check) Saved to 2 nodes']);
    });

    it('asks before it overwrites a different version on another node, then reports success', async () => {
      const { path, document, uri } = await opened('old\n');
      await openInEditor(uri);
      await replaceAll(document, 'newer\n');
      assert.ok(await document.save());
      await put(path, 'only on the second\n', 1);
      assert.deepEqual(await statusDuring(() => commands.executeCommand('gantry.file.saveToAllNodes')), []);
      assert.ok(document.isDirty, "VS Code's own notification goes away when the file is saved");
      assert.equal(await text(path, 1), 'only on the second\n');
      await link('compare', uri);
      const { input } = window.tabGroups.activeTabGroup.activeTab ?? {};
      assert.ok(input instanceof TabInputTextDiff);
      const compared = await workspace.openTextDocument(input.original);
      assert.equal(compared.getText(), 'only on the second\n');
      const updated = nextEvent(workspace.onDidChangeTextDocument, (change) => change.document === compared);
      const shown = await statusDuring(() => link('overwrite', uri));
      assert.equal(await text(path, 1), 'newer\n');
      assert.ok(!document.isDirty);
      assert.deepEqual(shown, ['$(check) Saved to 2 nodes']);
      await updated;
      assert.equal(compared.getText(), 'newer\n');
    });

    it('asks before it overwrites an earlier text that a colleague put back on another node', async () => {
      const { path, document, uri } = await opened('old\n');
      await openInEditor(uri);
      await replaceAll(document, 'newer\n');
      await commands.executeCommand('gantry.file.saveToAllNodes');
      assert.equal(await text(path, 1), 'newer\n');
      await put(path, 'old\n', 1);
      await replaceAll(document, 'newest\n');
      await commands.executeCommand('gantry.file.saveToAllNodes');
      assert.ok(document.isDirty);
      assert.equal(await text(path, 1), 'old\n');
    });

    it('keeps mixed line endings when an unchanged file is saved to the other nodes', async () => {
      const { path, document, uri } = await opened('one\r\ntwo\nthree\n');
      await put(path, 'one\r\ntwo\nthree\n', 1);
      await openInEditor(uri);
      await rm(onDisk(path, 1));
      await commands.executeCommand('gantry.file.saveToAllNodes');
      assert.ok(document.isDirty, 'it was deleted on the second node');
      await link('overwrite', uri);
      assert.equal(await text(path, 1), 'one\r\ntwo\nthree\n');
    });

    it('writes only one node in an ordinary save, and hints at the others', async () => {
      const { path, document, uri } = await opened('old\n');
      await stage.parts.environments.of(stage.account);
      await openInEditor(uri);
      await replaceAll(document, 'new\n');
      const { createStatusBarItem } = window;
      const items: StatusBarItem[] = [];
      Object.assign(window, {
        createStatusBarItem: (...args: Parameters<typeof createStatusBarItem>) => {
          const item = createStatusBarItem(...args);
          items.push(item);
          return item;
        },
      });
      try {
        assert.deepEqual(await statusDuring(() => document.save()), []);
      } finally {
        Object.assign(window, { createStatusBarItem });
      }
      assert.equal(await text(path, 1), 'old\n');
      const [hint] = items.filter(({ text }) => text.includes('Saved on 1 of 2 nodes'));
      assert.equal(hint?.text, '$(save-all) Saved on 1 of 2 nodes: Save to All');
      const { command } = hint;
      assert.ok(typeof command === 'object');
      assert.deepEqual(command.arguments?.map(String), [uri.toString()]);
      await commands.executeCommand(command.command, uri);
      assert.equal(await text(path, 1), 'new\n');
    });

    it('checks and verifies each node if the file was opened from the layer', async () => {
      const { path, document } = await opened('old\n', 'cp');
      await replaceAll(document, 'new\n');
      stage.platform.journal.reset();
      assert.ok(await document.save());
      assert.deepEqual([await text(path), await text(path, 1)], ['new\n', 'new\n']);
      assert.equal(operations().filter((operation) => operation === 'Write').length, 1);
    });
  });

  it("in pieces doesn't change the active file if its link is outdated", async () => {
    const { path, document, uri } = await opened('old\n');
    await openInEditor(uri);
    await type(document, 'typed\n');
    const person = new Person();
    try {
      await person.answering([], () => commands.executeCommand('gantry.file.saveInPieces', 987_654));
    } finally {
      person.leave();
    }
    assert.match(person.seen.join(' | '), /no longer needs to be saved in pieces, or it's closed/);
    assert.ok(document.isDirty);
    assert.equal(await text(path), 'old\n');
  });
});
