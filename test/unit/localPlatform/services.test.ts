import assert from 'node:assert/strict';
import { stat } from 'node:fs/promises';
import { describe, it } from 'mocha';
import { onStageEachTime } from '../../scene/onStage';
import { AskedScene, rowsOf } from './requests';

const conf = '/etc/nginx/conf.d/site.conf';
const errorLog = '/var/log/nginx/error.log';

describe('local platform: services', () => {
  const asked = onStageEachTime(new AskedScene());
  const nodes = [asked.disk('cp'), asked.disk('cp', 1)] as const;
  const [layer, inTurn] = [{ nodeGroup: 'cp' }, { nodeGroup: 'cp', isSequential: true }];
  const restart = (values: Parameters<AskedScene['call']>[1]) => asked.call('RestartServices', values);
  const statesOf = async () => {
    const rows = rowsOf(await asked.call('GetEnvInfo'), 'nodes').filter(({ nodeGroup }) => nodeGroup === 'cp');
    return rows.map(({ status }) => status);
  };
  const services = () => asked.platform.nodes('demo', 'cp').map(({ service }) => service);
  /** Resolves when the platform lists a restart, which it does until it ends. */
  const untilListed = async () => {
    while (rowsOf(await asked.call('GetCurrentActions'), 'array').length === 0);
  };

  it('stop and start, and log both', async () => {
    const answer = await restart(layer);
    assert.deepEqual(
      rowsOf(answer, 'responses').map(({ result }) => result),
      [0, 0],
    );
    for (const node of nodes) {
      assert.match(
        await node.text(errorLog),
        /^\S+ \S+ \[notice\] .+exiting\n\S+ \S+ \[notice\] .+start worker .+\n$/u,
      );
    }
  });

  it('are stopped if they fail to start, until a restart succeeds', async () => {
    await nodes[1].put(conf, 'server {\n');
    await restart(layer);
    assert.deepEqual(
      [services(), await statesOf()],
      [
        ['running', 'stopped'],
        [1, 2],
      ],
    );
    assert.match(await nodes[1].text(errorLog), /\[emerg\] .+ in \/etc\/nginx\/conf\.d\/site\.conf:\d\n$/u);
    await nodes[1].put(conf, 'server {}\n');
    await restart({ nodeId: nodes[1].id });
    assert.deepEqual(
      [services(), await statesOf()],
      [
        ['running', 'running'],
        [1, 1],
      ],
    );
  });

  it('can stop without their container', async () => {
    asked.platform.behaviour.stoppedServices = 'leaveNode';
    await nodes[0].put(conf, 'server {\n');
    await restart({ nodeId: nodes[0].id });
    assert.deepEqual(
      [services(), await statesOf()],
      [
        ['stopped', 'running'],
        [1, 1],
      ],
    );
  });

  it('take their time, in which they do not run', async () => {
    asked.platform.behaviour.restartSeconds = 0.2;
    const began = performance.now();
    const restarted = restart(layer);
    await untilListed();
    assert.deepEqual(services(), ['stopped', 'stopped']);
    assert.equal((await restarted).result, 0);
    assert.ok(performance.now() - began >= 200);
    assert.deepEqual(services(), ['running', 'running']);
  });

  it('are restarted one after another with the delay, if asked', async () => {
    await restart({ ...inTurn, delay: 1 });
    const [first, second] = await Promise.all(nodes.map((node) => stat(node.path(errorLog))));
    assert.ok(first && second && second.birthtimeMs - first.mtimeMs > 900);
  });

  it('do not keep the platform from being disposed', async () => {
    asked.platform.behaviour.restartSeconds = 3600;
    const lost = assert.rejects(restart({ ...inTurn, delay: 3600 }));
    await untilListed();
    await asked.platform.dispose();
    await lost;
  });

  it('say so in the answer for their node', async () => {
    await nodes[1].put(conf, 'server {\n');
    const [first, second] = rowsOf(await restart(inTurn), 'responses');
    assert.deepEqual([first?.['result'], second?.['result']], [0, 99]);
    assert.match(String(second?.['error']), /^Failed to start: .+site\.conf/u);
  });
});
