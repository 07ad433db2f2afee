import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { commands } from 'vscode';
import { type Decision, plainly } from '../../../../src/features/deployments/redeploy/ask';
import type { RunningRedeploy } from '../../../../src/features/deployments/redeploy/redeploys';
import { redeployAsTask } from '../../../../src/features/deployments/redeploy/automation';
import type { Faults } from '../../../localPlatform/faults/faults';
import { until } from '../../support/event';
import { type Answer, escape, typed } from '../../support/person';
import { inProduction } from '../../support/production';
import { unstopped } from '../../support/tasks';
import {
  commitOnDisk,
  endPeopledProject,
  inAHurry,
  type PeopledProject,
  redeployed,
  refusedTake,
  startPeopledProject,
  trustPins,
  wantedFrom,
} from '../../support/projects';

const running = 'ROOT on Saltmarsh Tea is being redeployed. Wait for it to finish?';
const waits = 'Wait and Continue';
const head = '/var/www/webroot/ROOT/.git/HEAD';

type FaultInput = Parameters<Faults['add']>[0]['fault'];

/** A user's change of a project, with the answers before and after the question whether to wait. */
interface Deed {
  readonly command: string;
  readonly operation: 'EditProject' | 'DeleteProject';
  readonly before: readonly Answer[];
  /** The prompts that stay open if the user doesn't want to wait. */
  readonly left: readonly Answer[];
  readonly after: readonly Answer[];
}

const deeds: Readonly<Record<string, Deed>> = {
  'is not deleted': {
    command: 'gantry.project.delete',
    operation: 'DeleteProject',
    before: ['Saltmarsh Tea'],
    left: [],
    after: [],
  },
  'gets no other settings': {
    command: 'gantry.project.edit',
    operation: 'EditProject',
    before: ['Branch', typed('release'), 'Apply', 'Apply'],
    left: [escape],
    after: [],
  },
  'is not rolled back': {
    command: 'gantry.project.rollBack',
    operation: 'EditProject',
    before: [],
    left: [],
    // A commit that isn't in the repository. What the platform makes of it doesn't matter here.
    after: [typed('5512b09', 'Deploy commit'), 'Roll Back'],
  },
};

