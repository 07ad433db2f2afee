import assert from 'node:assert/strict';
import { appendFile, mkdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { afterEach, before, beforeEach, describe, it } from 'mocha';
import { commands, EventEmitter, window } from 'vscode';
import type { Account } from '../../../../src/accounts/accounts';
import type { TimeSource } from '../../../../src/async/waiting';
import { filePlaceOf } from '../../../../src/containers/place';
import { createClient } from '../../../../src/platform/client';
import { createFetchSender } from '../../../../src/platform/sending/fetchSender';
import { restartEach, runSteps } from '../../../../src/features/restart/restartFlow';
import { openInEditor, replaceAll } from '../../support/editing';
import { until } from '../../support/event';
import { listWithoutNode } from '../../support/hiddenNode';
import { enter, escape } from '../../support/person';
import { inProduction } from '../../support/production';
import { rowsBelow } from '../../support/trees';
import { windowScene } from '../../support/windowScene';

describe('Restart', () => {
  const scene = windowScene({ sample: 'environments', signedOut: true });
  const cp = scene.environment('shop').layer('cp');
  const { person } = scene;

  before(() => scene.signInWith({ description: 'test', tokenTemplate: 'IDE Plugins' }, 'restart'));

  beforeEach(() => scene.platform.journal.reset());

  const { nodeRow: node, row: layer } = cp;
  const restart = (...received: readonly unknown[]) => commands.executeCommand('gantry.service.restart', ...received);
  /** The row of a node, usually the first, whether the view begins with accounts or environments. */
  const nodeRow = async (label: string, index = 0) => {
    const view = scene.parts.environmentsView;
    const path = ['Saltmarsh Tea', 'Application servers'];
    const rows = await rowsBelow(view, ...(scene.parts.accounts.list.length > 1 ? [label, ...path] : path));
    return view.getTreeItem(rows[index] ?? assert.fail('no node'));
  };
  const sent = () =>
    scene.platform.journal.entries
      .filter(({ operation }) => operation === 'RestartServices')
      .map(({ parameters }) => Number(parameters['nodeId']));
  const seen = () => person.seen.join('\n');
  const uri = (path: string, index?: number) => (index === undefined ? cp.layerUri(path) : cp.uri(path, index));
  const disk = (index: number, path: string) => cp.onDisk(path, index);

  it('restarts a node after a question', async () => {
    await person.answering([escape], () => restart(node(1)));
    assert.deepEqual(sent(), []);
    await person.answering(['Restart'], () => restart(node(1)));
    assert.deepEqual(sent(), [cp.nodes[1]]);
    assert.match(seen(), /^Restart the service on NGINX PHP 8\.3 \(\d+\) in Saltmarsh Tea\?$/m);
    assert.match(
      seen(),
      /^Restarted the service on NGINX PHP 8\.3 \((\d+)\)\. NGINX PHP 8\.3 \(\1\): Restarting nginxphp: done\.$/m,
    );
  });

  it('restarts the nodes of a layer one after the other', async () => {
    await person.answering(['Restart'], () => restart(layer()));
    assert.deepEqual(sent(), cp.nodes);
    assert.match(seen(), /^Restart the service on every node of Application servers in Saltmarsh Tea\?$/m);
    assert.match(
      seen(),
      /^Restarted the service on every node of Application servers\. (NGINX PHP 8\.3 \(\d+\): Restarting nginxphp: done\. ?){2}$/m,
    );
  });

  it('names a node that joined the layer after the question, and leaves it alone', async () => {
    try {
      await listWithoutNode(scene, cp.nodeId(1));
      await person.answering(['Restart'], () => restart(layer()));
      assert.deepEqual(sent(), [cp.nodes[0]]);
      assert.match(
        seen(),
        /^Restarted the service on NGINX.+ These nodes joined Application servers after you confirmed and weren't restarted: NGINX PHP 8\.3 \(\d+\)\.$/m,
      );
      assert.ok(seen().endsWith(`(${cp.nodeId(1)}).`), seen());
      await person.answering(['Restart'], () => restart(layer()));
      assert.match(seen(), /^Restarted the service on every node of Application servers\./m);
    } finally {
      scene.parts.environments.refresh();
    }
  });

  it('says that a layer no longer exists whose row is still shown, and restarts nothing', async () => {
    const { environments } = scene.parts;
    await environments.of(scene.account);
    const { json } = await scene.account.inspect('GetEnvs', {});
    // As if another layer had taken its place.
    const body = JSON.stringify(json).replaceAll('"cp"', '"other"');
    const { now } = Date;
    // What was listed isn't recent by now.
    Date.now = () => now() + 31_000;
    scene.fail('GetEnvs', { kind: 'answer', body });
    try {
      await person.answering([], () => restart(layer()));
      assert.match(seen(), /^Application servers no longer exists\.$/m);
      assert.deepEqual(sent(), []);
    } finally {
      Date.now = now;
      environments.refresh();
    }
  });

  it("says so soon if the platform doesn't list the nodes after it", async () => {
    const hanging = scene.platform.faults.add({ operation: 'GetEnvs', fault: { kind: 'hang' }, nth: 2 });
    try {
      scene.parts.environments.refresh();
      await person.answering(['Restart'], () => restart(layer()));
      await hanging.reached;
      assert.match(seen(), /^Restarted the service on every node of Application servers\./m);
    } finally {
      hanging.release();
      scene.parts.environments.refresh();
    }
  });

  it("asks what to restart if the row's node is gone, whatever file is open", async () => {
    await openInEditor(uri('/etc/nginx/nginx.conf', 1));
    const gone = { ...layer(), node: { id: 1 } };
    await person.answering([escape], () => restart(gone));
    assert.equal(person.seen[0], 'Select what to restart');
    await person.answering(['Load balancer', escape], () => restart(gone));
    assert.match(seen(), /^Restart the service on .+ in Saltmarsh Tea\?$/m);
    assert.deepEqual(sent(), []);
  });

  it("stops at the node that doesn't start, says why in its own words, and works once that is fixed", async () => {
    const file = disk(1, 'etc/nginx/conf.d/storefront.conf');
    const before = await readFile(file, 'utf8');
    await writeFile(file, `${before}server {\n`);
    await person.answering(['Restart'], () => restart(layer()));
    assert.match(
      seen(),
      /^Restarted the service on 1 of 2 nodes\. Couldn't restart the service on NGINX PHP 8\.3 \(\d+\): Failed to start: unexpected end of file.+storefront\.conf:\d+\. It might not be running: fix the cause, then try again\.$/m,
    );
    assert.match(await readFile(disk(1, 'var/log/nginx/error.log'), 'utf8'), /\[emerg\].+unexpected end of file/);
    await writeFile(file, before);
    scene.parts.environments.refresh();
    assert.equal((await nodeRow('R', 1)).description, `${cp.nodeId(1)} · stopped`);
    await person.answering(['Restart'], () => restart(node(1)));
    assert.match(seen(), /^Restarted the service on NGINX PHP 8\.3 \(\d+\)\./m);
    assert.equal((await nodeRow('R', 1)).description, String(cp.nodeId(1)));
  });

  it('opens the log that matters at the failure, though others were written to since', async () => {
    const file = disk(1, 'etc/nginx/conf.d/storefront.conf');
    const [before, log] = [await readFile(file, 'utf8'), disk(1, 'var/log/nginx/error.log')];
    const others = ['nginx/access.log', 'php/errors.log', 'php/slow.log', 'cron.log', 'run.log'];
    const later = new Date(Date.now() + 10 * 60 * 1000);
    await writeFile(log, '2026/01/01 00:00:00 [warn] 1#1: earlier\n'.repeat(3000));
    for (const other of others) {
      const path = disk(1, `var/log/${other}`);
      await mkdir(dirname(path), { recursive: true });
      await appendFile(path, 'nothing to see here\n');
      await utimes(path, later, later);
    }
    await writeFile(file, `${before}server {\n`);
    await person.answering(['Restart', { presses: 'Show Log' }], () => restart(node(1)));
    await writeFile(file, before);
    const editor = window.activeTextEditor ?? assert.fail('nothing was opened');
    assert.equal(editor.document.uri.path, `/shop/cp~${cp.nodeId(1)}/var/log/nginx/error.log`);
    const { line } = editor.selection.active;
    assert.match(editor.document.lineAt(line).text, /exiting$/);
    assert.match(editor.document.lineAt(line + 1).text, /\[emerg\].+unexpected end of file/);
    assert.match(editor.document.lineAt(line - 1).text, /earlier$/);
    const isVisible = () => editor.visibleRanges.some(({ start, end }) => start.line <= line && line < end.line);
    await until(window.onDidChangeTextEditorVisibleRanges, isVisible);
    await Promise.all(others.map((other) => rm(disk(1, `var/log/${other}`))));
  });

  describe('with a way back', () => {
    let count = 0;
    let path = '';
    const earlier = Buffer.from('\uFEFF# as it was\r\n');

    beforeEach(async () => {
      count += 1;
      path = `/etc/nginx/conf.d/tuned-${count}.conf`;
      await Promise.all([0, 1].map((index) => writeFile(disk(index, path), earlier)));
      scene.parts.listings.forgetAll();
      const document = await openInEditor(uri(path, 0));
      await replaceAll(document, `# tuned\n${document.getText()}`);
      await commands.executeCommand('gantry.file.saveToAllNodes', document.uri);
      assert.match(await readFile(disk(1, path), 'utf8'), /^\uFEFF?# tuned/);
    });

    afterEach(() => Promise.all([0, 1].map((index) => rm(disk(index, path)))));

    const failSecond = () =>
      scene.platform.faults.add({
        operation: 'RestartServices',
        fault: { kind: 'failNode', nodeId: cp.nodeId(1), error: 'out of memory' },
        nth: 2,
      });
    const restartAndRestore = () =>
      person.answering(['Restart', { presses: 'Undo Saves and Restart' }, enter], () => restart(layer()));

    it('puts what both nodes had back, byte for byte, and restarts both, if the second fails', async () => {
      failSecond();
      await restartAndRestore();
      assert.deepEqual(await Promise.all([0, 1].map((index) => readFile(disk(index, path)))), [earlier, earlier]);
      assert.deepEqual(sent(), [...cp.nodes, ...cp.nodes]);
      assert.match(seen(), /Failed to start: out of memory/);
      assert.match(
        seen(),
        /^Undid your saves to tuned-\d\.conf\. Restarted the service on every node of Application servers\./m,
      );
    });

    it('restarts nothing if someone has changed a file since', async () => {
      failSecond();
      await writeFile(disk(1, path), 'by a colleague\n');
      await restartAndRestore();
      assert.equal(await readFile(disk(1, path), 'utf8'), 'by a colleague\n');
      assert.deepEqual(sent(), cp.nodes);
      assert.match(
        seen(),
        /Couldn't restore tuned-\d\.conf on node \d+: it changed in the meantime, so nothing was written\. Check the file, then restart/,
      );
    });

    it('waits for a restart on the node that had restarted before, if it is refused after the saves are undone', async () => {
      failSecond();
      const words = 'Not allowed to execute this service for current Environment status [ENV_STATUS_TYPE_SLEEP].';
      const refusal = { kind: 'refuse', result: 2212, error: words } as const;
      scene.platform.faults.add({ operation: 'RestartServices', fault: refusal, nth: 3 });
      await restartAndRestore();
      assert.deepEqual(await readFile(disk(0, path)), earlier);
      const isWaiting = (index: number) =>
        scene.parts.files.savedConfigurations.has(filePlaceOf(uri(path, index)) ?? assert.fail());
      assert.deepEqual([0, 1].map(isWaiting), [true, false]);
    });

    it('says that the token may no longer write files after it asks which saves to undo', async () => {
      failSecond();
      scene.fail('Write', { kind: 'refuse', result: 8202, error: 'no' });
      const at = { envName: 'shop', nodeGroup: 'cp', nodeid: cp.nodeId(0), path, body: '', isAppendMode: false };
      await assert.rejects(scene.account.call('Write', at));
      try {
        await person.answering(['Restart', { presses: 'Undo Saves and Restart' }, enter], () => restart(layer()));
        assert.match(
          person.seen.at(-1) ?? '',
          /the access token doesn't permit this method\..+environment\.file\.Write/,
        );
        assert.deepEqual(sent(), cp.nodes);
      } finally {
        scene.parts.accounts.forgetRights();
      }
    });

    it('asks again in production', async () => {
      failSecond();
      await inProduction(['shop'], () =>
        person.answering(['Restart', { presses: 'Undo Saves and Restart' }, enter, escape], () => restart(layer())),
      );
      assert.match(seen(), /^Undo your saves to .+, and restart the service\?$/m);
      assert.match(await readFile(disk(1, path), 'utf8'), /^\uFEFF?# tuned/);
      assert.deepEqual(sent(), cp.nodes);
    });

    it('is offered if only the code of the response says that a service failed', async () => {
      scene.platform.faults.add({
        operation: 'RestartServices',
        fault: { kind: 'refuse', result: 4182, error: 'Failed to start ' },
      });
      await restartAndRestore();
      assert.deepEqual(await readFile(disk(0, path)), earlier);
      assert.match(seen(), /Failed to start\. It might not be running/);
    });

    it("is offered if a node's container no longer runs", async () => {
      const responses = [{ nodeid: cp.nodeId(0), result: 4110, error: 'Container is not running.' }];
      scene.fail('RestartServices', { kind: 'answer', body: JSON.stringify({ result: 0, responses }) });
      await restartAndRestore();
      assert.deepEqual(await readFile(disk(0, path)), earlier);
      assert.match(seen(), /Container is not running\. It might not be running/);
    });

    it("isn't offered if no node failed: the platform refused, or its response was lost", async () => {
      const words =
        'Not allowed to execute this service for current Environment status [ENV_STATUS_TYPE_SLEEP]. Required statuses [ENV_STATUS_TYPE_RUNNING]';
      const faults = [
        { kind: 'refuse', result: 2212, error: words },
        { kind: 'gatewayError', status: 504, when: 'after' },
      ] as const;
      for (const fault of faults) {
        scene.fail('RestartServices', fault);
        const answers = ['Restart', { presses: 'Undo Saves and Restart' }] as const;
        await assert.rejects(
          person.answering(answers, () => restart(layer())),
          /not asked/,
          fault.kind,
        );
        assert.match(seen(), /^Couldn't (restart|confirm that) the service on /m);
      }
    });

    it('is offered only until a restart has read the files', async () => {
      await person.answering(['Restart'], () => restart(layer()));
      failSecond();
      scene.platform.journal.reset();
      await assert.rejects(
        person.answering(['Restart', { presses: 'Undo Saves and Restart' }], () => restart(layer())),
        /not asked/,
      );
      assert.deepEqual(sent(), cp.nodes);
      assert.match(seen(), /Failed to start: out of memory/);
    });
  });

  it('leaves the other nodes alone if the first one fails', async () => {
    scene.platform.faults.add({
      operation: 'RestartServices',
      fault: { kind: 'failNode', nodeId: cp.nodeId(0), error: 'out of memory' },
    });
    await person.answering(['Restart'], () => restart(layer()));
    assert.deepEqual(sent(), [cp.nodes[0]]);
    const [first, other] = cp.nodes.map((id) => `NGINX PHP 8\\.3 \\(${id}\\)`);
    const text = `^Couldn't restart the service on ${first}: Failed to start: out of memory\\..* Not attempted: ${other}\\.`;
    assert.match(seen(), new RegExp(text, 'm'));
  });

  it("isn't sent twice if the response is lost: the node and the end of its log are looked at", async () => {
    for (const fault of [
      { kind: 'gatewayError', status: 504, when: 'after' } as const,
      { kind: 'reset', when: 'after' } as const,
    ]) {
      scene.platform.journal.reset();
      scene.fail('RestartServices', fault);
      await person.answering(['Restart'], () => restart(layer()));
      assert.deepEqual(sent(), [cp.nodes[0]]);
      assert.match(
        seen(),
        /Couldn't confirm that the service on NGINX PHP 8\.3 \(\d+\) has restarted: .+\. The node is running, and its log ends with “.+start worker processes”\./,
      );
    }
  });

  it('reads only the end of a long log then, whatever its offsets count', async () => {
    const log = disk(0, 'var/log/nginx/error.log');
    const before = await readFile(log);
    const { logUnits } = scene.platform.behaviour;
    try {
      await writeFile(log, 'ein längeres, überflüssiges Wort\n'.repeat(100_000));
      for (const units of ['characters', 'bytes', 'lines'] as const) {
        scene.platform.behaviour.logUnits = units;
        scene.platform.journal.reset();
        scene.platform.faults.add({
          operation: 'RestartServices',
          fault: { kind: 'gatewayError', status: 504, when: 'after' },
        });
        await person.answering(['Restart'], () => restart(node(0)));
        assert.match(seen(), /its log ends with “.+start worker processes”\./, units);
        const reads = scene.platform.journal.entries.filter(({ operation }) => operation === 'ReadLog');
        const bytes = reads.reduce((sum, { answerBytes }) => sum + answerBytes, 0);
        assert.ok(reads.length < 60 && bytes < 200_000, `${units}: ${reads.length} requests, ${bytes} bytes`);
      }
    } finally {
      scene.platform.behaviour.logUnits = logUnits;
      await writeFile(log, before);
    }
  });

  it("says that the node isn't running if that's so after a lost response", async () => {
    const [first] = scene.platform.nodes('shop', 'cp');
    assert.ok(first);
    scene.fail('RestartServices', { kind: 'gatewayError', status: 504 });
    first.status = 2;
    await person.answering(['Restart'], () => restart(node(0)));
    first.status = 1;
    assert.match(seen(), /Couldn't restart the service on NGINX .+, and the node isn't running now\./);
    assert.deepEqual(sent(), [cp.nodes[0]]);
  });

  it("only says that it isn't known if the platform lists neither what it does nor the node", async () => {
    scene.fail('RestartServices', { kind: 'gatewayError', status: 504 });
    for (const operation of ['GetCurrentActions', 'GetEnvInfo']) {
      scene.platform.faults.add({ operation, fault: { kind: 'refuse', result: 8202, error: 'no' }, times: 'always' });
    }
    await person.answering(['Restart'], () => restart(node(0)));
    assert.match(
      seen(),
      /Couldn't confirm that .+ has restarted: .+\. Before you try again, check whether it responds\./,
    );
    assert.deepEqual(sent(), [cp.nodes[0]]);
    scene.parts.accounts.forgetRights();
  });

  describe('in its course', () => {
    class Clock implements TimeSource {
      readonly timers: { readonly milliseconds: number; readonly run: () => void }[] = [];
      private readonly started = new EventEmitter<void>();
      readonly onDidStart = this.started.event;
      now = () => 0;
      after(milliseconds: number, run: () => void) {
        this.timers.push({ milliseconds, run });
        this.started.fire();
        return () => undefined;
      }
    }
    const steps = () => cp.nodes.map((nodeId) => ({ name: String(nodeId), at: { nodeId } }));
    /** Separate copies of the classes for these tests, down to the requests. */
    const run = async (clock: Clock, delay: number) => {
      const address = { baseUrl: scene.platform.origin, host: new URL(scene.platform.origin).host };
      const client = createClient({ address, transport: 'form', send: createFetchSender(fetch) });
      const session = await scene.platform.createSession();
      const separate: Pick<Account, 'slug' | 'call'> = {
        slug: 'separate',
        call: (...call) => client.callAs(session, ...call),
      };
      const lastLogLine = () => Promise.resolve('start worker processes');
      const at = { account: separate, environment: 'shop', lastLogLine };
      return runSteps(steps(), { ...at, title: 'Restarting', delay, time: clock });
    };

    it('waits between two nodes', async () => {
      const clock = new Clock();
      const running = run(clock, 30);
      await until(clock.onDidStart, () => clock.timers.length > 0);
      assert.deepEqual(sent(), [cp.nodes[0]]);
      assert.equal(clock.timers[0]?.milliseconds, 30_000);
      clock.timers[0].run();
      assert.equal((await running).done.length, 2);
      assert.deepEqual(sent(), cp.nodes);
      assert.equal(clock.timers.length, 1);
    });

    it('says what each node said while it goes on', async () => {
      const [clock, said] = [new Clock(), [] as string[]];
      clock.onDidStart(() => setImmediate(() => clock.timers.at(-1)?.run()));
      const { signal } = new AbortController();
      const at = {
        account: scene.account,
        environment: 'shop',
        lastLogLine: () => Promise.resolve(undefined),
        delay: 30,
        time: clock,
      };
      await restartEach(steps(), at, { signal, say: (words) => void said.push(words) });
      const [one, other] = cp.nodes;
      assert.deepEqual(said, [
        `${one ?? ''}, 1 of 2`,
        `${one ?? ''}: Restarting nginxphp: done. Next: ${other ?? ''} in 30 s`,
        `${other ?? ''}, 2 of 2`,
      ]);
    });

    it('looks again as long as the platform works on it, after the gateway gave up', async () => {
      const clock = new Clock();
      const lost = scene.platform.faults.add({
        operation: 'RestartServices',
        fault: { kind: 'gatewayError', status: 504, when: 'during' },
      });
      const running = run(clock, 0);
      await until(clock.onDidStart, () => clock.timers.length > 0);
      lost.release();
      while ((await scene.account.call('GetCurrentActions', {})).array.length > 0);
      clock.timers[0]?.run();
      const { done, failure } = await running;
      assert.deepEqual(done, []);
      assert.match(String(failure?.error), /UnconfirmedRestart: Couldn't confirm .+start worker processes/);
      assert.deepEqual(sent(), [cp.nodes[0]]);
    });

    it('gives up looking after a few minutes', async () => {
      const clock = new Clock();
      clock.onDidStart(() => setImmediate(() => clock.timers.at(-1)?.run()));
      const fault = { kind: 'gatewayError', status: 504, when: 'during' } as const;
      scene.fail('RestartServices', fault);
      const { failure } = await run(clock, 0);
      assert.match(String(failure?.error), /The platform is still working on the environment\./);
      const waited = clock.timers.reduce((sum, { milliseconds }) => sum + milliseconds, 0);
      assert.ok(waited > 120_000 && waited < 300_000, String(waited));
      assert.deepEqual(sent(), [cp.nodes[0]]);
    });

    it("doesn't say that the platform is still working if it was never heard from again", async () => {
      const clock = new Clock();
      clock.onDidStart(() => setImmediate(() => clock.timers.at(-1)?.run()));
      scene.fail('RestartServices', { kind: 'gatewayError', status: 504 });
      for (const operation of ['GetCurrentActions', 'GetEnvInfo']) {
        scene.platform.faults.add({ operation, fault: { kind: 'reset', when: 'before' }, times: 'always' });
      }
      const { failure } = await run(clock, 0);
      assert.match(String(failure?.error), /Couldn't confirm .+\. Before you try again, check whether it responds\.$/);
      assert.deepEqual(sent(), [cp.nodes[0]]);
    });
  });

  it('says which method a token lacks, and sends nothing more', async () => {
    const token = await scene.platform.createToken({
      description: 'no restart',
      apiList: ['environment.control.GetEnvs', 'environment.file.Read'],
    });
    await scene.parts.accounts.add({
      slug: 'narrow',
      label: 'N',
      address: scene.platform.origin,
      transport: 'form',
      token,
    });
    try {
      const at = { ...node(0), environment: { account: 'narrow', name: 'shop' } };
      await person.answering(['Restart'], () => restart(at));
      const reason = /the access token doesn't permit this method.+environment\.control\.RestartServices/;
      assert.match(seen(), reason);
      const sentOnce = sent().length;
      const row = await nodeRow('N');
      assert.equal(row.contextValue, 'node noRestartServices');
      assert.match(
        typeof row.tooltip === 'string' ? row.tooltip : '',
        /doesn't permit environment\.control\.RestartServices\./,
      );
      await person.answering([], () => restart(at));
      assert.match(seen(), reason);
      assert.equal(sent().length, sentOnce);
      scene.parts.accounts.forgetRights();
      assert.equal((await nodeRow('N')).contextValue, 'node');
    } finally {
      await scene.parts.accounts.remove('narrow');
    }
  });

  it('is left out of the editor title while the account of the active file is known to lack it', async () => {
    const { executeCommand } = commands;
    const changed = new EventEmitter<void>();
    let lacks: unknown;
    const noting = (command: string, ...rest: readonly unknown[]) => {
      if (command === 'setContext' && rest[0] === 'gantry.editorLacks') {
        [, lacks] = rest;
        changed.fire();
      }
      return executeCommand(command, ...rest);
    };
    const titleKnows = (expected: string) => until(changed.event, () => lacks === expected);
    Object.assign(commands, { executeCommand: noting });
    try {
      await openInEditor(uri('/etc/nginx/nginx.conf', 0));
      await titleKnows('');
      const fault = { kind: 'refuse', result: 8202, error: 'not permitted' } as const;
      scene.fail('RestartServices', fault);
      await assert.rejects(scene.account.call('RestartServices', { envName: 'shop', nodeId: cp.nodeId(0) }));
      await titleKnows('noRestartServices');
      await executeCommand('workbench.action.closeAllEditors');
      await titleKnows('');
      await openInEditor(uri('/etc/nginx/nginx.conf', 1));
      await titleKnows('noRestartServices');
      scene.parts.accounts.forgetRights();
      await titleKnows('');
    } finally {
      Object.assign(commands, { executeCommand });
      scene.parts.accounts.forgetRights();
      changed.dispose();
    }
  });

  it("isn't offered on a platform that doesn't have it, for restarts and for variables", async () => {
    scene.platform.behaviour.extras = 'absent';
    try {
      await person.answering(['Restart'], () => restart(node(0)));
      assert.match(
        seen(),
        /Couldn't restart .+: the platform doesn't offer environment\.control\.RestartServices\. Use the dashboard instead\./,
      );
      await person.answering([], () => commands.executeCommand('gantry.variables.edit', node(0)));
      const row = await nodeRow('restart');
      assert.equal(row.contextValue, 'node noGetContainerEnvVars noRestartServices');
      assert.match(
        typeof row.tooltip === 'string' ? row.tooltip : '',
        /The platform doesn't offer environment\.control\.GetContainerEnvVars\. To try again, refresh\./,
      );
    } finally {
      scene.platform.behaviour.extras = 'present';
      scene.parts.accounts.forgetRights();
    }
  });

  describe('that one 404 switched off', () => {
    const page = { kind: 'answer', status: 404, contentType: 'text/html', body: '<html>Not Found</html>' } as const;
    const row = async () => (await nodeRow('restart')).contextValue;
    const off = 'node noRestartServices';

    beforeEach(async () => {
      scene.platform.faults.add({ operation: 'RestartServices', fault: page });
      await person.answering(['Restart'], () => restart(node(0)));
      assert.match(seen(), /: the platform doesn't offer environment\.control\.RestartServices\./);
      assert.equal(await row(), off);
      scene.platform.journal.reset();
    });

    it('is tried again by the button of that message, after the same question', async () => {
      scene.platform.faults.add({ operation: 'RestartServices', fault: page });
      await person.answering(['Restart', { presses: 'Try Again' }, 'Restart'], async () => {
        scene.parts.accounts.forgetRights();
        await restart(node(0));
        await until(person.onDidSee, () => /^Restarted the service/m.test(seen()));
      });
      assert.equal(await row(), 'node');
    });

    it('is tried again by the same button where the command is off', async () => {
      await person.answering([{ presses: 'Try Again' }, 'Restart'], async () => {
        await restart(node(0));
        await until(person.onDidSee, () => /^Restarted the service/m.test(seen()));
      });
      assert.deepEqual(sent(), [cp.nodes[0]]);
      assert.equal(await row(), 'node');
    });

    it('is back after a sign-in, even with the same token', async () => {
      const stored = await scene.parts.accounts.stored('restart');
      assert.ok(stored);
      await scene.parts.accounts.add(stored);
      assert.equal(await row(), 'node');
    });

    it('is back after a compatibility check', async () => {
      await person.answering([String(cp.nodes[0]), 'Show Report'], () =>
        commands.executeCommand('gantry.platform.checkCompatibility', 'restart'),
      );
      assert.equal(await row(), 'node');
    });
  });

  it('asks whether to restart the node of the active file or its layer, and mentions unsaved changes', async () => {
    const document = await openInEditor(uri('/etc/nginx/nginx.conf', 1));
    await replaceAll(document, '# unsaved\n');
    await person.answering(['NGINX PHP', 'Restart'], () => restart());
    assert.deepEqual(sent(), [cp.nodes[1]]);
    assert.match(seen(), /^Select what to restart$/m);
    assert.match(seen(), /unsaved changes/);
  });

  it('says that an environment is in production', async () => {
    await inProduction(['shop'], () => person.answering([escape], () => restart(node(0))));
    assert.match(seen(), /is a production environment/);
    assert.deepEqual(sent(), []);
  });
});
