import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { commands, type StatusBarItem, TabInputTextDiff, window, workspace } from 'vscode';
import { showVersion } from '../../../../src/files/saving/versionComparisons';
import { uriOfTab } from '../../../../src/files/tabs';
import { entryOfText } from '../../../../src/files/text';
import { clickLink, openInEditor, replaceAll, type } from '../../support/editing';
import { until } from '../../support/event';
import { type Answer, escape } from '../../support/person';
import { windowScene } from '../../support/windowScene';

describe('saving', () => {
  const scene = windowScene();
  const cp = scene.environment('shop').layer('cp', { nodes: 2 });
  const { text, put, opened } = cp;
  const { person, requests } = scene;

  describe('to a layer', () => {
    const answering = (answers: readonly Answer[], act: () => Thenable<unknown>) => person.answering(answers, act);

    it('asks about the node that differs before it saves anything, and leaves the tab as it is', async () => {
      const { path, document, uri, file } = await opened('old\n');
      await openInEditor(uri);
      await replaceAll(document, 'new\n');
      assert.ok(await document.save());
      await put(path, 'only on the second\n', 1);
      scene.platform.journal.reset();
      const second = String(cp.nodeId(1));
      await answering([escape], () => commands.executeCommand('gantry.file.saveToAllNodes'));
      assert.match(person.seen.join(' | '), new RegExp(`Overwrite site\\.conf on node ${second}\\?`));
      assert.ok(!document.isDirty, 'it was saved on its own node');
      assert.ok(!requests().includes('Write'));
      assert.deepEqual(scene.parts.files.edits.conflictOf(file.place), []);
      assert.equal(await text(path, 1), 'only on the second\n');

      const status = await statusDuring(() =>
        answering(['Compare', { presses: 'Overwrite' }], () => commands.executeCommand('gantry.file.saveToAllNodes')),
      );
      const compared = window.tabGroups.all
        .flatMap(({ tabs }) => tabs)
        .find(({ input }) => input instanceof TabInputTextDiff);
      assert.equal(compared?.label, `site.conf: node ${second} ↔ node ${cp.nodeId()}`);
      assert.deepEqual([await text(path), await text(path, 1)], ['new\n', 'new\n'], person.seen.join(' | '));
      assert.ok(!document.isDirty);
      assert.deepEqual(status, ['$(check) Saved on all nodes']);
      assert.ok(compared.input instanceof TabInputTextDiff);
      const shown = await workspace.openTextDocument(compared.input.original);
      await until(workspace.onDidChangeTextDocument, () => shown.getText() === 'new\n');
    });

    it('writes unsaved text to every node after the person agreed to overwrite one', async () => {
      const { path, document, uri } = await opened('old\n');
      await openInEditor(uri);
      await replaceAll(document, 'new\n');
      await put(path, 'only on the second\n', 1);
      await answering(['Overwrite'], () => commands.executeCommand('gantry.file.saveToAllNodes'));
      assert.ok(!document.isDirty);
      assert.deepEqual([await text(path), await text(path, 1)], ['new\n', 'new\n']);
    });

    /** Returns what the left side of a comparison shows from now on. */
    const leftOf = async (title: string) => {
      const find = () => window.tabGroups.all.flatMap(({ tabs }) => tabs).find(({ label }) => label === title)?.input;
      await until(window.tabGroups.onDidChangeTabs, () => find() !== undefined);
      const input = find();
      assert.ok(input instanceof TabInputTextDiff);
      return () => scene.parts.files.texts.provideTextDocumentContent(input.original);
    };

    it('leaves a comparison with an earlier text as it is', async () => {
      const { path, uri } = await opened('old\n');
      await put(path, 'only on the second\n', 1);
      await openInEditor(uri);
      const earlier = scene.parts.files.texts.add(path, 'earlier\n');
      await commands.executeCommand('vscode.diff', earlier, uri, 'Earlier ↔ Current');
      const left = await leftOf('Earlier ↔ Current');
      await answering(['Overwrite'], () => commands.executeCommand('gantry.file.saveToAllNodes', uri));
      assert.deepEqual([await text(path, 1), left()], ['old\n', 'earlier\n']);
    });

    it('leaves a comparison with another node as it is if only the own one is overwritten', async () => {
      const { path, document, uri, file } = await opened('old\n');
      const compare = async (node: number, theirs: string) => {
        const at = cp.place(path, node);
        const found = { kind: 'text', text: theirs, whole: true, entry: entryOfText(at, theirs) } as const;
        await showVersion(file.place, uri, { node: at, found }, scene.parts.files.texts, 'Yours');
        await commands.executeCommand('workbench.action.keepEditor');
        return leftOf(`site.conf: node ${cp.nodeId(node)} ↔ Yours`);
      };
      const other = await compare(1, 'other\n');
      const own = await compare(0, 'theirs\n');
      await replaceAll(document, 'new\n');
      await put(path, 'theirs\n');
      assert.equal(await document.save(), false);
      await clickLink('overwrite', uri);
      assert.deepEqual([await text(path), own(), other()], ['new\n', 'new\n', 'other\n']);
    });

    it('reports a conflict of the file in the editor as a save does', async () => {
      const { path, document, uri } = await opened('old\n');
      await openInEditor(uri);
      await replaceAll(document, 'new\n');
      await put(path, 'changed by a colleague\n');
      await put(path, 'only on the second\n', 1);
      await answering([escape], () => commands.executeCommand('gantry.file.saveToAllNodes'));
      assert.ok(document.isDirty);
      await clickLink('overwrite', uri);
      assert.deepEqual([await text(path), await text(path, 1)], ['new\n', 'new\n']);
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
      assert.deepEqual(shown, ['$(check) Saved on all nodes']);
    });

    it('asks before it overwrites an earlier text that a colleague put back on another node', async () => {
      const { path, document, uri } = await opened('old\n');
      await openInEditor(uri);
      await replaceAll(document, 'newer\n');
      await commands.executeCommand('gantry.file.saveToAllNodes');
      assert.equal(await text(path, 1), 'newer\n');
      await put(path, 'old\n', 1);
      await replaceAll(document, 'newest\n');
      await answering([escape], () => commands.executeCommand('gantry.file.saveToAllNodes'));
      assert.ok(document.isDirty);
      assert.equal(await text(path, 1), 'old\n');
    });

    it('keeps mixed line endings when an unchanged file is saved to the other nodes', async () => {
      const { path, uri } = await opened('one\r\ntwo\nthree\n');
      await put(path, 'one\r\ntwo\nthree\n', 1);
      await openInEditor(uri);
      await cp.remove(path, 1);
      await answering(['Create'], () => commands.executeCommand('gantry.file.saveToAllNodes'));
      assert.equal(await text(path, 1), 'one\r\ntwo\nthree\n');
    });

    /** Returns the hints that are shown during the work, without those that are gone. */
    const hintsDuring = async (
      work: () => Thenable<unknown>,
      words = '1 of 2 nodes',
    ): Promise<readonly StatusBarItem[]> => {
      const { createStatusBarItem } = window;
      const items = new Set<StatusBarItem>();
      Object.assign(window, {
        createStatusBarItem: (...args: Parameters<typeof createStatusBarItem>) => {
          const item = createStatusBarItem(...args);
          const dispose = item.dispose.bind(item);
          const gone = () => {
            items.delete(item);
            dispose();
          };
          items.add(Object.assign(item, { dispose: gone }));
          return item;
        },
      });
      try {
        await work();
      } finally {
        Object.assign(window, { createStatusBarItem });
      }
      return [...items].filter(({ text }) => text.includes(words));
    };

    const openedInFront = async () => {
      const { document, uri, file } = await opened('old\n');
      await scene.parts.environments.of(scene.account);
      await openInEditor(uri);
      return { document, place: file.place };
    };

    it('hints at the other nodes only until the node has its earlier text again', async () => {
      const { document, place } = await openedInFront();
      const { queue, writeIfUnchanged } = scene.parts.files;
      const change = (before: string, text: string) =>
        queue.take([place], () => writeIfUnchanged(place, { before, text }));
      const left: number[] = [];
      const count = async (work: () => Thenable<unknown>) => left.push((await hintsDuring(work)).length);
      await replaceAll(document, 'new\n');
      await count(() => document.save());
      await count(() => change('new\n', 'newer\n'));
      await count(() => change('newer\n', 'old\n'));
      assert.deepEqual(left, [1, 1, 0]);
    });

    it('hints at the other nodes only until they have the text, too', async () => {
      const { document, place } = await openedInFront();
      const other = { ...place, target: { ...place.target, nodeId: cp.nodeId(1) } };
      const { queue, writeIfUnchanged } = scene.parts.files;
      await replaceAll(document, 'new\n');
      const left = await hintsDuring(async () => {
        await document.save();
        const change = { before: 'old\n', text: 'new\n' };
        await queue.take([other], () => writeIfUnchanged(other, change));
      });
      assert.deepEqual(left, []);
    });

    it('offers neither the other nodes nor a restart once another tab is in front, also while its file is read', async () => {
      const { document, place } = await openedInFront();
      const other = await cp.newFile('other.conf', 'other\n');
      await replaceAll(document, 'new\n');
      const created = await hintsDuring(() => document.save(), '');
      const offered = new Set(created.filter(({ text }) => /1 of 2 nodes|Restart Service/.test(text)));
      assert.equal(offered.size, 2);
      for (const item of offered) {
        const dispose = item.dispose.bind(item);
        const gone = () => {
          offered.delete(item);
          dispose();
        };
        Object.assign(item, { dispose: gone });
      }
      const read = scene.hang('Read', { parameters: { path: other.path } });
      const opening = commands.executeCommand('vscode.open', other.uri);
      const shown = () => uriOfTab(window.tabGroups.activeTabGroup.activeTab)?.toString();
      await until(window.tabGroups.onDidChangeTabs, () => shown() === other.uri.toString());
      const left = [...offered].map((item) => item.text);
      await commands.executeCommand('gantry.file.saveToAllNodes');
      read.release();
      await opening;
      assert.deepEqual(left, []);
      assert.equal(await text(place.path, 1), 'old\n', 'from the palette, it is not about the file before either');
    });

    it('knows the other nodes of an open file although no view has listed them, as in a window that restores its editors', async () => {
      const { file, uri } = await opened('old\n');
      const { environments } = scene.parts.files;
      const { account, environment } = file.place;
      await environments.forget(account);
      const isKnown = () => environments.knownLayer(account, environment, 'cp') !== undefined;
      assert.ok(!isKnown());
      await openInEditor(uri);
      await until(environments.onDidList, isKnown);
    });

    it("doesn't ask for the other nodes again and again while the environments can't be listed", async () => {
      const { file } = await opened('one\n');
      const { environments } = scene.parts.files;
      const account = scene.parts.accounts.find(file.place.account) ?? assert.fail('not signed in');
      let asked = 0;
      const refuse = () => Promise.reject(new Error(`refused ${++asked} times`));
      await environments.forget(account.slug);
      Object.assign(account, { call: refuse });
      try {
        [1, 2, 3].forEach(() => environments.learn(file.place));
        await environments.soon(account).catch(() => undefined);
        const before = asked;
        environments.learn(file.place);
        assert.ok(before > 0);
        assert.equal(asked, before);
      } finally {
        Reflect.deleteProperty(account, 'call');
      }
    });

    it('writes only one node in an ordinary save, and hints at the others', async () => {
      const { path, document, uri } = await opened('old\n');
      await scene.parts.environments.of(scene.account);
      await openInEditor(uri);
      await replaceAll(document, 'new\n');
      const [hint] = await hintsDuring(async () => {
        assert.deepEqual(await statusDuring(() => document.save()), []);
      });
      assert.equal(await text(path, 1), 'old\n');
      assert.equal(hint?.text, '$(save-all) 1 of 2 nodes');
      const { command } = hint;
      assert.ok(typeof command === 'object');
      assert.deepEqual(command.arguments?.map(String), [uri.toString()]);
      await commands.executeCommand(command.command, uri);
      assert.equal(await text(path, 1), 'new\n');
    });

    it("offers a restart after a save until the platform says that the token doesn't permit it", async () => {
      const { document, uri } = await opened('old\n');
      await openInEditor(uri);
      const save = async (text: string) => {
        await replaceAll(document, text);
        await document.save();
      };
      const { account, parts } = scene;
      const offersDuring = async (work: () => Promise<void>) =>
        (await hintsDuring(work, 'Restart Service…')).map(({ text }) => text);
      assert.deepEqual(await offersDuring(() => save('new\n')), ['$(debug-restart) Restart Service…']);
      const refused = async () => {
        const fault = { kind: 'refuse', result: 8202, error: 'not permitted' } as const;
        scene.fail('RestartServices', fault);
        await assert.rejects(account.call('RestartServices', { envName: 'shop', nodeId: cp.nodeId() }));
      };
      try {
        const left = await offersDuring(async () => {
          await save('newer\n');
          await refused();
        });
        assert.deepEqual(left, []);
        assert.deepEqual(await offersDuring(() => save('newest\n')), []);
      } finally {
        parts.accounts.forgetRights();
      }
    });

    it('checks and verifies each node if the file was opened from the layer', async () => {
      const { path, document } = await opened('old\n', { wholeLayer: true });
      await replaceAll(document, 'new\n');
      scene.platform.journal.reset();
      assert.ok(await document.save());
      assert.deepEqual([await text(path), await text(path, 1)], ['new\n', 'new\n']);
      assert.equal(scene.count('Write'), 1);
    });
  });

  it("in pieces doesn't change the active file if its link is outdated", async () => {
    const { path, document, uri } = await opened('old\n');
    await openInEditor(uri);
    await type(document, 'typed\n');
    await person.answering([], () => commands.executeCommand('gantry.file.saveInPieces', 987_654));
    assert.match(person.seen.join(' | '), /no longer needs to be saved in pieces, or it's closed/);
    assert.ok(document.isDirty);
    assert.equal(await text(path), 'old\n');
  });
});
