import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'mocha';
import { agentTasks, usualTexts } from '../../support/agentTasks';
import { allowAgents, setAgentAccess } from '../../support/callTool';
import { doTask, startRecordedModel } from '../../support/chatModel';
import { escape } from '../../support/person';
import { windowScene } from '../../support/windowScene';

const { GANTRY_MODEL_URL: url, GANTRY_MODEL: name = '', GANTRY_MODEL_KEY: key = '' } = process.env;

/** With a model, these are an evaluation. Without one, they make the calls that a competent one would make. */
describe(`tasks for agents, done by ${url === undefined ? 'recorded calls' : name}`, () => {
  const scene = windowScene({ sample: 'project', signedOut: true });
  const { person } = scene;
  const cp = scene.environment('shop').layer('cp');

  before(async () => {
    await scene.signInWith({ description: 'test', tokenTemplate: 'Extended Access' }, 'agent');
    await allowAgents();
  });

  beforeEach(async () => {
    await Promise.all([0, 1].map((node) => put(node, usualTexts)));
    scene.forget();
  });

  after(() => setAgentAccess(undefined));

  const put = (node: number, files: Readonly<Record<string, string>>) =>
    Promise.all(Object.entries(files).map(([path, text]) => cp.put(path, text, node)));

  it('are twenty, and use each tool', () => {
    const used = new Set(agentTasks.flatMap(({ calls }) => calls.map(({ tool }) => tool)));
    assert.deepEqual([agentTasks.length, used.size], [20, 8]);
  });

  for (const { task, calls, before: first = {}, after: last = {}, changes = {}, ...rest } of agentTasks) {
    const { says = /./, meanwhile, isRefused = false } = rest;
    it(task, async () => {
      await put(0, first);
      const recorded = await startRecordedModel(
        calls,
        cp.nodes.map((id) => `shop/cp~${id}`),
      );
      const model = url === undefined ? recorded : { url, name, key };
      const onCall = async (count: number) => {
        if (count === meanwhile?.calls) {
          await put(0, meanwhile.files);
        }
      };
      // Nobody lets it do more than it may.
      const { answer, results } = await person
        .answeringBy(
          () => escape,
          () => doTask(task, model, onCall),
        )
        .finally(() => recorded.close());
      assert.match(answer, says);
      for (const [path, usual] of Object.entries(usualTexts)) {
        const wanted = last[path] ?? usual;
        const found = await cp.texts(path);
        assert.deepEqual(found, typeof wanted === 'string' ? [wanted, wanted] : wanted, path);
      }
      for (const operation of ['RestartServices', 'Update'] as const) {
        assert.equal(scene.count(operation), changes[operation] ?? 0, operation);
      }
      assert.ok(!results.join().includes('correct-horse'));
      // Errors have no facts.
      if (url === undefined)
        assert.equal(
          results.some((result) => !/^\w+: |^For the /.test(result)),
          isRefused,
          results.join('\n'),
        );
    });
  }
});
