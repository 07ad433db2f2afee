import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { after, afterEach, before, beforeEach, describe, it } from 'mocha';
import { commands, ConfigurationTarget, FileChangeType, TabInputText, type Uri, window, workspace } from 'vscode';
import type { Account } from '../../../../src/accounts/accounts';
import { filePlaceOf } from '../../../../src/containers/place';
import { lineIn } from '../../../../src/features/restart/restartFlow';
import type { SetFault } from '../../../localPlatform/faults/faults';
import { nginxSyntaxProblem } from '../../../localPlatform/environments/nginxSyntax';
import { cancelProgress } from '../../support/cancelProgress';
import { allowAgents, callOrFail, setAgentAccess } from '../../support/callTool';
import { closeWithoutSaving, comparedTexts, openInEditor, replaceAll } from '../../support/editing';
import { until } from '../../support/event';
import { fileUri } from '../../support/gantry';
import { enter, escape } from '../../support/person';
import { windowScene } from '../../support/windowScene';

const undoAndRestart = 'Undo Saves and Restart';

describe('What a restart leaves behind', () => {
  const scene = windowScene({ sample: 'environments', signedOut: true });
  const cp = scene.environment('shop').layer('cp');
  const { person } = scene;
  let count = 0;
  let path = '';

  before(() => scene.signInWith({ description: 'test', tokenTemplate: 'Extended Access' }, 'back'));

  beforeEach(async () => {
    scene.platform.journal.reset();
    count += 1;
    path = `/etc/nginx/conf.d/back-${count}.conf`;
    await cp.file(path, '# A\n');
  });

  afterEach(async () => {
    await Promise.all([0, 1].flatMap((index) => [cp.remove(path, index), cp.remove(added(), index)]));
    // Nothing saved in one test is left for the next one to restore.
    const { savedConfigurations } = scene.parts.files;
    cp.nodes.forEach((id) => savedConfigurations.forgetNode(id, { account: 'back', environment: 'shop' }));
  });

  const disk = (index: number, file = path) => cp.onDisk(file, index);
  /** A file that doesn't exist before the test. */
  const added = () => `/etc/nginx/conf.d/new-${count}.conf`;
  const text = (index: number, file = path) => cp.text(file, index);
  const uri = (index?: number, file = path, of = scene.account) =>
    fileUri(of, 'shop', index === undefined ? 'cp' : `cp~${cp.nodeId(index)}`, file);
  const save = async (at: Uri, words: string) => {
    const document = await openInEditor(at);
    await replaceAll(document, words);
    assert.ok(await document.save());
  };
  const layer = (slug = 'back') => ({ environment: { account: slug, name: 'shop' }, layer: { id: 'cp' } });
  const restart = (index?: number) =>
    commands.executeCommand(
      'gantry.service.restart',
      index === undefined ? layer() : { ...layer(), node: { id: cp.nodeId(index) } },
    );
  const sent = () =>
    scene.platform.journal.entries
      .filter(({ operation }) => operation === 'RestartServices')
      .map(({ parameters }) => Number(parameters['nodeId']));
  /** The same file in the list, on each node. */
  const onBoth = () => cp.nodes.map((id) => `(${id})`);
  const seen = () => person.seen.join('\n');
  const fault = (index: number, nth = 1) =>
    scene.platform.faults.add({
      operation: 'RestartServices',
      fault: { kind: 'failNode', nodeId: cp.nodeId(index), error: 'out of memory' },
      nth,
    });
  const hang = (nth: number) =>
    scene.platform.faults.add({ operation: 'RestartServices', fault: { kind: 'hang' }, nth });

  /** Presses Cancel in the progress notifications once the request hangs. */
  const canceling = async (hanging: SetFault, work: () => Thenable<unknown>) => {
    const leave = cancelProgress(hanging.reached);
    await work();
    leave();
  };

  it('lists each save with its node and time, and undoes none without an answer', async () => {
    await save(uri(1), '# fine\n');
    await save(uri(0), '# B\n');
    fault(0);
    await person.answering(['Restart', { presses: undoAndRestart }, escape], () => restart(0));
    for (const index of [0, 1]) {
      assert.match(
        seen(),
        new RegExp(
          String.raw`^back-${count}\.conf \(${cp.nodeId(index)}\): saved just now \(.+, \d+:\d+:\d+\s[AP]M\) ${path}$`,
          'm',
        ),
      );
    }
    assert.deepEqual([await text(0), await text(1)], ['# B\n', '# fine\n']);
    assert.deepEqual(sent(), [cp.nodes[0]]);
  });

  it('undoes only the last save on the node that failed, not what was put into use from elsewhere', async () => {
    await writeFile(disk(0, added()), '# A\n');
    await save(uri(0, added()), '# in use\n');
    await save(uri(0), '# in use\n');
    await scene.addAccount({ description: 'colleague', tokenTemplate: 'Extended Access' }, 'colleague');
    try {
      const node = { ...layer('colleague'), node: { id: cp.nodeId(0) } };
      await person.answering(['Restart'], () => commands.executeCommand('gantry.service.restart', node));
    } finally {
      await scene.parts.accounts.remove('colleague');
    }
    await save(uri(0), '# C\n');
    await save(uri(1), '# D\n');
    fault(0);
    await person.answering(['Restart', { presses: undoAndRestart }, enter], () => restart(0));
    assert.deepEqual([await text(0), await text(0, added()), await text(1)], ['# in use\n', '# in use\n', '# D\n']);
    assert.match(seen(), /^Undid your saves to back-\d+\.conf\. Restarted the service on NGINX/m);
  });

  it('undoes a save to all nodes on each of them, although the file was saved on one before', async () => {
    await save(uri(0), '# B\n');
    await commands.executeCommand('gantry.file.saveToAllNodes', uri(0));
    assert.equal(await text(1), '# B\n');
    fault(0);
    await person.answering(['Restart', { presses: undoAndRestart }, enter], () => restart());
    assert.deepEqual([await text(0), await text(1)], ['# A\n', '# A\n']);
  });

  /** Returns the history of the file after something that is done while versions are kept. */
  const historyAfter = async (work: () => Promise<void>) => {
    const settings = workspace.getConfiguration('gantry.versionHistory');
    const usual = settings.inspect('keep')?.globalValue;
    await settings.update('keep', 'on', ConfigurationTarget.Global);
    try {
      await work();
      await scene.parts.settled();
      await person.answering([escape], () => commands.executeCommand('gantry.version.history', uri(0)));
    } finally {
      await settings.update('keep', usual, ConfigurationTarget.Global);
    }
    return seen();
  };

  it('is called a restoration in the history of the file', async () => {
    const history = await historyAfter(async () => {
      await save(uri(0), '# B\n');
      fault(0);
      await person.answering(['Restart', { presses: undoAndRestart }, enter], () => restart(0));
    });
    assert.match(history, /^\$\(check\) .+: the text now · just now · restored/m);
  });

  it('includes what was saved on a node while the others were restarted', async () => {
    const history = await historyAfter(async () => {
      await save(uri(0), '# B\n');
      await scene.parts.settled();
      const hanging = hang(2);
      await person.answering(['Restart'], async () => {
        const restarting = restart();
        await hanging.reached;
        await save(uri(0), '# C\n');
        hanging.release();
        await restarting;
      });
    });
    assert.match(history, /then restarted$/m);
    assert.doesNotMatch(history, /the text now.*then restarted/);
    assert.ok(scene.parts.files.savedConfigurations.has(filePlaceOf(uri(0)) ?? assert.fail()));
    fault(0);
    await person.answering(['Restart', { presses: undoAndRestart }, enter], () => restart(0));
    assert.equal(await text(0), '# B\n');
    assert.ok(!seen().includes('undoes later saves'));
  });

  it('suggests all nodes first after a save to all nodes, and otherwise the one of the file', async () => {
    const first = async () => {
      await person.answering([enter, escape], () => commands.executeCommand('gantry.service.restart', uri(0)));
      return person.seen.find((one) => one.startsWith('Restart the service on ')) ?? '';
    };
    await save(uri(0), '# B\n');
    assert.match(await first(), new RegExp(`^Restart the service on NGINX PHP .*${cp.nodes[0] ?? ''}`));
    await commands.executeCommand('gantry.file.saveToAllNodes', uri(0));
    assert.match(await first(), /^Restart the service on every node of /);
  });

  it('opens the file at the line that the node names, and keeps the way back open', async () => {
    const broken = '# A\nserver {\n';
    await save(uri(0), broken);
    const { line } = nginxSyntaxProblem(broken) ?? assert.fail();
    const shownLines = new Set<number | undefined>();
    // The restored text is shorter, so the selection moves once the document has it.
    const looking = person.onDidSee(() => {
      const shown = window.visibleTextEditors.find(({ document }) => document.uri.path === uri(0).path);
      shownLines.add(shown?.selection.active.line);
    });
    await person.answering(
      ['Restart', { presses: `Open back-${count}.conf:${line}` }, { presses: undoAndRestart }, enter],
      () => restart(0),
    );
    looking.dispose();
    assert.ok(shownLines.has(line - 1), [...shownLines].join());
    assert.equal(await text(0), '# A\n');
  });

  it('finds the line in the words of several services', () => {
    for (const [words, path, line] of [
      ['nginx: [emerg] unknown directive "foo" in /etc/nginx/nginx.conf:12', '/etc/nginx/nginx.conf', 12],
      ['[01-Jan] ERROR: [/etc/php-fpm.conf:3] unknown entry', '/etc/php-fpm.conf', 3],
      ['AH00526: Syntax error on line 7 of /etc/httpd/conf.d/a.conf: Invalid', '/etc/httpd/conf.d/a.conf', 7],
      ['Found option without preceding group in config file: /etc/my.cnf at line: 2', '/etc/my.cnf', 2],
      ['PHP: syntax error, unexpected "=" in /etc/php.ini on line 40', '/etc/php.ini', 40],
    ] as const)
      assert.deepEqual(lineIn(words), { path, line }, words);
    for (const words of ['out of memory', 'bind() to 0.0.0.0:80 failed', 'see https://example.com:443/status'])
      assert.equal(lineIn(words), undefined, words);
  });

  it('undoes the last save to the file that the node names, unless the person chooses another', async () => {
    await writeFile(disk(0, added()), '# A\n');
    await save(uri(0, added()), 'server {\n');
    await save(uri(0), '# B\n');
    await person.answering(['Restart', { presses: undoAndRestart }, enter], () => restart(0));
    assert.deepEqual([await text(0), await text(0, added())], ['# B\n', '# A\n']);
    await save(uri(0, added()), 'server {\n');
    await save(uri(0), '# C\n');
    await person.answering(['Restart', { presses: undoAndRestart }, [`back-${count}`]], () => restart(0));
    assert.deepEqual([await text(0), await text(0, added())], ['# B\n', 'server {\n']);
  });

  it('undoes older saves if the person chooses them, also after the last one was not enough', async () => {
    for (const words of ['# B\n', '# C\n', '# D\n']) await save(uri(0), words);
    fault(0);
    fault(0, 2);
    await person.answering(
      ['Restart', { presses: undoAndRestart }, enter, { presses: undoAndRestart }, ['undoes later saves, too']],
      () => restart(0),
    );
    assert.equal(await text(0), '# A\n');
    assert.deepEqual(sent(), [cp.nodes[0], cp.nodes[0], cp.nodes[0]]);
    fault(0);
    await person.answering(['Restart'], () => restart(0));
    assert.equal(await text(0), '# A\n');
  });

  it('goes back to what a colleague saved in between, not further', async () => {
    await save(uri(0), '# B\n');
    await writeFile(disk(0), '# by a colleague\n');
    scene.parts.listings.forgetAll();
    const document = await openInEditor(uri(0));
    // As if it was being watched.
    scene.parts.files.fileSystem.announce([
      { place: filePlaceOf(uri(0)) ?? assert.fail(), type: FileChangeType.Changed },
    ]);
    await until(workspace.onDidChangeTextDocument, () => document.getText() === '# by a colleague\n');
    await save(uri(0), '# C\n');
    fault(0);
    await person.answering(['Restart', { presses: undoAndRestart }, enter], () => restart(0));
    assert.equal(await text(0), '# by a colleague\n');
    assert.ok(!seen().includes('undoes later saves'));
  });

  it('goes back to the empty file that someone left in between, not further', async () => {
    await save(uri(0), '# B\n');
    await writeFile(disk(0), '');
    scene.parts.listings.forgetAll();
    const document = await openInEditor(uri(0));
    scene.parts.files.fileSystem.announce([
      { place: filePlaceOf(uri(0)) ?? assert.fail(), type: FileChangeType.Changed },
    ]);
    await until(workspace.onDidChangeTextDocument, () => document.getText() === '');
    await save(uri(0), '# C\n');
    fault(0);
    await person.answering(['Restart', { presses: undoAndRestart }, enter], () => restart(0));
    assert.equal(await text(0), '');
    assert.ok(!seen().includes('undoes later saves'));
  });

  it("doesn't list a file that another extension has overwritten since, without looking at it", async () => {
    await writeFile(disk(0, added()), '# A\n');
    await save(uri(0), '# B\n');
    await closeWithoutSaving();
    await writeFile(disk(0), '# by a colleague\n');
    await workspace.fs.writeFile(uri(0), Buffer.from('# by an extension\n'));
    await save(uri(0, added()), '# B\n');
    fault(0);
    await person.answering(['Restart', { presses: undoAndRestart }, escape], () => restart(0));
    assert.match(seen(), new RegExp(`^new-${count}\\.conf \\(`, 'm'));
    assert.doesNotMatch(seen(), new RegExp(`^back-${count}\\.conf \\(`, 'm'));
    await save(uri(0), '# C\n');
    fault(0);
    await person.answering(['Restart', { presses: undoAndRestart }, [`back-${count}`]], () => restart(0));
    assert.equal(await text(0), '# by an extension\n');
  });

  for (const [where, index, at] of [
    ["a folder that wasn't listed", 0, () => uri(0, added())],
    ['a layer of which only another node has it', 1, () => uri(undefined, added())],
  ] as const) {
    it(`doesn't take a file for new, and delete it, that was replaced without an editor in ${where}`, async () => {
      await writeFile(disk(index, added()), '# by a colleague\n');
      scene.parts.listings.forgetAll();
      await workspace.fs.writeFile(at(), Buffer.from('# replaced\n'));
      await save(uri(index), '# B\n');
      fault(index);
      await person.answering(['Restart', { presses: undoAndRestart }, enter], () => restart(index));
      assert.doesNotMatch(seen(), new RegExp(`^new-${count}\\.conf \\(`, 'm'));
      assert.deepEqual([await text(index), await text(index, added())], ['# A\n', '# replaced\n']);
    });
  }

  it("doesn't list a save over something that can't be written again", async () => {
    const { savedConfigurations } = scene.parts.files;
    const node = filePlaceOf(uri(0)) ?? assert.fail();
    const found = (words: string, whole: boolean) =>
      ({
        kind: 'text',
        text: words,
        whole,
        entry: { name: 'back.conf', absolutePath: path, isDir: false, length: 9 },
      }) as const;
    savedConfigurations.note({
      kind: 'saved',
      before: [{ node, found: found('# \uFFFD\n', false) }],
      nodes: [{ node, found: found('# B\n', true) }],
    });
    assert.deepEqual(await savedConfigurations.inLayer({ account: 'back', environment: 'shop', nodeGroup: 'cp' }), []);
  });

  describe('when it is canceled in the middle', () => {
    it('is said, and the way back leads to what the nodes that are done run with', async () => {
      await save(uri(0), '# B\n');
      await canceling(hang(2), () => person.answering(['Restart'], () => restart()));
      assert.match(
        seen(),
        /^Restart canceled\. Restarted the service on 1 of 2 nodes\. NGINX PHP 8\.3 \(\d+\) may still restart\.$/m,
      );
      assert.ok(seen().includes(`(${cp.nodeId(1)}) may still`));
      await save(uri(0), '# C\n');
      fault(0);
      await person.answering(['Restart', { presses: undoAndRestart }, enter], () => restart(0));
      assert.equal(await text(0), '# B\n');
    });

    it('names the node that may still restart if none is done', async () => {
      await canceling(hang(1), () => person.answering(['Restart'], () => restart(1)));
      assert.match(seen(), /^Restart canceled\. NGINX PHP 8\.3 \(\d+\) may still restart\.$/m);
    });

    it('is said after the files that were restored', async () => {
      await save(uri(0), '# B\n');
      fault(0);
      const hanging = hang(2);
      await canceling(hanging, () =>
        person.answering(['Restart', { presses: undoAndRestart }, enter], () => restart(0)),
      );
      assert.equal(await text(0), '# A\n');
      assert.match(
        seen(),
        /^Undid your saves to back-\d+\.conf\. Restart canceled\. NGINX PHP 8\.3 \(\d+\) may still restart\.$/m,
      );
    });

    it('is told to a language model, too', async () => {
      await allowAgents();
      let answer = '';
      await canceling(hang(2), async () => {
        answer = await person.answering([], () => callOrFail('gantry_restart_service', { place: 'shop/cp' }));
      });
      await setAgentAccess(undefined);
      assert.match(answer, /Restart canceled\. Restarted the service on 1 of 2 nodes\. .+ may still restart\./);
    });
  });

  describe('if it fails after a file was created', () => {
    /** As New File does it. */
    const create = async (at: Uri) => {
      await workspace.fs.writeFile(at, new Uint8Array());
      await save(at, 'server {\n');
    };

    /** The files of the list, in which a file's first save is the last row. */
    const both = () => [`back-${count}`, `new-${count}`];

    it('deletes that file if the person chooses it, and restores the others', async () => {
      await save(uri(0), '# B\n');
      await create(uri(0, added()));
      await person.answering(['Restart', { presses: undoAndRestart }, escape], () => restart(0));
      const row = new RegExp(
        `^new-${count}\\.conf \\(${cp.nodeId(0)}\\): saved just now .+ · new file, will be deleted `,
        'm',
      );
      assert.match(seen(), row);
      assert.ok(existsSync(disk(0, added())));
      await person.answering(['Restart', { presses: undoAndRestart }, both()], () => restart(0));
      assert.deepEqual([await text(0), existsSync(disk(0, added()))], ['# A\n', false]);
      assert.match(seen(), /^Undid your saves to 2 files\. Restarted the service on NGINX/m);
    });

    it('deletes only that file with a token that can no longer write', async () => {
      await save(uri(0), '# B\n');
      await create(uri(0, added()));
      scene.fail('Write', { kind: 'refuse', result: 8202, error: 'no' });
      const at = { envName: 'shop', nodeGroup: 'cp', nodeid: cp.nodeId(0), path, body: '', isAppendMode: false };
      await assert.rejects(scene.account.call('Write', at));
      fault(0);
      try {
        await person.answering(['Restart', { presses: undoAndRestart }, [`new-${count}`]], () => restart(0));
        assert.deepEqual([await text(0), existsSync(disk(0, added()))], ['# B\n', false]);
      } finally {
        scene.parts.accounts.forgetRights();
      }
    });

    it('never deletes a file unless the person selects it', async () => {
      await save(uri(0), '# B\n');
      await create(uri(0, added()));
      await person.answering(['Restart', { presses: undoAndRestart }, enter], () => restart(0));
      assert.deepEqual([await text(0), await text(0, added())], ['# B\n', 'server {\n']);
      assert.deepEqual(sent(), [cp.nodes[0]]);
    });

    it('deletes what another extension created, also on each node of a layer', async () => {
      await workspace.fs.writeFile(uri(undefined, added()), Buffer.from('server {\n'));
      await person.answering(['Restart', { presses: undoAndRestart }, onBoth()], () => restart());
      assert.deepEqual(
        [0, 1].map((index) => existsSync(disk(index, added()))),
        [false, false],
      );
      assert.match(
        seen(),
        /^Undid your saves to new-\d+\.conf\. Restarted the service on every node of Application servers\./m,
      );
    });

    it('changes nothing at all if someone has changed that file since, and can be repeated', async () => {
      await save(uri(0), '# B\n');
      await create(uri(0, added()));
      await writeFile(disk(0, added()), 'server { # by a colleague\n');
      await person.answering(['Restart', { presses: undoAndRestart }, both(), { presses: 'Compare' }], () =>
        restart(0),
      );
      assert.deepEqual([await text(0), await text(0, added())], ['# B\n', 'server { # by a colleague\n']);
      assert.deepEqual(await comparedTexts(), ['', 'server { # by a colleague\n']);
      await closeWithoutSaving();
      assert.match(
        seen(),
        /Couldn't restore new-\d+\.conf on node \d+: it changed in the meantime, so nothing was written\. Check the file, then restart/,
      );
      await writeFile(disk(0, added()), 'server {\n');
      await person.answering(['Restart', { presses: undoAndRestart }, both()], () => restart(0));
      assert.deepEqual([await text(0), existsSync(disk(0, added()))], ['# A\n', false]);
    });

    it('counts a file that is already deleted as restored', async () => {
      await save(uri(0), '# B\n');
      await create(uri(0, added()));
      fault(0);
      await rm(disk(0, added()));
      await person.answering(['Restart', { presses: undoAndRestart }, both()], () => restart(0));
      assert.equal(await text(0), '# A\n');
      assert.match(seen(), /Undid your saves to 2 files\. Restarted the service on NGINX/);
    });

    it("can't confirm a deletion without a response", async () => {
      await create(uri(0, added()));
      scene.fail('Delete', { kind: 'gatewayError', status: 504 });
      await person.answering(['Restart', { presses: undoAndRestart }, [`new-${count}`]], () => restart(0));
      assert.match(
        seen(),
        /Couldn't confirm that new-\d+\.conf on node \d+ was restored: .+\. Check the file, then restart the service\./,
      );
      assert.deepEqual(sent(), [cp.nodes[0]]);
    });

    it('says that the file is still there if the platform only claims to have deleted it', async () => {
      await create(uri(0, added()));
      scene.platform.faults.add({ operation: 'Delete', fault: { kind: 'answer', body: '{"result":0}' } });
      await person.answering(['Restart', { presses: undoAndRestart }, [`new-${count}`]], () => restart(0));
      assert.match(
        seen(),
        /Couldn't restore new-\d+\.conf on node \d+: the platform reported success, but the file didn't change\./,
      );
      assert.deepEqual(sent(), [cp.nodes[0]]);
    });
  });

  it('names what was restored if the second file then fails', async () => {
    await save(uri(0), '# B\n');
    await save(uri(1), '# B\n');
    fault(0);
    scene.platform.faults.add({
      operation: 'Write',
      parameters: { nodeid: String(cp.nodeId(1)) },
      fault: { kind: 'refuse', result: 4099, error: 'read-only file system' },
    });
    await person.answering(['Restart', { presses: undoAndRestart }, onBoth()], () => restart());
    assert.deepEqual([await text(0), await text(1)], ['# A\n', '# B\n']);
    assert.ok(
      seen().includes(
        `Undid your saves to back-${count}.conf (${cp.nodeId(0)}). Couldn't restore back-${count}.conf on node ${cp.nodeId(1)}: `,
      ),
      seen(),
    );
    assert.deepEqual(sent(), [cp.nodes[0]]);
  });

  it('changes no file if one of them can no longer be restored', async () => {
    await save(uri(0), '# B\n');
    await save(uri(1), '# B\n');
    fault(0);
    await writeFile(disk(1), '# by a colleague\n');
    await person.answering(['Restart', { presses: undoAndRestart }, onBoth()], () => restart());
    assert.deepEqual([await text(0), await text(1)], ['# B\n', '# by a colleague\n']);
  });

  describe('on a layer whose nodes the person entered', () => {
    let narrow: Account;

    before(async () => {
      const apiList = [
        ...['GetList', 'Read', 'Write', 'Create', 'Delete'].map((name) => `environment.file.${name}`),
        ...['RestartServices', 'GetLogs', 'ReadLog'].map((name) => `environment.control.${name}`),
      ];
      narrow = await scene.addAccount({ description: 'narrow', apiList }, 'entered');
      await scene.parts.environments.add(narrow, { name: 'shop', layers: [{ id: 'cp', nodes: [...cp.nodes] }] });
    });
    after(() => scene.parts.accounts.remove('entered'));

    const restartLayer = () => commands.executeCommand('gantry.service.restart', layer('entered'));
    const failSecond = () => fault(1);

    it('shows the log of the node that failed', async () => {
      failSecond();
      await person.answering(['Restart', { presses: 'Show Log' }], restartLayer);
      const { input } = window.tabGroups.activeTabGroup.activeTab ?? {};
      assert.ok(input instanceof TabInputText);
      assert.match(input.uri.toString(true), new RegExp(`cp~${cp.nodeId(1)}/var/log/nginx/error\\.log`));
    });

    it('notes what became of each node', async () => {
      await save(uri(0, path, narrow), '# B\n');
      await save(uri(1, path, narrow), '# B\n');
      failSecond();
      await person.answering(['Restart'], restartLayer);
      assert.match(seen(), /Couldn't restart the service on .+: \d+: Failed to start: out of memory\./);
      failSecond();
      await person.answering(['Restart', { presses: undoAndRestart }, enter], restartLayer);
      assert.deepEqual([await text(0), await text(1)], ['# B\n', '# A\n']);
    });
  });
});
