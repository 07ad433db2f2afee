import assert from 'node:assert/strict';
import { appendFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { CancellationTokenSource, Task, type TaskDefinition, TaskScope } from 'vscode';
import { taskProvider } from '../../../../src/features/tasks/tasks';
import { escape } from '../../support/person';
import { inProduction } from '../../support/production';
import { executed, outputOf, providedTasks, terminalFor } from '../../support/tasks';
import { windowScene } from '../../support/windowScene';

describe('a task', () => {
  const scene = windowScene({ sample: 'environments' });
  const cp = scene.environment('shop').layer('cp');
  const { person } = scene;

  beforeEach(() => scene.platform.journal.reset());

  afterEach(() => scene.parts.listings.forgetAll());

  const run = async (definition: Omit<TaskDefinition, 'type'>) => outputOf(await terminalFor(definition));
  const inVsCode = async (definition: Omit<TaskDefinition, 'type'>) => {
    const wanted = new Task({ type: 'gantry', ...definition }, TaskScope.Global, 'wanted', 'Gantry');
    const resolved = await scene.parts.taskProvider.resolveTask(wanted, new CancellationTokenSource().token);
    return executed(resolved ?? assert.fail('not resolved'));
  };
  const restarted = () =>
    scene.platform.journal.entries
      .filter(({ operation }) => operation === 'RestartServices')
      .map(({ parameters }) => Number(parameters['nodeId']));
  const sent = scene.requests;

  it('that says too little is refused with the name of the property, before anything is sent', async () => {
    const incomplete = await run({ action: 'find', environment: 'shop', path: '/etc' });
    assert.match(incomplete.output, /^Couldn't run the task: check text in its definition\. .+"text".+\.\n$/);
    assert.equal(incomplete.exitCode, 2);
    assert.match((await run({})).output, /check environment in/);
    assert.match((await run({ action: 'stop', environment: 'shop' })).output, /check action in .+"redeploy".+"stop"/);
    assert.deepEqual(sent(), []);
  });

  it('says what to specify if its words fit several layers, or nothing', async () => {
    const output = async (words: object) => (await run({ action: 'restart', environment: 'shop', ...words })).output;
    assert.match(await output({}), /^shop has several layers\. .+: .*"layer": "cp"/);
    assert.match(await output({ environment: 'gone' }), /^Couldn't find environment gone\.\n$/);
    await scene.platform.addEnvironment({ envName: 'bare', layers: [] });
    scene.parts.environments.refresh();
    assert.match(await output({ environment: 'bare' }), /^Couldn't find a layer in bare\.\n$/);
    assert.match(await output({ layer: 'gone' }), /^Couldn't find layer gone in shop\.\n$/);
    assert.match(await output({ layer: 'bl', node: cp.nodes[0] }), /^Couldn't find node \d+ in shop\.\n$/);
    assert.match(await output({ account: 'gone' }), /^You aren't signed in to account gone\./);
    assert.deepEqual(restarted(), []);
  });

  describe('to restart', () => {
    const restart = { action: 'restart', environment: 'shop', layer: 'cp', delay: 0 };

    it('restarts all nodes of a layer, or one, and says so', async () => {
      const all = await run(restart);
      assert.deepEqual(restarted(), cp.nodes);
      assert.match(
        all.output,
        /^Restarting Application servers…\n.+, 1 of 2\n.+, 2 of 2\nRestarted the service on every node of Application servers\./,
      );
      assert.equal(all.exitCode, 0);
      scene.platform.journal.reset();
      assert.equal(await inVsCode({ action: 'restart', environment: 'shop', node: cp.nodes[1] }), 0);
      assert.deepEqual(restarted(), [cp.nodes[1]]);
    });

    it('refuses a delay that is too long or negative, before anything is sent', async () => {
      for (const delay of [3_601, 3_000_000, -1]) {
        const { output, exitCode } = await run({ ...restart, delay });
        assert.match(output, new RegExp(`^Couldn't run the task: check delay in its definition\\. .+${delay}\\.\n$`));
        assert.equal(exitCode, 1);
      }
      assert.match((await run({ environment: 'shop', delay: -1 })).output, /check delay in its definition/);
      assert.deepEqual(sent(), []);
    });

    it('fails if one node fails, and leaves the rest alone', async () => {
      const fault = { kind: 'failNode', nodeId: cp.nodeId(), error: 'out of memory' } as const;
      scene.fail('RestartServices', fault);
      assert.equal(await inVsCode(restart), 1);
      assert.deepEqual(restarted(), [cp.nodes[0]]);
      scene.fail('RestartServices', fault);
      assert.match(
        (await run(restart)).output,
        /Couldn't restart the service on .+: .*out of memory.* Not attempted: /,
      );
    });

    it('says how many nodes were restarted before one fails', async () => {
      const fault = { kind: 'failNode', nodeId: cp.nodeId(1), error: 'out of memory' } as const;
      scene.platform.faults.add({ operation: 'RestartServices', parameters: { nodeId: `${cp.nodeId(1)}` }, fault });
      const { output, exitCode } = await run(restart);
      assert.match(
        output,
        /^Restarted the service on 1 of 2 nodes\. Couldn't restart the service on .+: .*out of memory/m,
      );
      assert.equal(exitCode, 1);
      assert.deepEqual(restarted(), cp.nodes);
    });

    it('ends after the current node if it is stopped', async () => {
      const held = scene.hang('RestartServices');
      const terminal = await terminalFor(restart);
      const ended = outputOf(terminal);
      await held.reached;
      terminal.close();
      held.release();
      assert.equal((await ended).exitCode, 1);
      assert.deepEqual(restarted(), [cp.nodes[0]]);
    });

    it('asks in production', () =>
      inProduction(['shop'], async () => {
        const refused = await person.answering([escape], () => run(restart));
        assert.match(refused.output, /^Restart canceled\.\n$/);
        assert.equal(refused.exitCode, 1);
        assert.deepEqual(restarted(), []);
        assert.equal((await person.answering(['Restart'], () => run(restart))).exitCode, 0);
        await person.answering([escape], () => run({ ...restart, delay: 7 }));
        assert.match(person.seen.join('\n'), /one node at a time, with 7 s in between, and stops if one fails\./);
      }));
  });

  describe('to find', () => {
    const find = { action: 'find', environment: 'shop', layer: 'bl', path: '/etc/nginx/', text: 'server_name' };

    it('prints the lines as grep does', async () => {
      const { output, exitCode } = await run(find);
      assert.equal(exitCode, 0);
      assert.match(output, /^Searching \/etc\/nginx on node \d+ \(Load balancer\), Saltmarsh Tea for “server_name”…\n/);
      assert.match(output, /^\/etc\/nginx\/conf\.d\/shop\.conf:\d+: .*server_name/m);
      assert.match(output, /\n\d+ results? in \d+ files?\.\n/);
      assert.deepEqual(restarted(), []);
    });

    it('ends with the exit codes of grep', async () => {
      assert.equal(await inVsCode(find), 0);
      assert.equal(await inVsCode({ ...find, text: 'SERVER_NAME', matchCase: true }), 1);
      assert.equal(await inVsCode({ ...find, text: 'server_(', isRegex: true }), 2);
      assert.equal(await inVsCode({ ...find, path: '/gone' }), 2);
    });

    it("doesn't say that there is nothing if it couldn't read everything", async () => {
      scene.fail('Read', { kind: 'refuse', result: 8, error: 'permission denied' });
      const { output, exitCode } = await run({ ...find, text: 'not in any file' });
      assert.equal(exitCode, 2);
      assert.match(output, /\nNot everything was searched: 1 unreadable file\n$/);
    });

    it("doesn't say that there is nothing if a file was too large to be searched", async () => {
      await cp.put('/srv/large/app.log', 'x\n'.repeat(600_000));
      const { output, exitCode } = await run({
        action: 'find',
        environment: 'shop',
        node: cp.nodeId(),
        path: '/srv/large',
        text: 'not in any file',
      });
      assert.equal(exitCode, 2);
      assert.match(output, /\nNo results\.\nNot everything was searched: 1 large file\n$/);
    });

    it('sees what others have changed since the folder was listed', async () => {
      const before = await run({ ...find, text: 'written by a colleague' });
      assert.equal(before.exitCode, 1);
      const folder = scene.platform.nodeFolder(scene.platform.nodes('shop', 'bl')[0]?.id ?? 0);
      await writeFile(join(folder, 'etc/nginx/conf.d/colleague.conf'), '# written by a colleague\n');
      assert.match(
        (await run({ ...find, text: 'written by a colleague' })).output,
        /^\/etc\/nginx\/conf\.d\/colleague\.conf:1: # written by a colleague$/m,
      );
    });

    it('ends its requests if it is stopped', async () => {
      const held = scene.hang('Read');
      const terminal = await terminalFor(find);
      const ended = outputOf(terminal);
      await held.reached;
      terminal.close();
      assert.match((await ended).output, /canceled\. Not everything was searched\./);
      held.release();
    });
  });

  describe('to follow a log', () => {
    const follow = () => ({ action: 'followLog', environment: 'shop', node: cp.nodeId(), path: log });
    const log = '/var/log/app.log';
    const file = () => cp.onDisk(log);

    /** Runs the task until it has printed what was in the log before. */
    const following = async (rest: { until?: string } = {}) => {
      const terminal = await terminalFor({ ...follow(), ...rest });
      const isOpen = new Promise<void>((resolve) =>
        terminal.onDidWrite((text) => {
          if (text.includes('before')) resolve();
        }),
      );
      const ended = outputOf(terminal);
      await isOpen;
      return { terminal, ended };
    };

    beforeEach(() => cp.put(log, 'started before\nstill '));

    it('succeeds once a new line contains the text, and prints whole lines', async () => {
      const { ended } = await following({ until: 'started' });
      await appendFile(file(), 'starting\nit has started\n');
      const { output, exitCode } = await ended;
      assert.match(
        output,
        /^Following \/var\/log\/app\.log on node \d+ .+…\nstarted before\nstill starting\nit has started\n$/,
      );
      assert.equal(exitCode, 0);
    });

    it('hides a login of which the log had only the beginning before', async () => {
      await cp.put(log, 'started before\nclone https://marit:a');
      const { ended } = await following({ until: 'done' });
      await appendFile(file(), '/b@example.com/shop.git\ndone\n');
      const { output } = await ended;
      assert.match(output, /\nstarted before\nclone https:\/\/•••@example\.com\/shop\.git\ndone\n$/);
    });

    it('says that the log was rotated, and goes on with the new one', async () => {
      const { ended } = await following({ until: 'ready' });
      await writeFile(file(), 'new\nready\n');
      const { output, exitCode } = await ended;
      assert.match(output, /\nstill \n——— The log was rotated or truncated at .+\. ———\nnew\nready\n$/);
      assert.equal(exitCode, 0);
    });

    it('misses no line, however many are written at once', async () => {
      const { ended } = await following({ until: 'ready' });
      const lines = Array.from({ length: 12_000 }, (_, line) =>
        line === 2_000 ? 'ready\n' : `${line} building the assets\n`,
      );
      await appendFile(file(), `building\n${lines.join('')}`);
      const { output, exitCode } = await ended;
      assert.equal(exitCode, 0);
      assert.ok(output.includes(`still building\n${lines.slice(0, 2_001).join('')}`), output);
    });

    it('ends when it is stopped, and sends nothing more', async () => {
      const { terminal, ended } = await following();
      terminal.close();
      assert.equal((await ended).exitCode, 1);
    });

    it('prints the line that contains the text although its end is not written yet', async () => {
      const { ended } = await following({ until: 'ready' });
      await appendFile(file(), 'starting, then ready');
      const { output, exitCode } = await ended;
      assert.match(output, /\nstarted before\nstill starting, then ready\n$/);
      assert.equal(exitCode, 0);
    });

    it('says once why it cannot read on, however often it tries', async () => {
      const { ended } = await following({ until: 'ready' });
      scene.platform.faults.add({
        operation: 'ReadLog',
        times: 2,
        fault: { kind: 'refuse', result: 99, error: 'no disk' },
      });
      await appendFile(file(), 'ready\n');
      const { output } = await ended;
      assert.equal(output.match(/no disk/g)?.length, 1, output);
    });

    it('fails if the log is gone, or which node is meant is unknown', async () => {
      assert.equal(await inVsCode({ ...follow(), path: '/var/log/gone.log' }), 1);
      const { output } = await run({ ...follow(), node: undefined, layer: 'cp' });
      assert.match(
        output,
        /^Each node of .+ has its own log\. Specify the node in the task: "node": \d+ or "node": \d+\n$/,
      );
    });
  });

  it('is offered for the layers of known projects only', async () => {
    assert.deepEqual(await providedTasks(), []);
  });

  it('shows no icon if the name of a context looks like one', async () => {
    const nothing = () => Promise.resolve(0);
    const projects = [{ account: 'a', environment: 'shop', layer: 'cp', context: '$(trash)' }];
    const actions = { redeploy: nothing, restart: nothing, followLog: nothing, find: nothing };
    const { token } = new CancellationTokenSource();
    const tasks = await taskProvider(() => Promise.resolve(projects), actions).provideTasks(token);
    assert.deepEqual(
      tasks?.map(({ name }) => name),
      ['redeploy $\u2060(trash) on shop', 'restart cp on shop'],
    );
  });
});