describe('a project that is being changed in this window', () => {
  let at: PeopledProject;

  inAHurry();
  beforeEach(async () => {
    at = await startPeopledProject();
    await at.setUp.repository.commit({ message: 'released', files: { 'index.php': 'release\n' }, branch: 'release' });
    await at.parts.projectOperations.create(at.place, wantedFrom(at.setUp));
    await at.setUp.update();
    await trustPins(at.place);
    at.setUp.platform.journal.reset();
  });
  afterEach(() => endPeopledProject(at));

  const does = (command: string, answers: readonly Answer[]) =>
    at.person.answering(answers, () => commands.executeCommand(command, at.place));
  const operations = () => at.setUp.platform.journal.entries.map(({ operation }) => operation);
  const hold = (operation: string, nth = 1) =>
    at.setUp.platform.faults.add({ operation, fault: { kind: 'hang' }, nth });
  const updates = () => operations().filter((operation) => operation === 'Update').length;
  const onDisks = () => Promise.all([0, 1].map((node) => commitOnDisk(at.setUp, node)));
  const redeploy = () => redeployed(at.parts, { place: at.place, consent: 'byTask' });
  const changesSettings = ['Branch', typed('release'), 'Apply', 'Apply'] as const;

  for (const [title, { command, operation, before: first, left, after: then }] of Object.entries(deeds)) {
    it(`${title} while its redeploy runs: the user is told, and can wait or cancel`, async () => {
      const held = hold('Update');
      const redeploying = redeploy();
      await held.reached;
      await does(command, [...first, escape, ...left]);
      assert.ok(at.person.seen.includes(running), at.person.seen.join('\n'));
      assert.ok(!operations().includes(operation));
      await at.parts.drafts.forgetAccount(at.account.slug);
      const doing = does(command, [...first, waits, ...then]);
      await until(at.person.onDidSee, () => at.person.seen.includes(running));
      held.release();
      await doing;
      assert.equal((await redeploying)?.verdict.kind, 'deployed');
      assert.ok(operations().indexOf('Update') < operations().indexOf(operation), operations().join(' '));
    });
  }

  /** Starts a redeploy, and returns when it waits for what holds the project. */
  const waitingRedeploy = async (start: typeof redeploy = redeploy) => {
    const { lock } = at.parts;
    const holder = lock.holder.bind(lock);
    const waiting = new Promise<void>((resolve) => {
      lock.holder = (place) => {
        resolve();
        return holder(place);
      };
    });
    const result = start();
    await waiting;
    lock.holder = holder;
    return { result };
  };

  it('is redeployed after its settings are changed, with the new settings', async () => {
    const held = hold('EditProject');
    const editing = does('gantry.project.edit', ['Branch', typed('release'), 'Apply', 'Apply']);
    await held.reached;
    const redeploying = await waitingRedeploy();
    assert.ok(!operations().includes('Update'));
    held.release();
    await editing;
    const record = await redeploying.result;
    assert.equal(record?.branch, 'release');
    assert.equal(record.verdict.kind === 'deployed' && record.verdict.commit, await commitOnDisk(at.setUp, 0));
    assert.equal(await at.setUp.read('/var/www/webroot/ROOT/index.php'), 'release\n');
  });

  it('is redeployed by a task after its settings are changed, and the task says what it waits for', async () => {
    const held = hold('EditProject');
    const editing = does('gantry.project.edit', ['Branch', typed('release'), 'Apply', 'Apply']);
    await held.reached;
    const { environment, context, account } = at.place;
    const run = unstopped((line) => {
      if (line === 'Waiting for another change to ROOT on Saltmarsh Tea to finish') {
        held.release();
      }
    });
    const task = redeployAsTask(at.parts)({ environment, context, account, onDataLoss: 'stop' }, run);
    await editing;
    assert.equal(await task, 'deployed');
    assert.equal(await at.setUp.read('/var/www/webroot/ROOT/index.php'), 'release\n');
  });

  it('is redeployed once if a redeploy waits for a roll back', async () => {
    const held = hold('EditProject');
    const rollingBack = does('gantry.project.rollBack', [typed(at.setUp.first, 'Deploy commit'), 'Roll Back']);
    await held.reached;
    const redeploying = await waitingRedeploy();
    held.release();
    await rollingBack;
    assert.equal(await redeploying.result, undefined);
    assert.equal(updates(), 1);
    assert.deepEqual(await onDisks(), [at.setUp.first, at.setUp.first]);
  });

  it('is asked about if it becomes risky while its redeploy waits for a change of its settings', async () => {
    const held = hold('EditProject');
    const editing = does('gantry.project.edit', changesSettings);
    await held.reached;
    const asked: (string | undefined)[] = [];
    const redeploying = await waitingRedeploy(() =>
      redeployed(at.parts, { place: at.place, consent: 'byTask' }, ({ production }) => {
        asked.push(production);
        return Promise.resolve(undefined);
      }),
    );
    await inProduction(['shop'], async () => {
      held.release();
      await Promise.all([editing, redeploying.result]);
    });
    assert.deepEqual(asked, ['Saltmarsh Tea (shop) is a production environment.']);
    assert.equal(updates(), 0);
  });

  it('is redeployed by a roll back with its own settings, although a settings page waits to apply others', async () => {
    const held = at.setUp.platform.faults.add({ operation: 'EditProject', fault: { kind: 'hang', when: 'after' } });
    const rollingBack = does('gantry.project.rollBack', [typed(at.setUp.first, 'Deploy commit'), 'Roll Back']);
    await held.reached;
    const applying = does('gantry.project.edit', ['Branch', typed('release'), 'Apply', 'Apply', waits]);
    await until(at.person.onDidSee, () =>
      at.person.seen.some((text) => /Wait for (?:it|this) to finish\?$/.test(text)),
    );
    held.release();
    await Promise.all([rollingBack, applying]);
    const changes = operations().filter((operation) => operation === 'EditProject' || operation === 'Update');
    assert.deepEqual(changes, ['EditProject', 'Update', 'EditProject']);
  });

  it('gets no other settings between the repair of its clones and the redeploy', async () => {
    await at.parts.pins.forgetAccount(at.account.slug);
    await Promise.all([0, 1].map((node) => at.setUp.edit(head, `${at.setUp.first}\n`, node)));
    const held = hold('Delete');
    const repairing = redeployed(at.parts, { place: at.place, consent: 'byTask' }, () =>
      Promise.resolve({ ...plainly, repair: 'cloneAgain' }),
    );
    await held.reached;
    const applying = does('gantry.project.edit', ['Branch', typed('release'), 'Apply', 'Apply', waits]);
    await Promise.race([applying, until(at.person.onDidSee, () => at.person.seen.includes(running))]);
    assert.ok(!operations().includes('EditProject'));
    held.release();
    await Promise.all([repairing, applying]);
    assert.ok(operations().indexOf('Update') < operations().indexOf('EditProject'), operations().join(' '));
  });

  it('is asked about once if it is redeployed again while the question is open', async () => {
    const asks = 'Redeploy ROOT on Saltmarsh Tea?';
    const asked = until(at.person.onDidSee, () => at.person.seen.includes(asks));
    const again = asked.then(() => commands.executeCommand('gantry.project.redeploy', at.place));
    await does('gantry.project.redeploy', [{ presses: 'Redeploy', when: again }]);
    assert.equal(updates(), 1);
  });

  it("doesn't repeat the error of another redeploy that it joins", async () => {
    const held = hold('Update');
    fail('Update', { ...refused, result: 3 });
    const first = assert.rejects(redeploy(), /nothing was deployed/);
    await held.reached;
    const isRefused = refusedTake(at.parts);
    const joining = redeploy();
    await isRefused;
    held.release();
    await first;
    assert.equal(await joining, undefined);
  });

  const on = (node: number) => ({ place: at.place, nodeId: at.setUp.nodeId(node), consent: 'byTask' }) as const;
  const committed = () => at.setUp.repository.commit({ message: 'second', files: { 'index.php': 'two\n' } });

  it("isn't redeployed on one node while another one is, and this is said", async () => {
    const held = hold('Update');
    const other = redeployed(at.parts, on(0));
    await held.reached;
    const says = `Node ${at.setUp.nodeId(0)} is being redeployed. Try again when the redeploy is finished.`;
    void until(at.person.onDidSee, () => at.person.seen.includes(says)).then(() => held.release());
    await at.person.answering([], () => at.parts.flow.redeploy(on(1)));
    await other;
    assert.equal(updates(), 1);
  });

  it('is redeployed on one node after another one whose redeploy was sent while the question was open', async () => {
    const second = await committed();
    const asks = 'Redeploy ROOT on Saltmarsh Tea?';
    const held = hold('Update');
    const running = until(at.person.onDidSee, () => at.person.seen.includes(asks)).then(async () => {
      void redeployed(at.parts, on(0));
      await held.reached;
      void refusedTake(at.parts).then(() => held.release());
    });
    const clicked = { place: at.place, nodeId: at.setUp.nodeId(1) };
    await at.person.answering([{ presses: 'Redeploy', when: running }], () => at.parts.flow.redeploy(clicked));
    assert.equal(updates(), 2);
    assert.deepEqual(await onDisks(), [second, second]);
  });

  it('is redeployed on all nodes after one whose redeploy starts during the wait', async () => {
    const second = await committed();
    const { lock, plans, redeploys } = at.parts;
    const held = lock.take(at.place, 'redeploy');
    const redeploying = await waitingRedeploy();
    await redeploys.start(await plans.prepare(on(0)), held).ended;
    assert.equal((await redeploying.result)?.verdict.kind, 'deployed');
    assert.equal(updates(), 2);
    assert.deepEqual(await onDisks(), [second, second]);
  });

  const refused = { kind: 'refuse', result: 4017, error: 'conflict' } as const;
  const fail = (operation: string, fault: FaultInput = refused, nth = 1) =>
    at.setUp.platform.faults.add({ operation, fault, nth });
  const endsAtOnce: Readonly<Record<string, (running: RunningRedeploy) => void>> = {
    'is refused': () => fail('Update', { ...refused, result: 3 }),
    'is canceled before it is sent': ({ stop }) => stop(),
  };
  for (const [title, end] of Object.entries(endsAtOnce)) {
    it(`isn't redeployed once more after a redeploy that started during the wait and ${title}`, async () => {
      const { lock, plans, redeploys } = at.parts;
      const held = lock.take(at.place, 'redeploy');
      const redeploying = await waitingRedeploy();
      const running = redeploys.start(await plans.prepare({ place: at.place }), held);
      end(running);
      await assert.rejects(running.ended);
      const sent = updates();
      assert.equal(await redeploying.result, undefined);
      assert.equal(updates(), sent);
      assert.equal(lock.holder(at.place), undefined);
    });
  }

  const perform = (decision: Decision | undefined, options?: Parameters<typeof redeployed>[3]) =>
    redeployed(at.parts, { place: at.place }, () => Promise.resolve(decision), options);
  const canceled = async (held: ReturnType<typeof hold>, kind: 'tool' | 'task') => {
    const stopping = new AbortController();
    const { signal } = stopping;
    const redeploying = perform(plainly, kind === 'tool' ? { signal } : { task: { say: () => undefined, signal } });
    await held.reached;
    stopping.abort();
    held.release();
    await redeploying.catch(() => undefined);
    assert.ok(!operations().includes('Update'));
  };

  const endings: Readonly<Record<string, () => Promise<unknown>>> = {
    'a redeploy that is declined': () => perform(undefined),
    'a redeploy that is refused': () => {
      fail('Update');
      return perform(plainly);
    },
    'a redeploy that is canceled before it is sent': () => canceled(hold('GetList'), 'tool'),
    'a redeploy that is canceled while it is checked again': () => canceled(hold('GetProject', 2), 'tool'),
    'a task that is stopped while it is checked again': () => canceled(hold('GetProject', 2), 'task'),
    'a redeploy whose response is lost': () => {
      fail('Update', { kind: 'gatewayError', status: 504, when: 'after' });
      return perform(plainly);
    },
    'a redeploy that fails after its question': () => {
      fail('GetProject', refused, 2);
      return perform(plainly);
    },
    'settings that are refused': () => {
      fail('EditProject');
      return does('gantry.project.edit', [...changesSettings, escape]);
    },
    'a deletion that is refused': () => {
      fail('DeleteProject');
      return does('gantry.project.delete', ['Saltmarsh Tea']);
    },
    'a roll back whose settings are refused': () => {
      fail('EditProject');
      return does('gantry.project.rollBack', [typed(at.setUp.first, 'Deploy commit'), 'Roll Back']);
    },
    'a roll back whose redeploy is refused': () => {
      fail('Update');
      return does('gantry.project.rollBack', [typed(at.setUp.first, 'Deploy commit'), 'Roll Back']);
    },
  };
  for (const [title, end] of Object.entries(endings)) {
    it(`can be changed again after ${title}`, async () => {
      const held: unknown[] = [];
      const { lock } = at.parts;
      const take = lock.take.bind(lock);
      lock.take = (...args) => {
        const taken = take(...args);
        held.push(taken);
        return taken;
      };
      await end()
        .catch(() => undefined)
        .finally(() => (lock.take = take));
      assert.equal(held.length > 0, title !== 'a redeploy that is declined');
      assert.equal(lock.holder(at.place), undefined);
    });
  }
});
