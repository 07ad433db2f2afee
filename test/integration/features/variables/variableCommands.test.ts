import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeEach, describe, it } from 'mocha';
import {
  commands,
  ConfigurationTarget,
  FilePermission,
  TabInputTextDiff,
  type TextDocument,
  Uri,
  window,
  workspace,
} from 'vscode';
import { maskWith } from '../../../../src/files/text';
import { closeWithoutSaving, openInEditor, replaceAll } from '../../support/editing';
import { nextEvent, until } from '../../support/event';
import { fileUri } from '../../support/gantry';
import { escape } from '../../support/person';
import { inProduction } from '../../support/production';
import { VariableEditing, without } from '../../support/variableEditing';

const mask = '••••••••';
const save = 'Save Variables';
const anyway = 'Save Anyway';

describe('Edit Variables', () => {
  const test = new VariableEditing('variables');
  const { nodes, layer, node, held, edit, change, saving, sent, seen, messageOf, untilIn } = test;

  it("shows a node's variables, masks secrets, and shows them when asked", async () => {
    const document = await edit(node(0));
    const lines = document.getText().split('\n');
    assert.ok(lines.includes('APP_ENV=production'));
    assert.ok(lines.includes(`DATABASE_PASSWORD=${mask}`));
    assert.equal(document.languageId, 'gantry-variables');
    assert.deepEqual(
      lines.filter((line) => line.startsWith('#') && line.length > 80),
      [],
    );
    assert.doesNotMatch(document.getText(), /tide-7-marsh/);
    await commands.executeCommand('gantry.variables.showSecrets');
    await untilIn(document, 'DATABASE_PASSWORD=tide-7-marsh');
    assert.ok(!document.isDirty);
    await change(document, 'production', 'staging');
    await commands.executeCommand('gantry.variables.hideSecrets');
    assert.ok(document.getText().includes(`DATABASE_PASSWORD=${mask}`));
    assert.ok(document.getText().includes('APP_ENV=staging'));
  });

  it('still knows what a document is based on if another is closed before a tab shows it', async () => {
    const { uri } = await edit(node(0));
    await closeWithoutSaving();
    const other = await openInEditor(Uri.from({ scheme: 'untitled', path: 'other.txt' }));
    // As VS Code does before it shows a tab.
    const before = new TextDecoder().decode(await workspace.fs.readFile(uri));
    await window.showTextDocument(other);
    await commands.executeCommand('workbench.action.closeActiveEditor');
    held(0)['APP_ENV'] = 'theirs';
    await test.person.answering([escape], () =>
      assert.rejects(
        Promise.resolve(workspace.fs.writeFile(uri, new TextEncoder().encode(before))),
        /Someone else has changed/,
      ),
    );
    assert.deepEqual([held(0)['APP_ENV'], sent()], ['theirs', []]);
  });

  it('sends exactly what was added, changed, and removed, after a question that names it', async () => {
    const document = await edit(node(1));
    await change(document, 'APP_ENV=production', 'APP_ENV=staging\nCACHE_SECRET=fresh-as-rain');
    await change(document, /APP_DEBUG=.*\n/, '');
    assert.ok(await saving(document, save));
    assert.deepEqual(sent(), [
      { AddContainerEnvVars: { APP_ENV: 'staging', CACHE_SECRET: 'fresh-as-rain' }, nodeId: nodes()[1]?.id },
      { RemoveContainerEnvVars: ['APP_DEBUG'], nodeId: nodes()[1]?.id },
    ]);
    assert.deepEqual(
      held(1),
      without('APP_DEBUG', { ...test.samples[1], APP_ENV: 'staging', CACHE_SECRET: 'fresh-as-rain' }),
    );
    assert.match(seen(), /^Save the variables of node \d+ \(Application servers\), Saltmarsh Tea\?$/m);
    assert.match(seen(), /^Add: CACHE_SECRET=•{8}\n\nChange: APP_ENV=production → staging\n\nRemove: APP_DEBUG$/m);
    assert.match(seen(), /^Saved the variables of .+ take effect when the service restarts\.$/m);
    for (const value of ['fresh-as-rain', 'tide-7-marsh']) assert.ok(!seen().includes(value), value);
    await untilIn(document, `CACHE_SECRET=${mask}`);
  });

  it('sends nothing if the text is unchanged, or the person cancels, and keeps the text then', async () => {
    const document = await edit(node(0));
    await change(document, 'APP_ENV', '# a note\nAPP_ENV');
    assert.ok(await saving(document));
    await change(document, 'production', 'staging');
    assert.ok(!(await saving(document, escape)));
    assert.ok(document.isDirty && document.getText().includes('APP_ENV=staging'));
    assert.deepEqual(sent(), []);
  });

  it('keeps comments while the document is open, and masks new secrets next to them', async () => {
    const document = await edit(node(0));
    await change(document, /^APP_ENV=production$/m, '# was production\nAPP_ENV=staging\n\n# from Ada\nNEW_SECRET=rain');
    assert.ok(await saving(document, save));
    await untilIn(document, `# was production\nAPP_ENV=staging\n\n# from Ada\nNEW_SECRET=${mask}\n`);
    await change(document, 'APP_ENV=staging', '# a note\nAPP_ENV=staging');
    assert.ok(await saving(document));
    await commands.executeCommand('gantry.variables.showSecrets');
    await untilIn(document, '# was production\n# a note\nAPP_ENV=staging\n\n# from Ada\nNEW_SECRET=rain\n');
    held(0)['APP_ENV'] = 'theirs';
    await commands.executeCommand('gantry.variables.edit', node(0));
    await untilIn(document, '# was production\n# a note\nAPP_ENV=theirs\n\n# from Ada\n');
    assert.ok(!document.isDirty);
    assert.equal(document.getText().match(/^# Variables of /gm)?.length, 1);
    assert.equal(sent().length, 1);
  });

  it('keeps every value exactly, over HTTP too', async () => {
    const values: Readonly<Record<string, string>> = {
      SPACES: '  both ends ',
      EQUALS: 'a=b==c',
      UNICODE: 'Ærøskøbing 🚢 ﷽',
      EMPTY: '',
      HASH: '# no comment',
      JSON: '{"a": ["b\\n", null]}',
      LINES: 'one\ntwo\r\n',
      LONG: 'x=ü '.repeat(2_560),
      QUOTED: '"',
      PLUS: 'a+b%20&c',
    };
    const document = await edit(node(0));
    const lines = Object.entries(values).map(([name, value]) => `${name}=${JSON.stringify(value)}\n`);
    await replaceAll(document, document.getText() + lines.join(''));
    assert.ok(await saving(document, anyway));
    await untilIn(document, 'QUOTED="\\""');
    assert.deepEqual(held(0), { ...test.samples[0], ...values });
    test.platform.journal.reset();
    await change(document, 'APP_DEBUG=0', 'APP_DEBUG=1');
    assert.ok(await saving(document, save));
    assert.deepEqual(sent(), [{ AddContainerEnvVars: { APP_DEBUG: '1' }, nodeId: nodes()[0]?.id }]);
    assert.deepEqual(held(0), { ...test.samples[0], ...values, APP_DEBUG: '1' });
  });

  it('sends nothing in another encoding, in which masks and values differ, and loses nothing', async () => {
    const own = nodes()[0] ?? assert.fail();
    own.variables = { ...own.variables, CITY: 'Ærøskøbing' };
    const document = await edit(node(0));
    const text = document.getText();
    assert.ok(text.includes('CITY=Ærøskøbing'));
    await workspace.openTextDocument(document.uri, { encoding: 'windows1252' });
    await untilIn(document, 'CITY=Ã†rÃ¸skÃ¸bing');
    await change(document, 'APP_ENV=production', 'APP_ENV=staging');
    assert.match(await messageOf(document), /Nothing was sent\. Reopen the variables as UTF-8\./);
    await commands.executeCommand('workbench.action.files.revert');
    await workspace.openTextDocument(document.uri, { encoding: 'utf8' });
    await untilIn(document, 'CITY=Ærøskøbing');
    assert.equal(document.getText(), text);
    assert.deepEqual(sent(), []);
    await change(document, 'APP_ENV=production', 'APP_ENV=staging');
    assert.ok(await saving(document, save));
    assert.deepEqual(sent(), [{ AddContainerEnvVars: { APP_ENV: 'staging' }, nodeId: own.id }]);
    assert.deepEqual(held(0), { ...test.samples[0], CITY: 'Ærøskøbing', APP_ENV: 'staging' });
  });

  for (const [what, line] of [
    ['a quotation mark', 'RISKY=a"b'],
    ['an apostrophe', "RISKY=it's"],
    ['a backtick', 'RISKY=`id`'],
    ['a backslash', 'RISKY=C:\\temp'],
    ['a dollar sign', 'RISKY=$(id)'],
    ['a line break', 'RISKY="a\\nb"'],
  ] as const) {
    it(`warns before it sends ${what}`, async () => {
      const document = await edit(node(0));
      await change(document, 'APP_ENV', `${line}\nAPP_ENV`);
      assert.ok(!(await saving(document, escape)));
      assert.match(seen(), /a file that a shell reads\..+Affected variables: RISKY$/m);
      assert.deepEqual(sent(), []);
      assert.ok(await saving(document, anyway));
      assert.equal(sent().length, 1);
    });
  }

  it('warns of names that have no effect or break a container, PATH above all', async () => {
    const document = await edit(node(0));
    await change(document, /PATH=.*\n/, 'result=1\n');
    await change(document, /PHP_VERSION=.*/, 'PHP_VERSION=9');
    assert.ok(!(await saving(document, escape)));
    assert.match(seen(), /manages these variables.+: PHP_VERSION, PATH$/m);
    assert.match(seen(), /A variable named result keeps containers from starting/);
    assert.deepEqual(sent(), []);
  });

  it('sends nothing that agents see instead of a secret', async () => {
    const document = await edit(node(0));
    await change(document, /^APP_ENV=.*$/m, `APP_ENV=${maskWith('0123456789ab')}`);
    assert.match(await messageOf(document), /APP_ENV wasn't saved: it contains masked-by-gantry-…/);
    assert.deepEqual(sent(), []);
  });

  it('refuses lines that it cannot read, by their number, and sends nothing', async () => {
    const document = await edit(node(0));
    const number =
      document
        .getText()
        .split('\n')
        .findIndex((line) => line.startsWith('APP_ENV')) + 1;
    for (const [line, reason] of [
      ['hunter2', 'Write NAME=value'],
      ['2ND=hunter2', 'letters, digits, and underscores'],
      ['PATH=hunter2\nPATH=x', 'already on an earlier line'],
      ['A="hunter2', 'must be a JSON string'],
      [`NEW_KEY=${mask}`, 'had no earlier value'],
    ] as const) {
      await change(document, /^.*\n?APP_ENV=.*$|^APP_ENV=.*$/m, line);
      const message = await messageOf(document);
      assert.match(message, new RegExp(`Line ${line.startsWith('PATH') ? '\\d+' : number - 1}: .*${reason}`));
      assert.ok(!message.includes('hunter2'));
      await commands.executeCommand('workbench.action.files.revert');
    }
    assert.deepEqual(sent(), []);
  });

  describe('after a change by someone else', () => {
    const theirs = { MAIL_FROM: 'theirs', THEIR_KEY: 'theirs too' };
    let document: TextDocument;

    beforeEach(async () => {
      document = await edit(node(0));
      await change(document, 'APP_ENV=production', 'APP_ENV=staging\nMINE=my own');
      const colleague = nodes()[0] ?? assert.fail();
      colleague.variables = { ...colleague.variables, ...theirs };
      delete colleague.variables['APP_DEBUG'];
    });

    it('sends nothing, keeps the text, and names what changed', async () => {
      assert.ok(!(await saving(document, escape)));
      assert.ok(document.isDirty && document.getText().includes('MINE=my own'));
      const message = await messageOf(document, escape);
      assert.match(
        message,
        /Someone else has changed the variables of .+: THEIR_KEY, MAIL_FROM, APP_DEBUG\. Nothing was sent\./,
      );
      assert.match(
        message,
        /\[Merge\]\(command:gantry\.variables\.merge\?.+\) · \[Compare\]\(command:gantry\.variables\.compare\?/,
      );
      assert.deepEqual(sent(), []);
    });

    it('is asked about while VS Code still waits, so that no message with links follows the choice', async () => {
      for (const [button, shown] of [
        ['Compare', 'Server ↔ Yours'],
        ['Merge', 'Server ↔ Merged'],
      ] as const) {
        const isShown = () => window.tabGroups.activeTabGroup.activeTab?.label.endsWith(shown) === true;
        assert.match(await messageOf(document, button), /: Nothing was sent\.|^\S+ Nothing was sent\./);
        assert.match(seen(), /^Merge or overwrite Variables of node \d+\?$/m);
        assert.match(seen(), /^Someone else has changed .+: THEIR_KEY, MAIL_FROM, APP_DEBUG\. Nothing was sent\.$/m);
        await until(window.tabGroups.onDidChangeTabs, isShown);
      }
      assert.match(document.getText(), /^MAIL_FROM=theirs$/m);
      assert.deepEqual(sent(), []);
    });

    it('is overwritten after the question that names what that changes, without an error before', async () => {
      assert.ok(await saving(document, 'Overwrite', save));
      assert.match(seen(), /^Remove: THEIR_KEY$/m);
      assert.deepEqual(held(0), { ...test.samples[0], APP_ENV: 'staging', MINE: 'my own' });
    });

    it('is still known if the person cancels the question after Overwrite', async () => {
      assert.ok(!(await saving(document, 'Overwrite', escape)));
      assert.match(await messageOf(document, escape), /Someone else has changed/);
      assert.deepEqual(sent(), []);
    });

    it('compares both', async () => {
      await commands.executeCommand('gantry.variables.compare', document.uri.toString());
      const input = window.tabGroups.activeTabGroup.activeTab?.input;
      assert.ok(input instanceof TabInputTextDiff);
      const server = (await workspace.openTextDocument(input.original)).getText();
      assert.match(server, /^# Changed since you opened them: THEIR_KEY, MAIL_FROM, APP_DEBUG$/m);
      assert.match(server, /^MAIL_FROM=theirs$/m);
      assert.match(server, new RegExp(`^THEIR_KEY=${mask}$`, 'm'));
    });

    it("merges the person's changes, and saves just those", async () => {
      await commands.executeCommand('gantry.variables.merge', document.uri.toString());
      assert.match(document.getText(), /^MAIL_FROM=theirs$/m);
      assert.match(document.getText(), /^MINE=my own$/m);
      assert.ok(await saving(document, save));
      assert.deepEqual(sent(), [
        { AddContainerEnvVars: { APP_ENV: 'staging', MINE: 'my own' }, nodeId: nodes()[0]?.id },
      ]);
      assert.deepEqual(
        held(0),
        without('APP_DEBUG', { ...test.samples[0], ...theirs, APP_ENV: 'staging', MINE: 'my own' }),
      );
    });
  });

  it('still notices a change by someone else that was read while the person was typing', async () => {
    const document = await edit(node(0));
    held(0)['MAIL_FROM'] = 'theirs';
    test.platform.faults.add({ operation: 'GetContainerEnvVars', fault: { kind: 'hang', when: 'after' } });
    const asked = test.platform.journal.nextArrival(({ operation }) => operation === 'GetContainerEnvVars');
    const again = commands.executeCommand('gantry.variables.edit', node(0));
    await asked;
    await change(document, 'production', 'staging');
    test.platform.faults.clear();
    await again;
    assert.match(await messageOf(document, escape), /Someone else has changed .+: MAIL_FROM\./);
    assert.deepEqual(sent(), []);
  });

  it('says that it does not know what a text is based on if no document with it was open before', async () => {
    const { uri } = await edit(node(0));
    const database = test.platform.nodes('shop', 'sqldb')[0]?.id;
    const path = uri.path.replaceAll(String(nodes()[0]?.id), String(database)).replace('/cp', '/sqldb');
    const content = new TextEncoder().encode('MYSQL_DATABASE=other\n');
    const write = () => workspace.fs.writeFile(uri.with({ path }), content).then(undefined, () => undefined);
    await test.person.answering([escape], write);
    assert.match(
      seen(),
      /^VS Code restored your text.+Check the names\.\n\nChange: MYSQL_DATABASE=\w+ → other\n\nRemove: MYSQL_ROOT_PASSWORD, /m,
    );
    assert.deepEqual(sent(), []);
  });

  it('sees a change by someone else while its question is open', async () => {
    const document = await edit(node(0));
    await change(document, 'production', 'staging');
    const asked = nextEvent(test.person.onDidSee, () => true).then(() => {
      held(0)['MAIL_FROM'] = 'theirs';
    });
    assert.ok(!(await saving(document, save, escape)));
    await asked;
    assert.deepEqual(sent(), []);
    assert.equal(held(0)['MAIL_FROM'], 'theirs');
  });

  it('reads back after a lost response, and sends nothing twice', async () => {
    const document = await edit(node(0));
    await change(document, 'APP_ENV=production', 'APP_ENV=staging');
    test.platform.faults.add({ operation: 'AddContainerEnvVars', fault: { kind: 'reset', when: 'after' } });
    assert.ok(await saving(document, save));
    assert.equal(sent().length, 1);
    assert.equal(held(0)['APP_ENV'], 'staging');
  });

  it('says that a change is missing after a lost request, and finds one that arrives late', async () => {
    const document = await edit(node(0));
    await change(document, 'APP_ENV=production', 'APP_ENV=staging');
    await change(document, /APP_DEBUG=.*\n/, '');
    test.platform.faults.add({ operation: 'AddContainerEnvVars', fault: { kind: 'reset' } });
    assert.match(await messageOf(document, save), /Couldn't confirm.+Your text is still in the editor\. Save again/);
    assert.equal(sent().length, 1);
    held(0)['APP_ENV'] = 'staging';
    assert.ok(await saving(document, save));
    assert.deepEqual(sent().slice(1), [{ RemoveContainerEnvVars: ['APP_DEBUG'], nodeId: nodes()[0]?.id }]);
  });

  it('says that they take effect with a restart also if the next save finds that all have arrived', async () => {
    const document = await edit(node(0));
    await change(document, 'APP_ENV=production', 'APP_ENV=staging');
    test.platform.faults.add({ operation: 'AddContainerEnvVars', fault: { kind: 'reset' } });
    await messageOf(document, save);
    held(0)['APP_ENV'] = 'staging';
    assert.ok(await saving(document));
    assert.equal(sent().length, 1);
    assert.match(seen(), /They take effect when the service restarts\./);
  });

  it('says so if the platform keeps the earlier value', async () => {
    test.platform.behaviour.addedVariables = 'keep';
    const document = await edit(node(0));
    await change(document, 'APP_ENV=production', 'APP_ENV=staging\nNEW=1');
    assert.match(await messageOf(document, save), /didn't change APP_ENV\. To change a value, remove its line/);
    assert.deepEqual([held(0)['APP_ENV'], held(0)['NEW']], ['production', '1']);
    await change(document, 'APP_ENV=staging\n', '');
    assert.ok(await saving(document, save));
    assert.equal(held(0)['APP_ENV'], undefined);
  });

  it("edits what a layer's nodes share in one request, and leaves alone what differs", async () => {
    held(0)['REPLICA'] = 'one';
    held(1)['REPLICA'] = 'two';
    held(1)['ONLY_HERE'] = 'x';
    const document = await edit(layer());
    assert.match(document.getText(), /^# These differ between nodes.*: ONLY_HERE, REPLICA$/m);
    assert.doesNotMatch(document.getText(), /^REPLICA=/m);
    await change(document, 'APP_ENV=production', 'APP_ENV=staging');
    assert.ok(await saving(document, save));
    assert.deepEqual(sent(), [{ AddContainerEnvVars: { APP_ENV: 'staging' }, nodeGroup: 'cp' }]);
    assert.deepEqual([held(0)['APP_ENV'], held(1)['APP_ENV']], ['staging', 'staging']);
    assert.deepEqual([held(0)['REPLICA'], held(1)['REPLICA'], held(1)['ONLY_HERE']], ['one', 'two', 'x']);
  });

  it('completes a layer of which one node failed with the next save', async () => {
    const document = await edit(layer());
    await change(document, 'APP_ENV=production', 'APP_ENV=staging');
    const nodeId = nodes()[1]?.id ?? 0;
    test.platform.faults.add({
      operation: 'AddContainerEnvVars',
      fault: { kind: 'failNode', nodeId, error: 'out of memory' },
    });
    assert.match(await messageOf(document, save), /out of memory.*Your text is still in the editor/);
    assert.deepEqual([held(0)['APP_ENV'], held(1)['APP_ENV']], ['staging', 'production']);
    assert.ok(await saving(document, save));
    assert.equal(held(1)['APP_ENV'], 'staging');
  });

  it('says which method the token lacks, or that the platform has none of this', async () => {
    const lacks = { kind: 'refuse', result: 8202, error: 'method not allowed' } as const;
    test.platform.faults.add({ operation: 'GetContainerEnvVars', fault: lacks });
    await test.person.answering([], () => commands.executeCommand('gantry.variables.edit', node(0)));
    assert.match(
      seen(),
      /^Couldn't read the variables of node \d+: the access token doesn't permit this method.+Add environment\.control\.GetContainerEnvVars to the token/m,
    );
    // As refreshing the view does.
    test.parts.accounts.forgetRights();
    const document = await edit(node(0));
    await change(document, 'production', 'staging');
    test.platform.faults.add({ operation: 'AddContainerEnvVars', fault: lacks });
    assert.match(await messageOf(document, save), /environment\.control\.AddContainerEnvVars/);
    await closeWithoutSaving();
    test.parts.accounts.forgetRights();
    test.platform.behaviour.extras = 'absent';
    await test.person.answering([], () => commands.executeCommand('gantry.variables.edit', node(0)));
    assert.match(
      seen(),
      /^Couldn't read the variables of node \d+: the platform doesn't offer environment\.control\.GetContainerEnvVars\. Use the dashboard instead\.$/m,
    );
    // The answer of a proxy doesn't count for good.
    test.platform.behaviour.extras = 'present';
    await test.person.answering([{ presses: 'Try Again' }], () =>
      commands.executeCommand('gantry.variables.edit', node(0)),
    );
  });

  it('opens read-only and says why if changes are known to be refused, until the right is back', async () => {
    const document = await edit(node(0));
    await change(document, 'production', 'staging');
    const refused = { kind: 'refuse', result: 8202, error: 'method not allowed' } as const;
    test.platform.faults.add({ operation: 'AddContainerEnvVars', fault: refused });
    await messageOf(document, save);
    // What was typed is still there to be saved.
    assert.equal((await workspace.fs.stat(document.uri)).permissions, undefined);
    await closeWithoutSaving();
    await test.person.answering([], () => commands.executeCommand('gantry.variables.edit', node(0)));
    const uri = window.activeTextEditor?.document.uri ?? assert.fail('nothing was opened');
    assert.equal((await workspace.fs.stat(uri)).permissions, FilePermission.Readonly);
    assert.match(
      seen(),
      /^The access token doesn't permit environment\.control\.AddContainerEnvVars\. Add it to the token/m,
    );
    const told = nextEvent(test.parts.variableDocuments.onDidChangeFile, (changes) =>
      changes.some((one) => one.uri.toString() === uri.toString()),
    );
    test.parts.accounts.forgetRights();
    await told;
    assert.equal((await workspace.fs.stat(uri)).permissions, undefined);
  });

  it('warns if only removals are known to be refused, and saves other changes', async () => {
    const document = await edit(node(0));
    await change(document, /APP_DEBUG=.*\n/, '');
    const refused = { kind: 'refuse', result: 8202, error: 'method not allowed' } as const;
    test.platform.faults.add({ operation: 'RemoveContainerEnvVars', fault: refused });
    await messageOf(document, save);
    await closeWithoutSaving();
    await test.person.answering([], () => commands.executeCommand('gantry.variables.edit', node(0)));
    assert.match(seen(), /^The access token doesn't permit environment\.control\.RemoveContainerEnvVars\. /m);
    const again = window.activeTextEditor?.document ?? assert.fail('nothing was opened');
    assert.equal((await workspace.fs.stat(again.uri)).permissions, undefined);
    test.platform.journal.reset();
    await change(again, 'APP_ENV=production', 'APP_ENV=staging');
    assert.ok(await saving(again, save));
    assert.deepEqual(sent(), [{ AddContainerEnvVars: { APP_ENV: 'staging' }, nodeId: nodes()[0]?.id }]);
  });

  it("never shows a value, even if the platform's message quotes it", async () => {
    const document = await edit(node(0));
    await change(document, /DATABASE_PASSWORD=.*/, 'DATABASE_PASSWORD=hunter2-new');
    const error = 'cannot write {"DATABASE_PASSWORD":"hunter2-new"}: bad value hunter2-new';
    test.platform.faults.add({ operation: 'AddContainerEnvVars', fault: { kind: 'refuse', result: 4099, error } });
    const message = await messageOf(document, save);
    assert.match(message, /cannot write/);
    assert.doesNotMatch(`${message} ${seen()}`, /hunter2/);
  });

  it('keeps no value on this computer, even if the versions of files are kept', async () => {
    const settings = workspace.getConfiguration('gantry.versionHistory');
    const usual = settings.inspect('keep')?.globalValue;
    await settings.update('keep', 'on', ConfigurationTarget.Global);
    try {
      const file = await openInEditor(
        fileUri(test.account, 'shop', `cp~${nodes()[0]?.id ?? 0}`, '/etc/nginx/nginx.conf'),
      );
      const original = file.getText();
      await replaceAll(file, `# kept-as-a-version\n${original}`);
      assert.ok(await file.save());
      const document = await edit(node(0));
      await change(document, 'APP_ENV=production', 'APP_ENV=stored-nowhere\nNEW_SECRET=nor-is-this');
      assert.ok(await saving(document, save));
      await test.parts.settled();
      const storage = dirname(test.parts.fileVersions.journal.folder);
      const entries = await readdir(storage, { recursive: true, withFileTypes: true });
      const files = entries.filter((entry) => entry.isFile());
      const texts = await Promise.all(files.map(({ parentPath, name }) => readFile(join(parentPath, name), 'utf8')));
      assert.ok(texts.some((text) => text.includes('kept-as-a-version')));
      for (const text of texts) assert.doesNotMatch(text, /stored-nowhere|nor-is-this/);
    } finally {
      await settings.update('keep', usual, ConfigurationTarget.Global);
    }
  });

  it('asks in production too, in the same question', async () => {
    await inProduction(['shop'], async () => {
      const document = await edit(node(0));
      await change(document, 'production', 'staging');
      assert.ok(await saving(document, save));
    });
    assert.match(seen(), /production/i);
  });

  it('restarts nothing without two clicks, and then the variables take effect', async () => {
    const document = await edit(node(0));
    await change(document, 'production', 'staging');
    const restarted = test.platform.journal.next(({ operation }) => operation === 'RestartServices');
    let press = (): void => undefined;
    const when = new Promise<void>((resolve) => (press = resolve));
    await test.person.answering([save, { presses: 'Restart Service…', when }, 'Restart'], async () => {
      assert.ok(await document.save());
      assert.equal(nodes()[0]?.effectiveVariables, undefined);
      press();
      await restarted;
    });
    assert.equal(nodes()[0]?.effectiveVariables?.['APP_ENV'], 'staging');
    assert.equal(nodes()[1]?.effectiveVariables, undefined);
  });

  it('asks whose variables to edit from the palette, and suggests names', async () => {
    await test.person.answering(['NGINX 1.26'], () => commands.executeCommand('gantry.variables.edit'));
    const document = window.activeTextEditor?.document ?? assert.fail();
    assert.ok(document.getText().includes('WORKER_PROCESSES=auto'));
    await change(document, /WORKER_PROCESSES=auto/, 'WORK');
    const at = document.positionAt(document.getText().indexOf('\nWORK') + 5);
    const { items } = await commands.executeCommand<{ items: { label: string; insertText: string }[] }>(
      'vscode.executeCompletionItemProvider',
      document.uri,
      at,
    );
    assert.ok(
      items.some(({ label, insertText }) => label === 'WORKER_PROCESSES' && insertText === 'WORKER_PROCESSES='),
    );
  });
});
