import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { commands, window } from 'vscode';
import { backupsIn, closedWindow } from '../../../unit/files/journal/journalSetUp';
import { escape } from '../../support/person';
import { type WindowFile, windowScene } from '../../support/windowScene';

describe('the interrupted saves', () => {
  const scene = windowScene();
  const cp = scene.environment('shop').layer('cp', { nodes: 2 });
  const { text, put } = cp;
  const { person } = scene;

  const ofEndedWindow = () => backupsIn(scene.parts.files.journal.folder, closedWindow('ended'));
  const show = () => commands.executeCommand('gantry.recovery.show');
  const left = async () => (await ofEndedWindow().list()).filter(({ entry }) => entry.owner.window === 'ended');

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

  it('are opened as unsaved changes beside what the container has', async () => {
    const { path, uri } = await interrupted('mine\n');
    await put(path, 'theirs\n');
    await person.answering([[path], 'Open'], show);
    const editor = window.visibleTextEditors.find(({ document }) => document.uri.toString() === uri.toString());
    assert.equal(editor?.document.getText(), 'mine\n');
    assert.ok(editor.document.isDirty);
    assert.equal(await text(path), 'theirs\n');
    assert.deepEqual(await left(), []);
    await commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
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

  it('stay if nothing is selected', async () => {
    const { path } = await interrupted('mine\n');
    await person.answering([escape], show);
    await person.answering([[path], escape], show);
    assert.equal((await left()).length, 1);
    await person.answering([[path], 'Discard', 'Discard'], show);
  });
});
