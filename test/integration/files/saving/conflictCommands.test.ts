import assert from 'node:assert/strict';
import { utimes } from 'node:fs/promises';
import { describe, it } from 'mocha';
import { type CodeLens, commands, type Uri, window, workspace } from 'vscode';
import { clickLink, comparedTexts, openInEditor, replaceAll, type } from '../../support/editing';
import { until } from '../../support/event';
import { escape } from '../../support/person';
import { conflictPrompt } from '../../../../src/files/saving/conflictPrompt';
import { maskWith } from '../../../../src/files/text';
import { windowScene } from '../../support/windowScene';

/** VS Code forgets the buttons' commands after 100 ms, also if they haven't arrived here by then. */
async function buttonsIn(uri: Uri): Promise<readonly CodeLens[]> {
  for (;;) {
    const found = await commands.executeCommand<readonly CodeLens[]>('vscode.executeCodeLensProvider', uri);
    if (found.every(({ command }) => command !== undefined)) {
      return found;
    }
  }
}

describe('a conflict', () => {
  const scene = windowScene();
  const cp = scene.environment('shop').layer('cp', { nodes: 2 });
  const { text, put, opened } = cp;
  const { person, requests } = scene;

  it('detects a change of the same length, and the user compares, merges, and saves', async () => {
    const { path, document, uri, file } = await opened('one\ntwo\nthree\nfour\nfive\n');
    await openInEditor(uri);
    await type(document, 'zero\n');
    await put(path, 'one\ntwo\nthree\nfour\nFIVE\n');
    assert.equal(await document.save(), false);
    assert.ok(document.isDirty);
    assert.ok(!requests().includes('Write'));
    assert.equal((await file.kept())[0]?.text, document.getText());

    await clickLink('merge', uri);
    assert.equal(document.getText(), 'zero\none\ntwo\nthree\nfour\nFIVE\n');
    assert.ok(document.isDirty);
    assert.equal(await text(path), 'one\ntwo\nthree\nfour\nFIVE\n', 'nothing is saved before it was looked at');
    assert.ok(await document.save());
    assert.equal(await text(path), 'zero\none\ntwo\nthree\nfour\nFIVE\n');
    assert.deepEqual(await file.kept(), []);
  });

  it('inserts conflict markers if both sides changed the same lines', async () => {
    const { path, document, uri, file } = await opened('a\nb\nc\n');
    await replaceAll(document, 'a\nmine\nc\n');
    await put(path, 'a\ntheirs\nc\n');
    assert.equal(await document.save(), false);
    await clickLink('merge', uri);
    // If the window crashes before VS Code has stored the merged text, the next one gets the text before it.
    const [kept] = await file.kept();
    assert.deepEqual(
      [kept?.base.kind === 'version' && kept.base.version.text, kept?.text],
      ['a\nb\nc\n', 'a\nmine\nc\n'],
    );
    assert.match(document.getText(), /<<<<<<< .*\nmine\n======= (node \d+)\ntheirs\n>>>>>>> \1\n/);
    assert.equal(await text(path), 'a\ntheirs\nc\n');
  });

  it("doesn't claim a change or offer a merge if it doesn't know what the text is based on", async () => {
    const { document, uri, file } = await opened('old\n');
    await type(document, 'typed\n');
    const refused = async () => {
      const error: unknown = await Promise.resolve(workspace.fs.writeFile(uri, Buffer.from('typed\nold\n'))).then(
        () => assert.fail('it was saved'),
        (reason: unknown) => reason,
      );
      return String(error);
    };
    await scene.parts.files.edits.rebase(file.place, { kind: 'unknown' });
    const message = await refused();
    assert.match(
      message,
      /may have changed: Gantry doesn't know which version your text is based on\. Nothing was written/,
    );
    assert.match(message, /\[Compare\].*\[Overwrite\]/);
    assert.ok(!message.includes('[Merge]'), message);
  });

  it('saves a merge only after all of its conflicts are resolved', async () => {
    const { path, document, uri } = await opened('a\nb\nc\n');
    await replaceAll(document, 'a\nmine\nc\n');
    await put(path, 'a\ntheirs\nc\n');
    assert.equal(await document.save(), false);
    await clickLink('merge', uri);
    assert.equal(await document.save(), false);
    assert.ok(!requests().includes('Write'));
    assert.ok(document.isDirty);
    await replaceAll(document, 'a\nboth\nc\n');
    assert.ok(await document.save());
    assert.equal(await text(path), 'a\nboth\nc\n');
  });

  it('is asked about before the save fails, and Overwrite continues it', async () => {
    const { path, document } = await opened('old\n');
    await replaceAll(document, 'mine\n');
    await put(path, 'theirs\n');
    assert.ok(await person.answering(['Overwrite'], () => document.save()));
    assert.match(person.seen.join(' '), /Merge or overwrite site\.conf\? The file has changed on node \d+ since/);
    assert.ok(!document.isDirty);
    assert.equal(await text(path), 'mine\n');
  });

  it("isn't asked about if the disk was full during the write, and Merge takes nothing of the user's text for deleted", async () => {
    const { path, document, uri } = await opened('one\ntwo\nthree\n');
    const mine = 'zero\none\ntwo\nthree\n';
    await replaceAll(document, mine);
    scene.fail('Write', { kind: 'diskFull', leaves: 'partial' });
    assert.equal(await person.answering([], () => document.save()), false);
    assert.deepEqual(person.seen, []);
    const left = await text(path);
    assert.ok(left !== mine && mine.startsWith(left));
    await clickLink('merge', uri);
    assert.equal(document.getText(), mine);
    assert.ok(await document.save());
    assert.equal(await text(path), mine);
  });

  it('is not asked about again if the next save is refused for another reason', async () => {
    const { path, document } = await opened('old\n');
    await replaceAll(document, 'mine\n');
    await put(path, 'theirs\n');
    assert.equal(await person.answering([escape], () => document.save()), false);
    await replaceAll(document, `TOKEN=${maskWith('0123456789abcdef')}\n`);
    assert.equal(await person.answering([], () => document.save()), false);
    assert.deepEqual(person.seen, []);
    assert.equal(await text(path), 'theirs\n');
  });

  it('stays if the question is canceled, and Merge puts both versions into the editor, whose sides are accepted one by one', async () => {
    const { path, document } = await opened('a\nb\nc\nd\ne\n');
    await replaceAll(document, 'a\nmine\nc\nd\nmine, too\n');
    await put(path, 'a\ntheirs\nc\nd\ntheirs, too\n');
    assert.equal(await person.answering([escape], () => document.save()), false);
    assert.equal(await text(path), 'a\ntheirs\nc\nd\ntheirs, too\n');
    assert.equal(await person.answering(['Merge'], () => document.save()), false);
    await until(person.onDidSee, () => person.seen.some((seen) => seen.includes('with 2 conflicts')));
    const accept = (...args: readonly unknown[]) => commands.executeCommand('gantry.conflict.acceptSide', ...args);
    const buttons = await buttonsIn(document.uri);
    assert.deepEqual(
      buttons.slice(0, 3).map(({ command }) => command?.title.replace(/\d+/, 'N')),
      ['Accept Current Change (Yours)', 'Accept Incoming Change (node N)', 'Accept Both Changes'],
    );
    assert.equal(buttons.length, 6);
    const [, ...second] = (buttons.at(-1)?.command?.arguments ?? []) as readonly unknown[];
    await accept('theirs', ...second);
    assert.match(document.getText(), />>>>>>> node \d+\nc\nd\ntheirs, too\n$/);
    await person.answering(['Accept Both'], () => accept());
    assert.equal(document.getText(), 'a\nmine\ntheirs\nc\nd\ntheirs, too\n');
    await person.answering([], () => accept('yours'));
    await until(person.onDidSee, () => person.seen.length > 0);
    assert.match(person.seen.join(' '), /This file has no merge conflict/);
    assert.ok(await document.save());
    assert.equal(await text(path), 'a\nmine\ntheirs\nc\nd\ntheirs, too\n');
  });

  it('is resolved by its own button only, also if that is clicked twice', async () => {
    const { path, document } = await opened('a\nb\nc\nd\ne\n');
    await replaceAll(document, 'a\nmine\nc\nd\nmine, too\n');
    await put(path, 'a\ntheirs\nc\nd\ntheirs, too\n');
    assert.equal(await person.answering(['Merge'], () => document.save()), false);
    await until(person.onDidSee, () => person.seen.some((seen) => seen.includes('with 2 conflicts')));
    const [button] = await buttonsIn(document.uri);
    const click = () =>
      commands.executeCommand('gantry.conflict.acceptSide', ...((button?.command?.arguments ?? []) as unknown[]));
    await click();
    const once = document.getText();
    assert.match(once, /^a\nmine\nc\nd\n<<<<<<< Yours\nmine, too\n=======/);
    await person.answering([], click);
    assert.equal(document.getText(), once);
    assert.deepEqual(person.seen, []);
  });

  it('is resolved by its own button also if a line was just typed above it, and one with the same text stays', async () => {
    const { path, document } = await opened('old\nb\nc\nd\nold\n');
    await replaceAll(document, 'mine\nb\nc\nd\nmine\n');
    await put(path, 'theirs\nb\nc\nd\ntheirs\n');
    assert.equal(await person.answering(['Merge'], () => document.save()), false);
    await until(person.onDidSee, () => person.seen.some((seen) => seen.includes('with 2 conflicts')));
    const button = (await buttonsIn(document.uri)).at(-1);
    const [, ...second] = (button?.command?.arguments ?? []) as readonly unknown[];
    await type(document, 'typed\n');
    const click = () => commands.executeCommand('gantry.conflict.acceptSide', 'yours', ...second);
    await click();
    const once = document.getText();
    assert.match(once, /^typed\n<<<<<<< Yours\nmine\n=======.*\ntheirs\n>>>>>>> .*\nb\nc\nd\nmine\n$/);
    await person.answering([], click);
    assert.equal(document.getText(), once);
    assert.deepEqual(person.seen, []);
  });

  it("keeps CRLF, and what has no line break at the file's end, when it is merged and its sides are accepted", async () => {
    const { path, document } = await opened('a\r\nb\r\nc\r\nd');
    await replaceAll(document, 'a\r\nmine\r\nc\r\nd');
    await put(path, 'a\r\ntheirs\r\nc\r\nlast');
    assert.equal(await person.answering(['Merge'], () => document.save()), false);
    await until(person.onDidSee, () => person.seen.some((seen) => seen.includes('with 1 conflict')));
    await commands.executeCommand('gantry.conflict.acceptSide', 'both');
    assert.ok(await document.save());
    assert.equal(await text(path), 'a\r\nmine\r\ntheirs\r\nc\r\nlast');
  });

  it('has sides that are accepted as they are, even if they have lines of equals signs', async () => {
    const { path, document } = await opened('a\n');
    const mine = 'Changes\n=======\nmine\n';
    await replaceAll(document, mine);
    await put(path, 'theirs\n');
    assert.equal(await person.answering(['Merge'], () => document.save()), false);
    await until(person.onDidSee, () => person.seen.some((seen) => seen.includes('with 1 conflict')));
    await commands.executeCommand('gantry.conflict.acceptSide', 'yours');
    assert.equal(document.getText(), mine);
    assert.ok(await document.save());
    assert.equal(await text(path), mine);
  });

  it('says that all of them are resolved, until the file is saved', async () => {
    const { path, document } = await opened('a\n');
    await replaceAll(document, 'mine\n');
    await put(path, 'theirs\n');
    assert.equal(await person.answering(['Merge'], () => document.save()), false);
    await until(person.onDidSee, () => person.seen.some((seen) => seen.includes('with 1 conflict')));
    const { setStatusBarMessage } = window;
    const shown = new Set<string>();
    Object.assign(window, {
      setStatusBarMessage: (message: string) => {
        shown.add(message);
        return { dispose: () => shown.delete(message) };
      },
    });
    const isShown = () => [...shown].some((message) => message.includes('All conflicts are resolved'));
    try {
      await commands.executeCommand('gantry.conflict.acceptSide', 'yours');
      assert.ok(isShown());
      assert.ok(await document.save());
      assert.ok(!isShown());
    } finally {
      Object.assign(window, { setStatusBarMessage });
    }
  });

  it('saves lines that look like the markers of a merge if the file had them before', async () => {
    const { path, document } = await opened('<<<<<<< Yours\nmine\n=======\ntheirs\n>>>>>>> node 1\n');
    await type(document, 'About merging:\n');
    assert.ok(await document.save());
    assert.match(await text(path), /^About merging:\n<<<<<<< Yours\n/);
  });

  it('is asked about once if the save of a person began before any code of saves was loaded', async () => {
    const { path, document, uri, file } = await opened('old\n');
    await type(document, 'typed\n');
    await put(path, 'theirs\n');
    assert.equal(await document.save(), false);
    const { edits, problems } = scene.parts.files;
    const resolve = conflictPrompt(edits, problems, new Set([uri.toString()]));
    await person.answering([escape], () => resolve(file.place));
    assert.match(person.seen.join(' '), /Merge or overwrite site\.conf\?/);
    await person.answering([], () => resolve(file.place));
    assert.deepEqual(person.seen, [], 'the next one may be Auto Save');
  });

  it('keeps the conflict choices when another extension writes the file', async () => {
    const { path, document, uri, file } = await opened('old\n');
    await type(document, 'typed\n');
    await put(path, 'theirs\n');
    // The platform tells times in seconds. VS Code must not take the other extension's time for news about this editor.
    const later = new Date(Date.now() + 60_000);
    await utimes(file.disk, later, later);
    assert.equal(await document.save(), false);
    const { problems } = scene.parts.files;
    const problem = problems.of(file.place);
    assert.equal(problem?.kind, 'conflict');
    await assert.rejects(async () => workspace.fs.writeFile(uri, Buffer.from('by an extension\n')));
    assert.equal(problems.of(file.place)?.id, problem.id);
    await workspace.fs.writeFile(uri, Buffer.from('theirs\n'));
    assert.equal(problems.of(file.place)?.id, problem.id);
    await commands.executeCommand('gantry.conflict.overwrite', problem.id);
    assert.equal(await text(path), 'typed\nold\n');
    assert.equal(problems.of(file.place), undefined);
  });

  it("accepts the server version without writing, and Undo brings back the user's text", async () => {
    const { path, document, uri } = await opened('old\n');
    await openInEditor(uri);
    await replaceAll(document, 'mine\n');
    await put(path, 'theirs\n');
    assert.equal(await document.save(), false);
    await clickLink('accept', uri);
    assert.equal(document.getText(), 'theirs\n');
    assert.ok(!document.isDirty);
    assert.ok(!requests().includes('Write'));
    await commands.executeCommand('undo');
    assert.equal(document.getText(), 'mine\n');
    assert.ok(await document.save());
    assert.equal(await text(path), 'mine\n');
  });

  for (const [what, before, theirs] of [
    ['mixed line endings', 'old\n', 'their\r\nversion\n'],
    ['other line endings', 'old\n', 'their\r\nversion\r\n'],
    ['a byte-order mark', 'old\n', '\uFEFFtheirs\n'],
    ['no byte-order mark anymore', '\uFEFFold\n', 'theirs\n'],
  ] as const) {
    it(`accepts a server version with ${what} without writing`, async () => {
      const { path, document, uri } = await opened(before);
      await openInEditor(uri);
      await replaceAll(document, 'mine\n');
      await put(path, theirs);
      assert.equal(await document.save(), false);
      await clickLink('accept', uri);
      assert.ok(!document.isDirty);
      assert.ok(!requests().includes('Write'));
      assert.equal(await text(path), theirs);
    });
  }

  it("of a whole layer is over once a node's version was accepted, also in the editor title", async () => {
    const { path, document, uri } = await opened('old\n', { wholeLayer: true });
    await openInEditor(uri);
    await replaceAll(document, 'mine\n');
    await put(path, 'theirs\n');
    const { executeCommand } = commands;
    let shown: unknown;
    const noting = (command: string, ...rest: readonly unknown[]) => {
      if (command === 'setContext' && rest[0] === 'gantry.saveProblem') [, shown] = rest;
      return executeCommand(command, ...rest);
    };
    Object.assign(commands, { executeCommand: noting });
    try {
      assert.equal(await document.save(), false);
      assert.equal(shown, 'conflict');
      await clickLink('accept', uri);
      assert.equal(shown, 'none');
    } finally {
      Object.assign(commands, { executeCommand });
    }
    assert.equal(document.getText(), 'theirs\n');
    assert.deepEqual(scene.parts.files.edits.conflictOf(cp.onLayer(path)), []);
    assert.ok(await document.save());
    assert.deepEqual([await text(path), await text(path, 1)], ['theirs\n', 'theirs\n']);
  });

  it('overwrites the version that the user saw, and nothing newer', async () => {
    const { path, document, uri } = await opened('old\n');
    await replaceAll(document, 'mine\n');
    await put(path, 'theirs\n');
    assert.equal(await document.save(), false);
    await put(path, 'theirs, later\n');
    await clickLink('overwrite', uri);
    assert.equal(await text(path), 'theirs, later\n');
    assert.ok(document.isDirty);
    await clickLink('overwrite', uri);
    assert.equal(await text(path), 'mine\n');
    assert.ok(!document.isDirty);
  });

  for (const command of ['overwrite', 'accept', 'merge'] as const) {
    it(`refuses to ${command} in a comparison that shows another version than a later save found`, async () => {
      const { path, document, uri, file } = await opened('old\n');
      await openInEditor(uri);
      await replaceAll(document, 'mine\n');
      await put(path, 'theirs\n');
      assert.equal(await document.save(), false);
      const { problems } = scene.parts.files;
      const earlier = problems.of(file.place)?.id;
      await clickLink('compare', uri);
      assert.deepEqual(await comparedTexts(), ['theirs\n', 'mine\n']);
      await put(path, 'theirs, later\n');
      assert.equal(await document.save(), false);
      await person.answering([], () => commands.executeCommand(`gantry.conflict.${command}`, uri));
      await until(person.onDidSee, () => person.seen.length > 0);
      assert.match(person.seen.join(' '), /site\.conf has changed again since this comparison/);
      // A link of the earlier message is about the earlier version, too.
      await person.answering([], () => commands.executeCommand(`gantry.conflict.${command}`, earlier));
      await until(person.onDidSee, () => person.seen.length > 0);
      assert.match(person.seen.join(' '), /The conflict no longer exists/);
      assert.equal(document.getText(), 'mine\n');
      assert.ok(!requests().includes('Write'));
      await clickLink('compare', uri);
      // The earlier comparison may be the active one for another moment.
      const compared = async () => (await comparedTexts()).join('');
      await until(window.tabGroups.onDidChangeTabs, async () => (await compared()) === 'theirs, later\nmine\n');
      await commands.executeCommand('gantry.conflict.overwrite', uri);
      assert.equal(await text(path), 'mine\n');
    });
  }

  it('is resolved in a comparison with a version that was deleted since, as far as that is possible', async () => {
    const { path, document, uri } = await opened('old\n');
    await openInEditor(uri);
    await replaceAll(document, 'mine\n');
    await put(path, 'theirs\n');
    assert.equal(await document.save(), false);
    await clickLink('compare', uri);
    assert.deepEqual(await comparedTexts(), ['theirs\n', 'mine\n']);
    await cp.remove(path);
    assert.equal(await document.save(), false);
    for (const command of ['compare', 'merge'] as const) {
      await person.answering([], () => commands.executeCommand(`gantry.conflict.${command}`, uri));
      await until(person.onDidSee, () => person.seen.length > 0);
      assert.match(person.seen.join(' '), /The file doesn't exist on node \d+\./);
    }
    await commands.executeCommand('gantry.conflict.overwrite', uri);
    assert.equal(await text(path), 'mine\n');
  });

  it('is merged if the user picks that in the question, also from a comparison with an earlier version', async () => {
    const { path, document, uri } = await opened('a\nb\nc\nd\ne\n');
    await openInEditor(uri);
    const mine = 'mine\nb\nc\nd\ne\n';
    await replaceAll(document, mine);
    await put(path, 'a\nb\nc\nd\ntheirs\n');
    assert.equal(await document.save(), false);
    await clickLink('compare', uri);
    assert.deepEqual(await comparedTexts(), ['a\nb\nc\nd\ntheirs\n', mine]);
    await put(path, 'a\nb\nc\nd\nlater\n');
    assert.equal(await person.answering(['Merge'], () => document.save()), false);
    await until(person.onDidSee, () => person.seen.some((seen) => seen.includes('Merged site.conf')));
    assert.equal(document.getText(), 'mine\nb\nc\nd\nlater\n');
  });

  it('overwrites nothing newer if Overwrite is clicked again after it was resolved', async () => {
    const { path, document, uri } = await opened('old\n');
    await openInEditor(uri);
    await replaceAll(document, 'mine\n');
    await put(path, 'theirs\n');
    assert.equal(await document.save(), false);
    await commands.executeCommand('gantry.conflict.overwrite', uri);
    assert.equal(await text(path), 'mine\n');
    await put(path, 'newer\n');
    await Promise.resolve(commands.executeCommand('gantry.conflict.overwrite', uri)).catch(() => undefined);
    assert.equal(await text(path), 'newer\n');
  });

  it('is resolved by a link of an earlier message if the next save finds the same', async () => {
    const { path, document, file } = await opened('old\n');
    await replaceAll(document, 'mine\n');
    await put(path, 'theirs\n');
    assert.equal(await document.save(), false);
    const earlier = scene.parts.files.problems.of(file.place)?.id;
    assert.ok(earlier !== undefined);
    assert.equal(await document.save(), false);
    await commands.executeCommand('gantry.conflict.overwrite', earlier);
    assert.equal(await text(path), 'mine\n');
  });

  it('overwrites once if the button is clicked twice', async () => {
    const { path, document, uri } = await opened('old\n');
    await openInEditor(uri);
    await replaceAll(document, 'mine\n');
    await put(path, 'theirs\n');
    assert.equal(await document.save(), false);
    const before = scene.count('Write');
    await Promise.allSettled([1, 2].map(async () => commands.executeCommand('gantry.conflict.overwrite', uri)));
    assert.equal(await text(path), 'mine\n');
    assert.equal(scene.count('Write'), before + 1);
    assert.ok(!document.isDirty);
  });

  it('says that it no longer exists if Accept is clicked again, and changes nothing', async () => {
    const { path, document, uri } = await opened('old\n');
    await openInEditor(uri);
    await replaceAll(document, 'mine\n');
    await put(path, 'theirs\n');
    assert.equal(await document.save(), false);
    await commands.executeCommand('gantry.conflict.accept', uri);
    await replaceAll(document, 'typed again\n');
    await Promise.resolve(commands.executeCommand('gantry.conflict.accept', uri)).catch(() => undefined);
    assert.equal(document.getText(), 'typed again\n');
    assert.equal(await text(path), 'theirs\n');
  });
});
