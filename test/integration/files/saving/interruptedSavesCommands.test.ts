import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { commands, ConfigurationTarget, env, window, workspace } from 'vscode';
import { ExpectedError } from '../../../../src/ui/expectedError';
import { backupsIn, closedWindow, readBackups } from '../../../unit/files/journal/journalSetUp';
import { closeWithoutSaving, replaceAll } from '../../support/editing';
import { escape } from '../../support/person';
import { type WindowFile, windowScene } from '../../support/windowScene';

describe('the interrupted saves', () => {
  const scene = windowScene();
  const cp = scene.environment('shop').layer('cp', { nodes: 2 });
  const { text, put } = cp;
  const { person } = scene;

  const ofEndedWindow = () => backupsIn(scene.parts.files.journal.folder, closedWindow('ended'));
  const show = () => commands.executeCommand('gantry.recovery.show');
  const left = async () => (await ofEndedWindow().entries()).filter(({ owner }) => owner.window === 'ended');

  /** Leaves what a window stores on disk when it starts a save. */
  async function interrupted(typed: string): Promise<WindowFile> {
    const { file } = await cp.opened('old\n');
    await commands.executeCommand('workbench.action.closeAllEditors');
    await keep(file, typed);
    return file;
  }

  /** The same without a document, which VS Code would keep in memory for a while. */
  async function interruptedBefore(typed: string): Promise<string> {
    const file = await cp.newFile('site.conf', 'old\n');
    await keep(file, typed);
    return file.path;
  }

  async function keep({ place }: WindowFile, typed: string): Promise<void> {
    const base = { kind: 'version', version: { text: 'old\n', place } } as const;
    await ofEndedWindow().keep({ place, base, reportedStat: undefined, text: typed, scope: undefined });
  }

  it('say so if there are none', async () => {
    await person.answering([], show);
    assert.deepEqual(person.seen, ['There are no interrupted saves.']);
  });

  it("aren't said to be none as long as the keychain is locked", async () => {
    const path = await interruptedBefore('mine\n');
    const { accounts } = scene.parts;
    Object.assign(accounts, { demandRead: () => Promise.reject(new ExpectedError('locked')) });
    try {
      await person.answering([], show);
    } finally {
      Reflect.deleteProperty(accounts, 'demandRead');
    }
    assert.deepEqual(person.seen, ['locked']);
    await person.answering([[path], 'Discard', 'Discard'], show);
  });

  it('are opened as unsaved changes beside what the container has, and kept by this window from then on', async () => {
    const file = await interrupted('mine\n');
    const { path, uri } = file;
    await put(path, 'theirs\n');
    await person.answering([[path], 'Open'], show);
    const editor = window.visibleTextEditors.find(({ document }) => document.uri.toString() === uri.toString());
    assert.equal(editor?.document.getText(), 'mine\n');
    assert.ok(editor.document.isDirty);
    assert.equal(await text(path), 'theirs\n');
    assert.deepEqual(await left(), []);
    assert.deepEqual(
      (await file.kept()).map(({ text: kept }) => kept),
      ['mine\n'],
      'VS Code stores it only a moment later',
    );
    await commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    assert.deepEqual(await file.kept(), []);
  });

  it('are opened although another one has newer changes in its editor', async () => {
    const [first, second] = [await interrupted('1\n'), await interrupted('2\n')];
    const typing = async () => replaceAll(await first.document(), 'newer\n');
    await person.answering([[first.path, second.path], () => ({ presses: 'Open', when: typing() })], show);
    assert.equal(person.seen.at(-1), "Couldn't open 1 of 2 interrupted saves.");
    const texts = [first, second].map(async (file) => (await file.document()).getText());
    assert.deepEqual(await Promise.all(texts), ['newer\n', '2\n']);
    await closeWithoutSaving();
    for (const entry of await left()) await ofEndedWindow().discard(entry);
  });

  it('are discarded together after a question that names them', async () => {
    const [first, second, third] = [await interrupted('1\n'), await interrupted('2\n'), await interrupted('3\n')];
    const both = [first.path, second.path];
    await person.answering([both, 'Discard', escape], show);
    assert.equal((await left()).length, 3, 'kept if the question is canceled');
    await person.answering([both, 'Discard', 'Discard'], show);
    const asked = person.seen.join(' | ');
    assert.match(asked, /Discard unsaved changes to 2 files\?/);
    for (const path of both) assert.ok(asked.includes(path), asked);
    assert.deepEqual(
      (await left()).map(({ place: { path } }) => path),
      [third.path],
    );
    assert.equal(await text(first.path), 'old\n');
    await person.answering([[third.path], 'Discard', 'Discard'], show);
    assert.deepEqual(await left(), []);
  });

  it('say why the file cannot be opened, and open the text on its own', async () => {
    const path = await interruptedBefore('mine\n');
    const fault = { kind: 'refuse', result: 4037, error: 'the disk is gone' } as const;
    for (const operation of ['GetList', 'Read']) scene.fail(operation, fault, { times: 'always' });
    scene.parts.listings.forgetAll();
    await person.answering([[path], 'Open'], show);
    assert.match(
      person.seen.at(-1) ?? '',
      /^Couldn't open site\.conf \(node \d+\)\. Gantry kept your text, and opened it in a separate editor\. Couldn't .*the disk is gone/,
    );
    assert.doesNotMatch(person.seen.at(-1) ?? '', /gantry:/);
    const { document } = window.activeTextEditor ?? assert.fail('nothing was opened');
    assert.deepEqual([document.uri.scheme, document.getText()], ['untitled', 'mine\n']);
    assert.equal((await left()).length, 1);
    scene.platform.faults.clear();
    await commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await person.answering([[path], 'Discard', 'Discard'], show);
  });

  it('say that the file is gone if it was deleted, and open the text on its own', async () => {
    const path = await interruptedBefore('mine\n');
    await cp.remove(path);
    scene.parts.listings.forgetAll();
    await person.answering([[path], 'Open'], show);
    assert.equal(
      person.seen.at(-1),
      `Couldn't open site.conf (node ${cp.nodeId()}). Gantry kept your text, and opened it in a separate editor. The file no longer exists.`,
    );
    await commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await person.answering([[path], 'Discard', 'Discard'], show);
  });

  describe('of a change without an editor', () => {
    const changes = () => scene.parts.files;
    /** The texts that Gantry keeps of a file. */
    const keptOf = async (path: string) => {
      const { saveBackups } = changes();
      const all = (await readBackups(saveBackups)).filter(({ place }) => place.path === path);
      return all.map(({ base, text, entry: { cause, state } }) => [
        base.kind === 'version' && base.version.text,
        text,
        cause,
        state,
      ]);
    };
    /** Makes a change, and returns what is kept when this request arrives, and afterward. */
    const keptDuring = async (operation: string, path: string, work: () => Thenable<unknown>) => {
      const request = scene.platform.faults.add({ operation, fault: { kind: 'hang', when: 'before' } });
      const making = work();
      await request.reached;
      const during = await keptOf(path);
      request.release();
      await making;
      await scene.parts.settled();
      return [during, await keptOf(path)];
    };

    it('can be opened with the text before, and stay until the container has the other one', async () => {
      const file = await cp.newFile('site.conf', 'old\n');
      const { place, path } = file;
      const base = { kind: 'version', version: { text: 'old\n', place } } as const;
      await ofEndedWindow().keepChanges([{ place, cause: 'restore', base, text: 'mine\n' }]);
      await put(path, 'mi');
      await person.answering([[path], 'Open Earlier Text'], show);
      const shown = () => window.activeTextEditor?.document;
      assert.deepEqual([shown()?.getText(), shown()?.isDirty], ['old\n', true]);
      await commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
      await person.answering([[path], 'Open'], show);
      assert.deepEqual([shown()?.getText(), shown()?.isDirty], ['mine\n', true]);
      await commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
      assert.equal((await left()).length, 1);
      await put(path, 'mine\n');
      await person.answering([], show);
      assert.deepEqual(person.seen, ['There are no interrupted saves.']);
      assert.deepEqual(await left(), []);
    });

    it('are versions with the time of the change if it was made although the window closed', async () => {
      const keeping = workspace.getConfiguration('gantry.versionHistory');
      const usual = keeping.inspect('keep')?.globalValue;
      const { place, path } = await cp.newFile('site.conf', 'old\n');
      const base = { kind: 'version', version: { text: 'old\n', place } } as const;
      await ofEndedWindow().keepChanges([{ place, cause: 'append', base, text: 'old\nmine\n' }]);
      const [entry = assert.fail()] = await left();
      await put(path, 'old\nmine\n');
      await keeping.update('keep', 'on', ConfigurationTarget.Global);
      try {
        await person.answering([], show);
        await scene.parts.settled();
        const versions = (await scene.parts.fileVersions.of(place)).map(({ text, at, cause }) => [
          text,
          at - entry.at,
          cause,
        ]);
        assert.deepEqual(versions, [
          ['old\nmine\n', 0, 'append'],
          ['old\n', -1, 'append'],
        ]);
        await person.answering([], show);
        assert.equal((await scene.parts.fileVersions.of(place)).length, 2);
        assert.deepEqual(await left(), []);
      } finally {
        await keeping.update('keep', usual, ConfigurationTarget.Global);
      }
    });

    it('offer only the text before if it is not known what a replacement made of it', async () => {
      const { place, path } = await cp.newFile('site.conf', 'old\n');
      const base = { kind: 'version', version: { text: 'old\n', place } } as const;
      await ofEndedWindow().keepChanges([{ place, cause: 'replaceInFile', base }]);
      await put(path, 'new\n');
      await person.answering([[path], 'Open Earlier Text'], show);
      const { document } = window.activeTextEditor ?? assert.fail('nothing was opened');
      assert.equal(document.getText(), 'old\n');
      assert.ok(await document.save(), 'the comparison showed what it replaces');
      assert.equal(await text(path), 'old\n');
      await commands.executeCommand('workbench.action.closeActiveEditor');
      await changes().saveBackups.settled();
      assert.deepEqual(await left(), []);
    });

    it('are kept from before the write or deletion until it is known how it ended', async () => {
      const { place, path } = await cp.newFile('site.conf', 'old\n');
      const change = (text: string | undefined, before = 'old\n') =>
        changes().queue.take([place], () =>
          changes().writeIfUnchanged(place, { before, text, reason: { cause: 'restore' } }),
        );
      assert.deepEqual(await keptDuring('Write', path, () => change('new\n')), [
        [['old\n', 'new\n', 'restore', 'pending']],
        [],
      ]);
      assert.deepEqual(await keptDuring('Delete', path, () => change(undefined, 'new\n')), [
        [['new\n', undefined, 'restore', 'pending']],
        [],
      ]);
      await put(path, 'old\n');
      scene.fail('Write', { kind: 'refuse', result: 4075, error: 'no space left' });
      assert.equal((await change('new\n')).kind, 'failed');
      scene.fail('Delete', { kind: 'refuse', result: 4075, error: 'device is busy' });
      await assert.rejects(change(undefined));
      assert.deepEqual(await keptOf(path), []);
      scene.fail('Delete', { kind: 'reset', when: 'before' });
      await assert.rejects(change(undefined));
      assert.deepEqual(await keptOf(path), [['old\n', undefined, 'restore', 'unknown']]);
      // It arrives later.
      await cp.remove(path);
      await person.answering([], show);
      assert.deepEqual(await keptOf(path), []);
    });

    it('are those of appended lines and of replacements, too', async () => {
      const { path, uri } = await cp.newFile('site.conf', 'old\n');
      await env.clipboard.writeText('mine');
      const append = () =>
        person.answering(['From clipboard'], () => commands.executeCommand('gantry.file.append', uri));
      const replace = () =>
        person.answering(['old', 'new', ''], () => commands.executeCommand('gantry.file.replace', uri));
      assert.deepEqual(await keptDuring('Append', path, append), [[['old\n', 'old\nmine\n', 'append', 'pending']], []]);
      assert.deepEqual(await keptDuring('ReplaceInBody', path, replace), [
        [['old\nmine\n', undefined, 'replaceInFile', 'pending']],
        [],
      ]);
      for (const operation of ['Append', 'ReplaceInBody']) {
        await put(path, 'old\n');
        scene.parts.listings.forgetAll();
        const make = operation === 'Append' ? append : replace;
        scene.fail(operation, { kind: 'refuse', result: 4075, error: 'no space left' });
        await make();
        assert.deepEqual(await keptOf(path), [], operation);
        scene.fail(operation, { kind: 'reset', when: 'before' });
        await make();
        assert.deepEqual(
          (await keptOf(path)).map(([before, , , state]) => [before, state]),
          [['old\n', 'unknown']],
          operation,
        );
        await put(path, operation === 'Append' ? 'old\nmine\n' : 'old\n');
        await person.answering([], show);
        assert.deepEqual(person.seen, ['There are no interrupted saves.']);
        if (operation === 'ReplaceInBody') {
          assert.equal((await keptOf(path)).length, 1, 'the request may still arrive');
          await put(path, 'new\n');
          await person.answering([[path], 'Discard', 'Discard'], show);
        }
        assert.deepEqual(await keptOf(path), [], operation);
      }
    });
  });

  it('stay if nothing is selected', async () => {
    const { path } = await interrupted('mine\n');
    await person.answering([escape], show);
    await person.answering([[path], escape], show);
    assert.equal((await left()).length, 1);
    await person.answering([[path], 'Discard', 'Discard'], show);
  });
});
