import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import { commands, ConfigurationTarget, type TextDocument, Uri, window, workspace } from 'vscode';
import { nextEvent, until } from '../../support/event';
import { replaceAll } from '../../support/editing';
import { escape } from '../../support/person';
import { VariableEditing } from '../../support/variableEditing';

const mask = '••••••••';
const save = 'Save Variables';

describe('Edit Variables, against the odds', () => {
  const test = new VariableEditing('odds');
  const { nodes, layer, node, held, edit, change, saving, sent, seen, messageOf, untilIn } = test;

  const merge = (document: TextDocument) =>
    test.person.answering([], () => commands.executeCommand('gantry.variables.merge', document.uri.toString()));

  it('shows and hides a secret of any length', async () => {
    // VS Code reads a document again only if its reported size differs.
    for (const length of [22, 23, 24, 25, 26]) {
      held(0)['DATABASE_PASSWORD'] = 'x'.repeat(length);
      const document = await edit(node(0));
      await commands.executeCommand('gantry.variables.edit', node(0));
      await commands.executeCommand('gantry.variables.showSecrets');
      await untilIn(document, `DATABASE_PASSWORD=${'x'.repeat(length)}\n`);
      await commands.executeCommand('gantry.variables.hideSecrets');
      await untilIn(document, `DATABASE_PASSWORD=${mask}`);
    }
  });

  it('masks secrets again in a document that was closed and is opened again', async () => {
    const shown = await edit(node(0));
    await commands.executeCommand('gantry.variables.showSecrets');
    await untilIn(shown, 'DATABASE_PASSWORD=tide-7-marsh');
    const closed = nextEvent(window.tabGroups.onDidChangeTabs, (event) => event.closed.length > 0);
    await commands.executeCommand('workbench.action.closeAllEditors');
    await closed;
    const document = await edit(node(0));
    await untilIn(document, `DATABASE_PASSWORD=${mask}`);
    assert.doesNotMatch(document.getText(), /tide-7-marsh/);
  });

  it('keeps every line of its heading a comment, whatever the platform calls its environments', async () => {
    const env = test.platform.environments.find(({ envName }) => envName === 'shop') ?? assert.fail();
    const title = env.displayName;
    env.displayName = 'Tea\nPATH=/evil\r\u2028X=1';
    try {
      test.parts.environments.refresh();
      await test.parts.environments.of(test.account);
      const document = await edit(node(0));
      assert.match(document.getText(), /^# Variables of node \d+ .*, Tea PATH=\/evil .*X=1$/m);
      await change(document, 'APP_ENV=production', 'APP_ENV=staging');
      assert.ok(await saving(document, save));
      assert.deepEqual(sent(), [{ AddContainerEnvVars: { APP_ENV: 'staging' }, nodeId: nodes()[0]?.id }]);
    } finally {
      env.displayName = title;
      test.parts.environments.refresh();
    }
  });

  it('keeps variables whose names JavaScript objects have', async () => {
    const document = await edit(node(0));
    await change(document, 'APP_ENV', '__proto__=a\nconstructor=b\ntoString=c\nAPP_ENV');
    assert.ok(await saving(document, save));
    await untilIn(document, 'constructor=b\n');
    assert.deepEqual(
      Object.entries(held(0)).filter(([, value]) => ['a', 'b', 'c'].includes(value)),
      [
        ['__proto__', 'a'],
        ['constructor', 'b'],
        ['toString', 'c'],
      ],
    );
    await change(document, /^(__proto__|constructor|toString)=.\n/gm, '');
    assert.ok(await saving(document, save));
    assert.deepEqual(held(0), test.samples[0]);
  });

  it('compares before it saves, with the values that would change, and sends nothing then', async () => {
    const document = await edit(node(0));
    await change(document, 'APP_ENV=production', 'APP_ENV=staging');
    assert.ok(!(await saving(document, 'Compare')));
    await until(window.tabGroups.onDidChangeTabs, () =>
      window.tabGroups.all.some(({ activeTab }) =>
        /^Variables of node \d+: Server ↔ Yours$/.test(activeTab?.label ?? ''),
      ),
    );
    assert.deepEqual(sent(), []);
    assert.ok(document.isDirty);
  });

  it('asks nothing while the person pauses, even with automatic saving', async () => {
    const path = join(tmpdir(), `gantry-pause-${process.pid}.txt`);
    await writeFile(path, '');
    const files = workspace.getConfiguration('files');
    await files.update('autoSave', 'afterDelay', ConfigurationTarget.Global);
    await files.update('autoSaveDelay', 50, ConfigurationTarget.Global);
    try {
      const document = await edit(node(0));
      await change(document, 'APP_ENV=production', 'APP_ENV=staging');
      // A file that is edited later is saved meanwhile.
      const other = await workspace.openTextDocument(Uri.file(path));
      const saved = nextEvent(workspace.onDidSaveTextDocument, ({ uri }) => uri.path === other.uri.path);
      await replaceAll(other, 'x');
      await saved;
      assert.ok(document.isDirty);
      assert.deepEqual([sent(), test.person.seen], [[], []]);
    } finally {
      await files.update('autoSave', 'off', ConfigurationTarget.Global);
      await files.update('autoSaveDelay', undefined, ConfigurationTarget.Global);
      await rm(path);
    }
  });

  describe('after a change by someone else', () => {
    it('shows both changes of one variable after a merge, and saves neither before the person decides', async () => {
      const document = await edit(node(0));
      await change(document, 'APP_ENV=production', '# my note\nAPP_ENV=mine');
      held(0)['APP_ENV'] = 'theirs';
      await merge(document);
      assert.match(seen(), /^Merged Variables of node \d+ with 1 conflict\. Resolve it, then save\.$/m);
      assert.match(
        document.getText(),
        /^# my note\n<<<<<<< Yours\nAPP_ENV=mine\n======= Server\nAPP_ENV=theirs\n>>>>>>> Server$/m,
      );
      assert.match(await messageOf(document), /Line \d+: Write NAME=value.+Nothing was sent\./);
      await change(document, /<<<<<<< Yours\n|======= Server\nAPP_ENV=theirs\n>>>>>>> Server\n/g, '');
      assert.ok(await saving(document, save));
      assert.match(seen(), /^Change: APP_ENV=theirs → mine$/m);
      assert.deepEqual(sent(), [{ AddContainerEnvVars: { APP_ENV: 'mine' }, nodeId: nodes()[0]?.id }]);
    });

    it('still notices the change if the person undoes the merge', async () => {
      const document = await edit(node(0));
      await change(document, 'APP_ENV=production', 'APP_ENV=mine');
      held(0)['MAIL_FROM'] = 'theirs';
      await merge(document);
      assert.match(document.getText(), /^MAIL_FROM=theirs$/m);
      await window.showTextDocument(document);
      await commands.executeCommand('undo');
      assert.doesNotMatch(document.getText(), /^MAIL_FROM=theirs$/m);
      assert.match(await messageOf(document, escape), /Someone else has changed .+: MAIL_FROM\./);
      assert.deepEqual(sent(), []);
    });

    it('shows it after Revert File', async () => {
      const document = await edit(node(0));
      await change(document, 'APP_ENV=production', 'APP_ENV=mine');
      held(0)['MAIL_FROM'] = 'theirs';
      assert.match(await messageOf(document, escape), /Someone else/);
      await commands.executeCommand('workbench.action.files.revert');
      await untilIn(document, 'MAIL_FROM=theirs\n');
      await change(document, 'APP_ENV=production', 'APP_ENV=mine');
      assert.ok(await saving(document, save));
      assert.equal(held(0)['MAIL_FROM'], 'theirs');
    });

    it('overwrites it after a question that names what that changes and removes', async () => {
      const document = await edit(node(0));
      await change(document, 'APP_ENV=production', 'APP_ENV=mine');
      Object.assign(held(0), { APP_ENV: 'theirs', THEIRS: 'x' });
      assert.match(await messageOf(document, escape), /\[Overwrite\]\(command:gantry\.variables\.overwrite\?/);
      const overwrite = () => commands.executeCommand('gantry.variables.overwrite', document.uri.toString());
      await test.person.answering([save], overwrite);
      assert.match(seen(), /^Change: APP_ENV=theirs → mine\n\nRemove: THEIRS$/m);
      assert.deepEqual(held(0), { ...test.samples[0], APP_ENV: 'mine' });
    });

    it('still knows what others changed if the person cancels that question, and merges it then', async () => {
      const document = await edit(node(0));
      await change(document, 'APP_ENV=production', 'APP_ENV=mine');
      Object.assign(held(0), { THEIRS: 'x' });
      await messageOf(document, escape);
      const overwrite = () => commands.executeCommand('gantry.variables.overwrite', document.uri.toString());
      await test.person.answering([escape], overwrite);
      assert.deepEqual([sent(), document.isDirty], [[], true]);
      assert.match(await messageOf(document, escape), /Someone else has changed the variables of .+: THEIRS\./);
      await merge(document);
      assert.match(document.getText(), /^APP_ENV=mine$[^]*^THEIRS=x$/m);
      assert.ok(await saving(document, save));
      assert.deepEqual(held(0), { ...test.samples[0], APP_ENV: 'mine', THEIRS: 'x' });
    });

    it('still knows what others changed if the text cannot be merged, because the person is typing', async () => {
      const document = await edit(node(0));
      await change(document, 'APP_ENV=production', 'APP_ENV=mine');
      Object.assign(held(0), { THEIRS: 'x' });
      const { applyEdit } = workspace;
      Object.assign(workspace, { applyEdit: () => Promise.resolve(false) });
      try {
        await merge(document);
      } finally {
        Object.assign(workspace, { applyEdit });
      }
      assert.match(seen(), /^Couldn't change /m);
      assert.match(await messageOf(document, escape), /Someone else has changed the variables of .+: THEIRS\./);
    });

    it('notices one that was made while a save was sent and the person typed on', async () => {
      const document = await edit(node(0));
      await change(document, 'APP_ENV=production', 'APP_ENV=mine');
      const fault = { kind: 'hang', when: 'after' } as const;
      const hanging = test.platform.faults.add({ operation: 'AddContainerEnvVars', fault });
      const saved = nextEvent(workspace.onDidSaveTextDocument, ({ uri }) => uri.path === document.uri.path);
      const sending = saving(document, save);
      await hanging.reached;
      await change(document, 'APP_ENV=mine', 'APP_ENV=mine too');
      Object.assign(held(0), { THEIRS: 'x' });
      hanging.release();
      await Promise.all([sending, saved]);
      assert.match(document.getText(), /^APP_ENV=mine too$/m);
      assert.match(await messageOf(document, escape), /Someone else has changed the variables of .+: THEIRS\./);
      assert.deepEqual(held(0), { ...test.samples[0], APP_ENV: 'mine', THEIRS: 'x' });
    });

    it('keeps the links of the message, however long the names are', async () => {
      const document = await edit(node(0));
      await change(document, 'APP_ENV=production', 'APP_ENV=mine');
      for (let index = 0; index < 12; index++) held(0)[`NAME_${index}_${'X'.repeat(200)}`] = 'theirs';
      const message = await messageOf(document, escape);
      assert.ok(message.length < 1_000, message);
      assert.match(message, /\[Overwrite\]\(command:.+\)$/);
    });
  });

  it("doesn't call the person's own change someone else's if the save stopped halfway, and the text changes again", async () => {
    const document = await edit(node(0));
    await change(document, 'APP_ENV=production', 'APP_ENV=first');
    await change(document, /APP_DEBUG=.*\n/, '');
    const fault = { kind: 'refuse', result: 99, error: 'no' } as const;
    test.platform.faults.add({ operation: 'RemoveContainerEnvVars', fault });
    assert.match(await messageOf(document, save), /Your text is still in the editor\. Save again to send the rest\./);
    assert.equal(held(0)['APP_ENV'], 'first');
    await change(document, 'APP_ENV=first', 'APP_ENV=second');
    assert.ok(await saving(document, save));
    assert.deepEqual([held(0)['APP_ENV'], held(0)['APP_DEBUG']], ['second', undefined]);
  });

  it('sends nothing to restore different values on the nodes, after a change to all of them that got no response', async () => {
    Object.assign(held(0), { FOO: 'a' });
    Object.assign(held(1), { FOO: 'b' });
    const document = await edit(layer());
    await change(document, 'APP_ENV=', 'FOO=c\nAPP_ENV=');
    test.platform.faults.add({
      operation: 'AddContainerEnvVars',
      fault: { kind: 'gatewayError', status: 504, when: 'after' },
    });
    const fault = { kind: 'refuse', result: 99, error: 'no' } as const;
    // Each node is read twice before the change is sent.
    test.platform.faults.add({ operation: 'GetContainerEnvVars', fault, nth: 5, times: 2 });
    assert.match(await messageOf(document, save), /Your text is still in the editor/);
    await change(document, 'FOO=c\n', '');
    assert.match(
      await messageOf(document),
      /The nodes had different values of FOO\. Edit the variables of each node, or add the line again\./,
    );
    assert.deepEqual([held(0)['FOO'], held(1)['FOO'], sent().length], ['c', 'c', 1]);
    await change(document, 'APP_ENV=', 'FOO=c\nAPP_ENV=');
    assert.ok(await saving(document));
  });

  it('suggests only names that can be written, and none in values or comments', async () => {
    held(0)['npm.config'] = 'x';
    const document = await edit(node(0));
    assert.match(document.getText(), /^# These can't be edited here because of their names: "npm\.config"$/m);
    await change(document, /^MAIL_FROM=.*$/m, 'M\n#M\nX=M');
    const labels = async (text: string) => {
      const at = document.positionAt(document.getText().indexOf(text) + text.length);
      const command = 'vscode.executeCompletionItemProvider';
      const { items } = await commands.executeCommand<{ items: { label: string }[] }>(command, document.uri, at);
      return items.map(({ label }) => label);
    };
    assert.ok((await labels('\nM')).includes('MAIL_FROM'));
    assert.ok(!(await labels('\nM')).includes('npm.config'));
    assert.deepEqual([await labels('\n#M'), await labels('\nX=M')], [[], []]);
  });

  it('keeps the text, and says why, if the node is gone, asleep, or the person signs out', async () => {
    const document = await edit(node(0));
    await change(document, 'APP_ENV=production', 'APP_ENV=staging');
    for (const [result, error] of [
      [11, 'node not exist'],
      [2212, 'environment is sleeping'],
    ] as const) {
      test.platform.faults.add({ operation: 'GetContainerEnvVars', fault: { kind: 'refuse', result, error } });
      const message = await messageOf(document);
      assert.match(message, /^.*Couldn't read the variables of node \d+.+Nothing was sent\.$/);
    }
    await test.signedOut(async () => {
      assert.match(await messageOf(document), /signed out|sign in/i);
      await test.person.answering([], () => commands.executeCommand('gantry.variables.showSecrets'));
    });
    assert.ok(document.isDirty && document.getText().includes('APP_ENV=staging'));
    assert.deepEqual(sent(), []);
    assert.ok(await saving(document, save));
  });

  it("notices another window's save, and the other window's new nodes", async () => {
    const document = await edit(layer());
    await change(document, 'APP_ENV=production', 'APP_ENV=staging');
    // Another window is another person for the platform.
    nodes().forEach(({ variables }) => (variables['APP_ENV'] = 'other window'));
    assert.match(
      await messageOf(document, escape),
      /Someone else has changed the variables of all nodes of .+: APP_ENV\./,
    );
    assert.deepEqual(sent(), []);
  });

  it('can be undone after a save, with the same question', async () => {
    const document = await edit(node(0));
    await change(document, /DATABASE_PASSWORD=.*/, 'DATABASE_PASSWORD=fresh');
    assert.ok(await saving(document, save));
    await untilIn(document, `DATABASE_PASSWORD=${mask}\n`);
    await replaceAll(document, document.getText().replace(`DATABASE_PASSWORD=${mask}`, 'DATABASE_PASSWORD=fresh'));
    assert.ok(await saving(document));
    await change(document, 'DATABASE_PASSWORD=fresh', `DATABASE_PASSWORD="${mask}"`);
    assert.ok(!(await saving(document, escape)));
    assert.equal(sent().length, 1);
  });
});
