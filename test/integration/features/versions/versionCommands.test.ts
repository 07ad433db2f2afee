import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, before, beforeEach, describe, it } from 'mocha';
import {
  commands,
  ConfigurationTarget,
  env,
  FileChangeType,
  type QuickPick,
  type QuickPickItem,
  type Uri,
  window,
  workspace,
} from 'vscode';
import { webroot } from '../../../unit/localPlatform/vcsSetUp';
import { cancelProgress } from '../../support/cancelProgress';
import { DeployedProject } from '../../support/deployedProject';
import { closeWithoutSaving, comparedTexts, openInEditor, replaceAll } from '../../support/editing';
import { filePlaceOf } from '../../../../src/containers/place';
import { nextEvent, until } from '../../support/event';
import { fileUri, signedIn } from '../../support/gantry';
import { enter, escape, type Person } from '../../support/person';
import { inProduction } from '../../support/production';
import { inAHurry, maxPolls } from '../../support/projects';
import { windowScene } from '../../support/windowScene';

describe('the versions of a file', () => {
  const scene = windowScene({ sample: 'environments' });
  const cp = scene.environment('shop').layer('cp');
  const { person } = scene;
  let count = 0;
  let usual: unknown;

  inAHurry();
  before(() => {
    usual = workspace.getConfiguration('gantry.versionHistory').inspect('keep')?.globalValue;
  });
  beforeEach(async () => {
    person.enter();
    count += 1;
    await cp.put(path(), '\uFEFFone\r\n');
    scene.parts.listings.forgetAll();
  });

  afterEach(async () => {
    await setting('keep', usual);
    // nginx would read it, and not start.
    await cp.remove(path());
  });

  const setting = (name: string, value: unknown) =>
    workspace.getConfiguration('gantry.versionHistory').update(name, value, ConfigurationTarget.Global);
  const path = (name = 'site.conf') => `/etc/nginx/conf.d/${count}-${name}`;
  const disk = (name?: string) => cp.onDisk(path(name));
  const uri = (name?: string) => cp.uri(path(name));
  const save = async (text: string, name?: string): Promise<Uri> => {
    const document = await openInEditor(uri(name));
    await replaceAll(document, text);
    assert.ok(await document.save());
    return document.uri;
  };
  /** Returns the versions that are kept, which happens after the save. */
  const kept = async (least: number, name?: string) => {
    await scene.parts.settled();
    const versions = await scene.parts.fileVersions.of(cp.place(path(name)));
    assert.ok(versions.length >= least, `${versions.length} versions`);
    return versions.map(({ text }) => text);
  };
  /** What followed the newest version. */
  const followed = async (file: Uri) => {
    await scene.parts.settled();
    return (await scene.parts.fileVersions.of(filePlaceOf(file) ?? assert.fail()))[0]?.followed;
  };
  const isKept = () => workspace.getConfiguration('gantry.versionHistory').get('keep');
  const seen = () => person.seen.join('\n');
  const showHistory = (...answers: Parameters<Person['answering']>[0]) =>
    person.answering(answers, () => commands.executeCommand('gantry.version.history', uri()));
  const button = 'Restore';

  /** Restores the version with this index, the oldest being the first. */
  const restoring = (index: number, ...answers: Parameters<Person['answering']>[0]) =>
    person.answering([{ row: '', button }, ...answers], async () => {
      const { createQuickPick } = window;
      // The rows look alike, so only one of them is left.
      const oneRow = (): QuickPick<QuickPickItem> => {
        const pick = createQuickPick();
        const show = pick.show.bind(pick);
        return Object.assign(pick, {
          show: () => {
            const offered = pick.items.filter(({ buttons }) => buttons !== undefined);
            pick.items = offered.reverse().slice(index, index + 1);
            show();
          },
        });
      };
      Object.assign(window, { createQuickPick: oneRow });
      try {
        await commands.executeCommand('gantry.version.history', uri());
      } finally {
        Object.assign(window, { createQuickPick });
      }
    });

  it('are kept only after the person agreed, and then also what was saved before', async () => {
    await setting('keep', 'ask');
    const question = 'Keep earlier versions of the files you save or delete';
    await person.answering([{ presses: 'Keep Versions' }], async () => {
      await save('two\n');
      await until(person.onDidSee, () => seen().includes(question));
    });
    await kept(2);
    await person.answering([], () => save('three\n'));
    await kept(3);
    assert.ok(!seen().includes(question));
    await showHistory(escape);
    assert.match(seen(), /^Select a version to compare it with the current text$/m);
    assert.match(seen(), /^\$\(check\) .+: the text now · just now · saved · 1 line changed$/m);
    assert.match(seen(), /^.+: just now · saved · 1 line changed$/m);
    assert.match(seen(), /^before .+: 1 line$/m);
  });

  it('never have what the platform returned of bytes that are no text, and someone had written', async () => {
    await setting('keep', 'on');
    const document = await openInEditor(uri());
    await replaceAll(document, 'two\n');
    await writeFile(disk(), Buffer.from('Gr\xfc\xdfe\n', 'latin1'));
    assert.ok(await person.answering(['Overwrite'], () => document.save()));
    assert.ok(!document.isDirty);
    assert.equal((await kept(1)).length, 1);
  });

  it('are not kept if the person refuses, or for files that may hold secrets', async () => {
    await setting('keep', 'ask');
    await person.answering([{ presses: "Don't Keep Versions" }], async () => {
      await save('two\n');
      await until(person.onDidSee, () => seen().includes('Keep earlier versions'));
    });
    await until(workspace.onDidChangeConfiguration, () => isKept() === 'off');
    await showHistory();
    assert.match(seen(), /No earlier versions of \d+-site\.conf: gantry\.versionHistory\.keep is off\./);
    await setting('keep', 'on');
    await writeFile(disk('tls.key'), 'one\n');
    scene.parts.listings.forgetAll();
    await person.answering([], () => save('two\n', 'tls.key'));
    await save('three\n');
    await kept(2);
    await person.answering([], () => commands.executeCommand('gantry.version.history', uri('tls.key')));
    assert.match(seen(), /^No earlier versions of \d+-tls\.key: it may hold secrets, or matches .+\.$/m);
    await setting('keep', 'off');
    await person.answering([], () => commands.executeCommand('gantry.version.history', uri('tls.key')));
    assert.match(seen(), /: it may hold secrets/, 'never offers what changes nothing for this file');
  });

  it('are kept in the order of the saves, also of one before the answer is stored', async () => {
    await setting('keep', 'ask');
    const { getConfiguration } = workspace;
    let goOn = (): void => undefined;
    const held = new Promise<void>((resolve) => (goOn = resolve));
    await person.answering([{ presses: 'Keep Versions' }], async () => {
      // The setting has the answer before its update ends.
      const slow: typeof getConfiguration = (...at) => {
        const found = getConfiguration(...at);
        return { ...found, get: found.get.bind(found), update: (...to) => found.update(...to).then(() => held) };
      };
      Object.assign(workspace, { getConfiguration: slow });
      await save('two\n');
      await until(workspace.onDidChangeConfiguration, () => isKept() === 'on');
      Object.assign(workspace, { getConfiguration });
      await save('three\n');
      goOn();
    });
    const texts = ['three', 'two', 'one'].map((text) => `\uFEFF${text}\r\n`);
    assert.deepEqual(await kept(3), texts);
  });

  it('are offered again by the history of a file that has none, however the question was answered', async () => {
    for (const mode of ['ask', 'off']) {
      await setting('keep', mode);
      await showHistory({ presses: 'Keep Versions' });
      await until(person.onDidSee, () => seen().includes('Gantry keeps them when you save the file.'));
      assert.match(
        seen(),
        new RegExp(`^No earlier versions of \\d+-site\\.conf: gantry\\.versionHistory\\.keep is ${mode}\\.$`, 'm'),
      );
      assert.equal(isKept(), 'on');
    }
    await save('two\n');
    await kept(2);
  });

  it('are offered by the history with the question that is still open, which VS Code shows only once', async () => {
    await setting('keep', 'ask');
    const question = 'Keep earlier versions of the files you save or delete';
    const { showInformationMessage } = window;
    let close = (): void => undefined;
    const closed = new Promise<void>((resolve) => (close = resolve));
    await new Promise<void>((resolve, reject) => {
      const unanswered = (text: string) => (text.includes(question) ? (resolve(), closed) : Promise.resolve());
      Object.assign(window, { showInformationMessage: unanswered });
      save('two\n').catch(reject);
    }).finally(() => Object.assign(window, { showInformationMessage }));
    await person.answering([{ presses: 'Keep Versions' }, escape], async () => {
      const shown = commands.executeCommand('gantry.version.history', uri());
      await until(person.onDidSee, () => seen().includes(question));
      // VS Code closes the message where it was before.
      close();
      await shown;
      await until(person.onDidSee, () => seen().includes('Select a version'));
    });
    assert.doesNotMatch(seen(), /No earlier versions/);
    assert.equal(isKept(), 'on');
    await kept(2);
  });

  it('have the times of the saves, however late the question is answered', async () => {
    await setting('keep', 'ask');
    let press = (): void => undefined;
    const when = new Promise<void>((resolve) => (press = resolve));
    let answered = 0;
    await person.answering([{ presses: 'Keep Versions', when }], async () => {
      await save('two\n');
      await until(person.onDidSee, () => seen().includes('Keep earlier versions'));
      answered = Date.now();
      press();
    });
    await kept(2);
    const versions = await scene.parts.fileVersions.of(cp.place(path()));
    assert.ok(versions.every(({ at }) => at <= answered));
  });

  it('follow a file that was renamed before the answer, and stay of one that was deleted', async () => {
    await setting('keep', 'ask');
    await writeFile(disk('gone.conf'), 'one\n');
    const [file, renamed, gone] = [cp.place(path()), cp.place(path('renamed.conf')), cp.place(path('gone.conf'))];
    const at = {
      environment: { account: scene.account.slug, name: 'shop' },
      layer: { id: 'cp' },
      node: { id: cp.nodeId() },
    };
    const { fileVersions } = scene.parts;
    let press = (): void => undefined;
    const when = new Promise<void>((resolve) => (press = resolve));
    await person.answering([{ presses: 'Keep Versions', when }, 'Restart'], async () => {
      await save('# two\n');
      await until(person.onDidSee, () => seen().includes('Keep earlier versions'));
      await save('# two\n', 'gone.conf');
      await closeWithoutSaving();
      await workspace.fs.rename(uri(), uri('renamed.conf'));
      await workspace.fs.delete(uri('gone.conf'));
      await commands.executeCommand('gantry.service.restart', at);
      for (const place of [file, renamed, gone]) assert.deepEqual(await fileVersions.of(place), []);
      press();
      await until(workspace.onDidChangeConfiguration, () => isKept() === 'on');
    });
    assert.deepEqual(await kept(2, 'renamed.conf'), ['\uFEFF# two\r\n', '\uFEFFone\r\n']);
    assert.deepEqual((await fileVersions.of(renamed))[0]?.followed, ['restart']);
    assert.deepEqual(await kept(2, 'gone.conf'), ['# two\n', 'one\n']);
    const deleted = await fileVersions.deletedIn(cp.place('/etc/nginx/conf.d'));
    assert.ok(deleted.some((one) => one.place.path === gone.path));
    await cp.remove(path('renamed.conf'));
  });

  it('are asked for again if the answer could not be stored', async () => {
    await setting('keep', 'ask');
    const question = 'Keep earlier versions of the files you save or delete';
    const isRemote = env.remoteName !== undefined;
    await commands.executeCommand(`workbench.action.open${isRemote ? 'RemoteSettingsFile' : 'SettingsJson'}`);
    await until(window.onDidChangeActiveTextEditor, () => window.activeTextEditor !== undefined);
    const settings = window.activeTextEditor?.document ?? assert.fail('no settings');
    const sound = settings.getText();
    await replaceAll(settings, `not JSON${sound}`);
    try {
      await person.answering([{ presses: 'Keep Versions' }], async () => {
        await save('two\n');
        await until(person.onDidSee, () => /settings/i.test(seen().replace(question, '')));
      });
    } finally {
      // VS Code may have saved the broken text.
      await window.showTextDocument(settings);
      await commands.executeCommand('workbench.action.files.revert');
      if (settings.getText() !== sound) {
        await replaceAll(settings, sound);
        assert.ok(await settings.save());
      }
    }
    await person.answering([{ presses: 'Keep Versions' }], async () => {
      await save('three\n');
      await until(workspace.onDidChangeConfiguration, () => isKept() === 'on');
    });
    assert.deepEqual(
      await kept(3),
      ['three', 'two', 'one'].map((text) => `\uFEFF${text}\r\n`),
    );
  });

  it('say that text was appended or replaced in the file, which asks nothing', async () => {
    const append = () =>
      person.answering(['Enter a line', 'three'], () => commands.executeCommand('gantry.file.append', uri()));
    const replace = () =>
      person.answering(['three', 'four', ''], () => commands.executeCommand('gantry.file.replace', uri()));
    await writeFile(disk(), 'one\ntwo\n');
    await env.clipboard.writeText('x');
    await setting('keep', 'ask');
    await append();
    assert.deepEqual(await kept(0), []);
    assert.doesNotMatch(seen(), /Keep earlier versions/);
    await setting('keep', 'on');
    await replace();
    assert.deepEqual(await kept(3), ['one\ntwo\nfour\n', 'one\ntwo\nthree\n', 'one\ntwo\n']);
    await showHistory(escape);
    assert.match(seen(), /^.+: the text now · just now · replaced in this file · 1 line changed$/m);
    assert.match(seen(), /^.+: just now · appended · 1 line changed$/m);
  });

  it('are not kept of an appended or replaced text with secrets, nor of one that someone else changed at once', async () => {
    await setting('keep', 'on');
    await writeFile(disk('server.key'), 'one\n');
    await writeFile(disk(), 'one\n');
    for (const name of ['server.key', undefined]) {
      const appending = scene.fail('Append', { kind: 'hang', when: 'after' });
      const done = person.answering(['Enter a line', 'two'], () =>
        commands.executeCommand('gantry.file.append', uri(name)),
      );
      await appending.reached;
      if (name === undefined) {
        await writeFile(disk(), 'one\nother\ntwo\n');
      }
      appending.release();
      await done;
      assert.deepEqual(await kept(0, name), []);
    }
    await rm(disk('server.key'));
  });

  it('lack a text that is too long, even if the next one is short', async () => {
    await setting('keep', 'on');
    await writeFile(disk(), `${'x'.repeat(1_000_001)}\n`);
    scene.parts.listings.forgetAll();
    await save('two\n');
    await save('three\n');
    assert.deepEqual(await kept(2), ['three\n', 'two\n']);
  });

  it('are told apart by the second where that is needed, and from the text that the first save found', async () => {
    const place = filePlaceOf(uri()) ?? assert.fail();
    const at = new Date(2026, 10, 23, 14, 5, 7).getTime();
    const version = {
      id: 'x',
      place,
      text: 'one\n',
      isFound: false,
      cause: 'save',
      isBeforeRestore: false,
      followed: [],
    };
    const listed = [
      { ...version, at: at + 60_000 },
      { ...version, at: at + 1000 },
      { ...version, at },
      { ...version, at: at - 1, isFound: true },
    ];
    Object.assign(scene.parts.fileVersions, { of: () => Promise.resolve(listed) });
    try {
      await showHistory(escape);
    } finally {
      Reflect.deleteProperty(scene.parts.fileVersions, 'of');
    }
    const labels = person.seen.filter((one) => one.includes('1 line')).map((one) => one.replace(/M: .*/, 'M'));
    assert.deepEqual(
      labels.map((label) => label.replaceAll(/\s/g, ' ')),
      ['Nov 23, 2026, 2:06 PM', 'Nov 23, 2026, 2:05:08 PM', 'Nov 23, 2026, 2:05:07 PM', 'before Nov 23, 2026, 2:05 PM'],
    );
  });

  it('are restored byte for byte, and can be restored again', async () => {
    await setting('keep', 'on');
    await save('two words\n');
    await kept(2);
    const [before, saved] = [Buffer.from('\uFEFFone\r\n'), await readFile(disk())];
    await restoring(0);
    assert.deepEqual(await readFile(disk()), before);
    assert.match(seen(), /Restored \d+-site\.conf on node \d+ to what it was before .+\./);
    const document = await openInEditor(uri());
    await until(workspace.onDidChangeTextDocument, () => document.getText() === 'one\r\n');
    assert.deepEqual(await kept(3), ['\uFEFFone\r\n', saved.toString(), '\uFEFFone\r\n']);
    await showHistory(escape);
    assert.match(seen(), /^\$\(check\) .+: the text now · just now · restored · 1 line changed$/m);
    assert.match(seen(), /^.+: just now · saved · 1 line changed · before Restore$/m);
    assert.match(seen(), /^\$\(check\) before .+: the text now · 1 line$/m);
  });

  it('are listed with their nodes for a file of a whole layer, and restored on each node', async () => {
    await setting('keep', 'on');
    const other = scene.platform.nodes('shop', 'cp')[1]?.id ?? assert.fail('no second node');
    const onOther = join(scene.platform.nodeFolder(other), path());
    await writeFile(onOther, 'other\n');
    scene.parts.listings.forgetAll();
    try {
      await save('two\n');
      await kept(2);
      const ofLayer = fileUri(scene.account, 'shop', 'cp', path());
      const list = (...answers: Parameters<Person['answering']>[0]) =>
        person.answering(answers, () => commands.executeCommand('gantry.version.history', ofLayer));
      await list(escape);
      assert.match(seen(), new RegExp(`^before .+: node ${cp.nodeId()} · 1 line$`, 'm'));
      await list({ row: 'before', button });
      assert.match(seen(), /Couldn't restore .+: its nodes have different versions\. Restore it on each node\./);
      assert.deepEqual(await Promise.all([disk(), onOther].map((one) => readFile(one, 'utf8'))), [
        '\uFEFFtwo\r\n',
        'other\n',
      ]);
      await writeFile(onOther, await readFile(disk()));
      await list({ row: 'before', button });
      assert.deepEqual(await Promise.all([disk(), onOther].map((one) => readFile(one, 'utf8'))), [
        '\uFEFFone\r\n',
        '\uFEFFone\r\n',
      ]);
    } finally {
      await rm(onOther);
    }
  });

  it('are not said to differ across the nodes if someone changed them all alike while the list was open', async () => {
    await setting('keep', 'on');
    await save('two\n');
    await kept(2);
    const other = scene.platform.nodes('shop', 'cp')[1]?.id ?? assert.fail('no second node');
    const onBoth = [disk(), join(scene.platform.nodeFolder(other), path())] as const;
    await writeFile(onBoth[1], await readFile(disk()));
    scene.parts.listings.forgetAll();
    const change = person.onDidSee(() => {
      if (seen().includes('Restore ')) onBoth.forEach((one) => writeFileSync(one, 'by a colleague\n'));
    });
    try {
      await inProduction(['shop'], () =>
        person.answering([{ row: 'before', button }, 'Restore'], () =>
          commands.executeCommand('gantry.version.history', fileUri(scene.account, 'shop', 'cp', path())),
        ),
      );
      assert.match(
        seen(),
        /Couldn't restore \d+-site\.conf on all nodes: it changed in the meantime, so nothing was written\. Check/,
      );
      for (const one of onBoth) assert.equal(await readFile(one, 'utf8'), 'by a colleague\n');
    } finally {
      change.dispose();
      await rm(onBoth[1]);
    }
  });

  it('are restored from the list although the person canceled reading the file before', async () => {
    await setting('keep', 'on');
    await save('two\n');
    await kept(2);
    await closeWithoutSaving();
    const reading = scene.hang('Read', { parameters: { path: path() } });
    const leave = cancelProgress(reading.reached);
    const listed = person.onDidSee(leave);
    await restoring(0).finally(() => {
      listed.dispose();
      leave();
      reading.release();
    });
    assert.equal(reading.hits, 1);
    assert.equal(await readFile(disk(), 'utf8'), '\uFEFFone\r\n');
  });

  it('are compared with the file as it is now', async () => {
    await setting('keep', 'on');
    await save('two\n');
    await kept(2);
    await person.answering(['before'], () => commands.executeCommand('gantry.version.history', uri()));
    assert.match(
      window.tabGroups.activeTabGroup.activeTab?.label ?? '',
      /site\.conf: before .+, \d+:\d+:\d+\s[AP]M ↔ Current/,
    );
  });

  it('are restored from their comparison after a question, and selected in the list', async () => {
    await setting('keep', 'on');
    await save('two\n');
    await save('three\n');
    await kept(3);
    await showHistory('before');
    const { label = '' } = window.tabGroups.activeTabGroup.activeTab ?? {};
    await showHistory(enter);
    assert.equal(window.tabGroups.activeTabGroup.activeTab?.label, label);
    const restore = (...answers: Parameters<Person['answering']>[0]) =>
      person.answering(answers, () => commands.executeCommand('gantry.version.restore', uri()));
    await restore(escape);
    assert.match(seen(), /^Restore \d+-site\.conf on node \d+ to what it was before .+\?$/m);
    assert.equal(await readFile(disk(), 'utf8'), '\uFEFFthree\r\n');
    await restore('Restore');
    assert.equal(await readFile(disk(), 'utf8'), '\uFEFFone\r\n');
  });

  it("aren't restored over unsaved changes, or in production without a question", async () => {
    await setting('keep', 'on');
    await save('two\n');
    await kept(2);
    await inProduction(['shop'], () => showHistory({ row: 'before', button }, escape));
    assert.match(seen(), /^Restore \d+-site\.conf on node \d+ to what it was before .+\?$/m);
    const document = await openInEditor(uri());
    await replaceAll(document, 'unsaved\n');
    await showHistory({ row: 'before', button });
    assert.match(seen(), /has unsaved changes\. Save or revert them first\./);
    assert.ok(document.isDirty);
  });

  /** Saves twice. Then a colleague saves the file with its first text again. */
  const afterColleague = async () => {
    await setting('keep', 'on');
    await save('two\n');
    await save('three\n');
    await kept(3);
    await closeWithoutSaving();
    const colleague = await signedIn(scene.platform);
    try {
      const document = await openInEditor(fileUri(colleague, 'shop', `cp~${cp.nodeId()}`, path()));
      assert.equal(document.getText(), 'three\r\n');
      await replaceAll(document, 'two\n');
      assert.ok(await document.save());
      await scene.parts.settled();
      await closeWithoutSaving();
    } finally {
      await scene.parts.accounts.remove(colleague.slug);
    }
    assert.equal(await readFile(disk(), 'utf8'), '\uFEFFtwo\r\n');
    scene.parts.listings.forgetAll();
  };

  it("aren't restored over a colleague's text before that is compared and the person agrees", async () => {
    await setting('keep', 'on');
    await save('two\n');
    await kept(2);
    await writeFile(disk(), 'by a colleague\n');
    await restoring(0, escape);
    assert.match(seen(), /Restore: +Overwrites what someone else has changed since your last save\.$/m);
    assert.equal(await readFile(disk(), 'utf8'), 'by a colleague\n');
    await closeWithoutSaving();
    await restoring(0, 'Restore');
    assert.equal(await readFile(disk(), 'utf8'), '\uFEFFone\r\n');
    assert.ok((await kept(4)).includes('by a colleague\n'));
  });

  it("aren't restored over a colleague's save without a question, although it has the text of an older version", async () => {
    await afterColleague();
    await restoring(0, escape);
    assert.deepEqual(await comparedTexts(), ['three\r\n', 'two\r\n']);
    assert.equal(await readFile(disk(), 'utf8'), '\uFEFFtwo\r\n');
    await closeWithoutSaving();
    await restoring(0, 'Restore');
    assert.equal(await readFile(disk(), 'utf8'), '\uFEFFone\r\n');
  });

  it("aren't restored over what is typed while the comparison is read", async () => {
    await afterColleague();
    const document = await workspace.openTextDocument(uri());
    const { showQuickPick } = window;
    const typingFirst = async (...asked: Parameters<typeof showQuickPick>) => {
      await replaceAll(document, 'typed\n');
      return showQuickPick(...asked);
    };
    Object.assign(window, { showQuickPick: typingFirst });
    await restoring(0, 'Restore');
    assert.match(seen(), /has unsaved changes\. Save or revert them first\./);
    assert.equal(await readFile(disk(), 'utf8'), '\uFEFFtwo\r\n');
  });

  it('are restored without that question over what the editor shows, or another window saved', async () => {
    await afterColleague();
    const document = await openInEditor(uri());
    // As if it was being watched.
    scene.parts.files.fileSystem.announce([
      { place: filePlaceOf(uri()) ?? assert.fail(), type: FileChangeType.Changed },
    ]);
    await until(workspace.onDidChangeTextDocument, () => document.getText() === 'two\r\n');
    await restoring(0);
    assert.equal(await readFile(disk(), 'utf8'), '\uFEFFone\r\n');
    await closeWithoutSaving();
    await writeFile(disk(), 'other window\n');
    // All windows share the store.
    await scene.parts.fileVersions.note(filePlaceOf(uri()) ?? assert.fail(), '\uFEFFone\r\n', 'other window\n');
    await restoring(0);
    assert.equal(await readFile(disk(), 'utf8'), '\uFEFFone\r\n');
  });

  it("aren't restored over what someone changes while the list is open", async () => {
    await setting('keep', 'on');
    await save('two\n');
    await kept(2);
    const change = person.onDidSee(() => {
      if (seen().includes('Restore ')) writeFileSync(disk(), 'by a colleague\n');
    });
    await inProduction(['shop'], () => restoring(0, 'Restore', { presses: 'Compare' }));
    change.dispose();
    assert.deepEqual(await comparedTexts(), ['one\r\n', 'by a colleague\n']);
    await closeWithoutSaving();
    assert.match(
      seen(),
      /Couldn't restore \d+-site\.conf on node \d+: it changed in the meantime, so nothing was written\. Check/,
    );
    assert.equal(await readFile(disk(), 'utf8'), 'by a colleague\n');
  });

  it('show that a restart followed them, which may fail', async () => {
    await setting('keep', 'on');
    const at = {
      environment: { account: scene.account.slug, name: 'shop' },
      layer: { id: 'cp' },
      node: { id: cp.nodeId() },
    };
    // nginx must be able to read it.
    await save('# two\n');
    await kept(2);
    await person.answering(['Restart'], () => commands.executeCommand('gantry.service.restart', at));
    assert.deepEqual(await followed(uri()), ['restart']);
    scene.platform.faults.add({
      operation: 'RestartServices',
      fault: { kind: 'failNode', nodeId: cp.nodeId(), error: 'no memory' },
    });
    await person.answering(['Restart'], () => commands.executeCommand('gantry.service.restart', at));
    assert.deepEqual(await followed(uri()), ['restart', 'failedRestart']);
    await showHistory(escape);
    assert.match(seen(), / · 1 line changed · then restarted · then failed to restart$/m);
  });

  it('show that a redeploy followed them, or failed, but not one whose result is unknown', async () => {
    const project = await DeployedProject.start();
    try {
      await project.deployedOnce();
      await setting('keep', 'on');
      const { setUp } = project;
      await writeFile(setUp.file(`${webroot}/site.conf`), 'one\n');
      const file = fileUri(project.account, 'shop', `cp~${setUp.nodeId(0)}`, `${webroot}/site.conf`);
      const document = await openInEditor(file);
      await replaceAll(document, 'two\n');
      assert.ok(await document.save());
      setUp.platform.faults.add({ operation: 'Update', fault: { kind: 'reset' } });
      project.parts.pace.limit = maxPolls.few;
      assert.equal((await project.redeploy()).verdict.kind, 'answerLost');
      setUp.platform.faults.add({ operation: 'Update', fault: { kind: 'refuse', result: 4099, error: 'no memory' } });
      assert.equal((await project.redeploy()).verdict.kind, 'failed');
      assert.deepEqual(await followed(file), ['failedRedeploy']);
      await project.secondCommit();
      assert.equal((await project.redeploy()).verdict.kind, 'deployed');
      assert.deepEqual(await followed(file), ['failedRedeploy', 'redeploy']);
      await person.answering([escape], () => commands.executeCommand('gantry.version.history', file));
      assert.match(seen(), / · 1 line changed · then failed to redeploy · then redeployed$/m);
    } finally {
      await project.end();
    }
  });

  it('are not kept if the account signed out before the answer', async () => {
    await setting('keep', 'ask');
    const other = await signedIn(scene.platform);
    const file = fileUri(other, 'shop', `cp~${cp.nodeId()}`, path());
    let press = (): void => undefined;
    const when = new Promise<void>((resolve) => (press = resolve));
    await person.answering([{ presses: 'Keep Versions', when }], async () => {
      const document = await openInEditor(file);
      await replaceAll(document, 'two\n');
      assert.ok(await document.save());
      await until(person.onDidSee, () => seen().includes('Keep earlier versions'));
    });
    await scene.parts.accounts.remove(other.slug);
    press();
    await until(workspace.onDidChangeConfiguration, () => isKept() === 'on');
    await scene.parts.settled();
    assert.deepEqual(await scene.parts.fileVersions.of(filePlaceOf(file) ?? assert.fail()), []);
  });

  it('leave nothing on this computer once the account signed out', async () => {
    await setting('keep', 'on');
    const other = await signedIn(scene.platform);
    const text = `# only in versions ${count}\n`;
    const onDisk = async () => {
      const folder = scene.parts.fileVersions.journal.folder;
      const entries = await readdir(folder, { recursive: true, withFileTypes: true });
      const files = entries.filter((entry) => entry.isFile());
      const texts = await Promise.all(files.map((entry) => readFile(join(entry.parentPath, entry.name), 'utf8')));
      return texts.filter((stored) => stored.includes(`"${other.slug}"`) || stored.includes(text.trim()));
    };
    const document = await openInEditor(fileUri(other, 'shop', `cp~${cp.nodeId()}`, path()));
    await replaceAll(document, text);
    assert.ok(await document.save());
    const at = { environment: { account: other.slug, name: 'shop' }, layer: { id: 'cp' }, node: { id: cp.nodeId() } };
    await person.answering(['Restart'], () => commands.executeCommand('gantry.service.restart', at));
    await scene.parts.settled();
    assert.equal((await onDisk()).length, 2, 'the text, and the log of what was saved and what followed');
    await closeWithoutSaving();
    await scene.parts.accounts.remove(other.slug);
    await scene.parts.settled();
    assert.deepEqual(await onDisk(), []);
    assert.ok(!(await readdir(scene.parts.fileVersions.journal.folder)).includes(other.slug));
  });

  it('are not kept for the next account of that name either', async () => {
    await setting('keep', 'ask');
    const other = await signedIn(scene.platform);
    const file = fileUri(other, 'shop', `cp~${cp.nodeId()}`, path());
    const stored = (await scene.parts.accounts.stored(other.slug)) ?? assert.fail();
    let press = (): void => undefined;
    const when = new Promise<void>((resolve) => (press = resolve));
    await person.answering([{ presses: 'Keep Versions', when }], async () => {
      const document = await openInEditor(file);
      await replaceAll(document, 'two\n');
      assert.ok(await document.save());
      await until(person.onDidSee, () => seen().includes('Keep earlier versions'));
    });
    await scene.parts.accounts.remove(other.slug);
    await scene.parts.accounts.add(stored);
    press();
    await until(workspace.onDidChangeConfiguration, () => isKept() === 'on');
    await scene.parts.settled();
    assert.deepEqual(await scene.parts.fileVersions.of(filePlaceOf(file) ?? assert.fail()), []);
    await scene.parts.accounts.remove(other.slug);
  });

  it('are not kept of the files that the person names in the setting', async () => {
    await setting('keep', 'on');
    await setting('exclude', ['*-shops.yml']);
    await writeFile(disk('shops.yml'), 'one\n');
    scene.parts.listings.forgetAll();
    await save('two\n', 'shops.yml');
    await save('three\n');
    await kept(2);
    await setting('exclude', undefined);
    assert.deepEqual(await scene.parts.fileVersions.of(filePlaceOf(uri('shops.yml')) ?? assert.fail()), []);
  });

  it('are never kept of secrets, whatever the setting says', async () => {
    await setting('keep', 'on');
    await setting('exclude', []);
    const secrets = ['tls.key', 'TLS.PEM'];
    await Promise.all(secrets.map((name) => writeFile(disk(name), 'one\n')));
    scene.parts.listings.forgetAll();
    for (const name of secrets) await save('two\n', name);
    await save('three\n');
    await kept(2);
    await setting('exclude', undefined);
    for (const name of secrets) {
      assert.deepEqual(await scene.parts.fileVersions.of(cp.place(path(name))), []);
    }
  });

  it('follow the file when it gets another name', async () => {
    await setting('keep', 'on');
    await save('two\n');
    await kept(2);
    await closeWithoutSaving();
    await workspace.fs.rename(uri(), uri('renamed.conf'));
    await scene.parts.settled();
    await person.answering([escape], () => commands.executeCommand('gantry.version.history', uri('renamed.conf')));
    assert.match(seen(), new RegExp(`: the text now · just now · as ${path()} · saved · 1 line changed$`, 'm'));
    await cp.remove(path('renamed.conf'));
  });

  describe('that is deleted', () => {
    const folder = () => cp.uri('/etc/nginx/conf.d');
    const deleted = async (told: string, ...answers: Parameters<Person['answering']>[0]) => {
      await setting('keep', 'on');
      await save('two\n');
      await kept(2);
      await person.answering(['Delete', ...answers], async () => {
        await commands.executeCommand('gantry.file.delete', uri());
        await until(person.onDidSee, () => seen().includes(told));
      });
    };

    it('stay, and restoring one creates the file again, exactly as it was', async () => {
      const rows: string[] = [];
      const pickSaved = (offered: readonly string[]) => {
        rows.push(...offered);
        return 'saved';
      };
      await deleted('Restored ', { presses: 'Show Versions' }, pickSaved, 'Restore');
      assert.match(seen(), /site\.conf was deleted\. Select a version to restore it$/m);
      assert.match(rows.join('\n'), /just now · saved · 1 line changed · then deleted$/m);
      assert.equal(await readFile(disk(), 'utf8'), '\uFEFFtwo\r\n');
    });

    it('are announced in the question before a deletion, by what is known of each file', async () => {
      const top = path('deleted');
      const put = (name: string, text = 'text\n') => cp.put(`${top}/${name}`, text);
      await Promise.all([
        put('never.conf'),
        put('more.conf'),
        put('never.key'),
        put('plain/a.conf'),
        put('kept/b.conf'),
      ]);
      await put('large.conf', 'x'.repeat(100_001));
      await put('saved.conf', 'y'.repeat(100_001));
      await setting('keep', 'on');
      for (const name of ['saved.conf', 'kept/b.conf']) {
        await scene.parts.fileVersions.note(cp.place(`${top}/${name}`), 'one\n', 'two\n');
      }
      const sentences = async (names: readonly string[], keep = 'on', layer = false) => {
        await setting('keep', keep);
        const uris = names.map((name) =>
          layer ? fileUri(scene.account, 'shop', 'cp', `${top}/${name}`) : cp.uri(`${top}/${name}`),
        );
        person.seen.length = 0;
        await person.answering([escape], () => commands.executeCommand('gantry.file.delete', uris[0], uris));
        return /(?:This|Text|Not) .+$/m.exec(seen())?.[0].replace(/ from .+?\.(?= |$)/, '');
      };
      const cases: readonly (readonly [string, ...Parameters<typeof sentences>])[] = [
        ['This deletes it You can restore it with Show Deleted Files if its text can be read.', ['never.conf']],
        ['This permanently deletes it', ['never.conf'], 'ask'],
        ['This permanently deletes it', ['never.conf'], 'on', true],
        ['This permanently deletes it', ['never.key']],
        ['This permanently deletes it', ['large.conf']],
        ['This deletes it You can restore a version of it with Show Deleted Files.', ['saved.conf']],
        ['This permanently deletes it', ['plain']],
        ['This deletes it Only files in it that have versions can be restored, with Show Deleted Files.', ['kept']],
        [
          'This deletes them Only small text files and files with versions can be restored, with Show Deleted Files.',
          ['never.conf', 'saved.conf'],
        ],
        [
          'This deletes them Only small text files and files with versions can be restored, with Show Deleted Files.',
          ['never.conf', 'never.key'],
        ],
        [
          'This deletes them Only small text files and files with versions can be restored, with Show Deleted Files.',
          ['more.conf', 'kept'],
        ],
        ['This permanently deletes them', ['never.key', 'plain']],
      ];
      for (const [expected, ...given] of cases) assert.equal(await sentences(...given), expected, given.join());
      await cp.remove(top);
    });

    it('are found in its folder, and are not put over a file that somebody else created meanwhile', async () => {
      await deleted('site.conf was deleted');
      await assert.rejects(readFile(disk()), { code: 'ENOENT' });
      await person.answering(['site.conf', escape], () =>
        commands.executeCommand('gantry.version.showDeleted', folder()),
      );
      const change = person.onDidSee(() => {
        if (seen().includes('Restore ')) writeFileSync(disk(), 'by a colleague\n');
      });
      await person.answering(['site.conf', 'saved', 'Restore'], () =>
        commands.executeCommand('gantry.version.showDeleted', folder()),
      );
      change.dispose();
      assert.equal(await readFile(disk(), 'utf8'), 'by a colleague\n');
    });

    it('are kept of a file that was never saved here, once the person agreed, unless it may hold secrets', async () => {
      const files = ['never.conf', 'never.key'];
      const deleteBoth = async (keep: string) => {
        await setting('keep', keep);
        for (const name of files) {
          await cp.put(path(name), `\uFEFF${name}\r\n`);
          scene.parts.listings.forgetAll();
          await person.answering(['Delete'], () => commands.executeCommand('gantry.file.delete', uri(name)));
        }
        await scene.parts.settled();
        const found = await scene.parts.fileVersions.deletedIn(cp.place('/etc/nginx/conf.d'));
        return found.map(({ place }) => place.path).filter((one) => one.includes('never'));
      };
      assert.deepEqual(await deleteBoth('ask'), []);
      assert.deepEqual(await deleteBoth('on'), [path('never.conf')]);
      // The nodes of a layer may have different texts.
      await Promise.all([0, 1].map((node) => cp.put(path('never-alike.conf'), `${node}\n`, node)));
      scene.parts.listings.forgetAll();
      await person.answering(['Delete'], () =>
        commands.executeCommand('gantry.file.delete', fileUri(scene.account, 'shop', 'cp', path('never-alike.conf'))),
      );
      await scene.parts.settled();
      const left = await scene.parts.fileVersions.deletedIn(cp.place('/etc/nginx/conf.d'));
      assert.deepEqual(
        left.filter((one) => one.place.path.includes('alike')),
        [],
      );
      await person.answering(['never.conf', 'before', 'Restore'], () =>
        commands.executeCommand('gantry.version.showDeleted', folder()),
      );
      assert.equal(await readFile(disk('never.conf'), 'utf8'), '\uFEFFnever.conf\r\n');
      await cp.remove(path('never.conf'));
    });

    /** Has a file with a version deleted in some way. Returns what then follows it, and whether its file counts as deleted. */
    const afterDeleting = async (name: string, work: () => Thenable<unknown>) => {
      await setting('keep', 'on');
      await cp.put(path(name), 'two\n');
      await cp.put(path('other.conf'), 'other\n');
      scene.parts.listings.forgetAll();
      await scene.parts.fileVersions.note(cp.place(path(name)), 'one\n', 'two\n');
      await work();
      await scene.parts.files.backups.settled();
      await scene.parts.settled();
      const deleted = await scene.parts.fileVersions.deletedIn(cp.place('/etc/nginx/conf.d'));
      const isDeleted = deleted.some(({ place }) => place.path === path(name));
      await Promise.all([name, 'other.conf'].map((one) => cp.remove(path(one))));
      return { isDeleted, followed: await followed(uri(name)) };
    };

    it('stay if a move to another node, or undoing the save of a new file, deleted it', async () => {
      const other = scene.platform.nodes('shop', 'cp')[1]?.id ?? assert.fail('no second node');
      const moved = await afterDeleting('moved.conf', async () => {
        await commands.executeCommand('gantry.file.cut', uri('moved.conf'));
        const folder = fileUri(scene.account, 'shop', `cp~${other}`, '/etc/nginx/conf.d');
        await person.answering(['Move'], () => commands.executeCommand('gantry.folder.paste', folder));
      });
      await rm(join(scene.platform.nodeFolder(other), path('moved.conf')));
      const undone = await afterDeleting('undone.conf', () => {
        const { queue, writeIfUnchanged } = scene.parts.files;
        const place = cp.place(path('undone.conf'));
        return queue.take([place], () => writeIfUnchanged(place, { before: 'two\n', text: undefined }));
      });
      const wasDeleted = { isDeleted: true, followed: ['delete'] };
      assert.deepEqual([moved, undone], [wasDeleted, wasDeleted]);
    });

    it('are not those of a deleted file if another one was to overwrite it, failed, and it was restored', async () => {
      const found = await afterDeleting('target.conf', async () => {
        scene.fail('Rename', { kind: 'refuse', result: 4075, error: 'no space left' });
        await person.answering([{ presses: 'Restore' }], async () => {
          const restored = nextEvent(scene.parts.files.backups.onDidReturn);
          await assert.rejects(async () =>
            workspace.fs.rename(uri('other.conf'), uri('target.conf'), { overwrite: true }),
          );
          await restored;
        });
        assert.equal(await readFile(disk('target.conf'), 'utf8'), 'two\n');
      });
      assert.deepEqual(found, { isDeleted: false, followed: [] });
    });

    it('are not those of a deleted file if another one overwrote it', async () => {
      const top = path('overwritten');
      const target = cp.place(`${top}/a.conf`);
      await cp.put(target.path, 'two\n');
      await cp.put(`${top}/b.conf`, 'other\n');
      await setting('keep', 'on');
      await scene.parts.fileVersions.note(target, 'one\n', 'two\n');
      await workspace.fs.rename(cp.uri(`${top}/b.conf`), cp.uri(target.path), { overwrite: true });
      await scene.parts.files.backups.settled();
      await scene.parts.settled();
      await scene.parts.listings.list(cp.place(top));
      await person.answering([], () => commands.executeCommand('gantry.version.showDeleted', cp.uri(top)));
      assert.match(seen(), /^No versions of deleted files in /m);
      await cp.remove(top);
    });

    it('are not those of a deleted file if its folder could not be deleted, and has its name again', async () => {
      const found = await afterDeleting('kept/a.conf', async () => {
        scene.fail('Delete', { kind: 'refuse', result: 4075, error: 'device is busy' });
        await workspace.fs.delete(uri('kept'), { recursive: true });
        await scene.parts.files.backups.settled();
        assert.equal(await readFile(disk('kept/a.conf'), 'utf8'), 'two\n');
      });
      assert.deepEqual(found, { isDeleted: false, followed: [] });
    });
  });
});
