import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { EventEmitter } from 'vscode';
import type { TimeSource } from '../../../src/async/waiting';
import { EnvironmentMemory } from '../../../src/containers/environmentMemory';
import { Environments } from '../../../src/containers/environments';
import { isPlatformError } from '../../../src/platform/errors';
import type { Memory } from '../../../src/storage/stores';
import { nextEvent } from '../support/event';
import { accountScene, type PersonsAccounts } from '../support/personsAccounts';

/** VS Code's storage for an extension, which lasts from window to window. */
class Notebook implements Memory {
  private readonly values = new Map<string, unknown>();
  get = (key: string): unknown => this.values.get(key);
  update = (key: string, value: unknown): Promise<void> => {
    // As in VS Code, later changes to a stored value don't affect what is read.
    this.values.set(key, value === undefined ? undefined : JSON.parse(JSON.stringify(value)));
    return Promise.resolve();
  };
}

describe('environments', () => {
  const scene = accountScene();
  let person: PersonsAccounts;
  let memory: Notebook;
  let environments: Environments;

  beforeEach(() => {
    person = scene.open();
    memory = new Notebook();
    environments = new Environments(new EnvironmentMemory(memory));
  });

  afterEach(() => environments.dispose());

  const accountWith = (...methods: readonly [string, ...string[]]) =>
    scene.signIn(person, { description: 'test', apiList: methods.map((method) => `environment.${method}`) });

  /** Simulates the next start of VS Code. */
  const nextWindow = () => new Environments(new EnvironmentMemory(memory));

  describe('whose display names decide', () => {
    const shop = { account: 'a', environment: 'shop' };
    const titled = (after?: TimeSource['after']) =>
      new Environments(new EnvironmentMemory(memory), (slug) => person.accounts.find(slug), after);

    it('are listed again if that was long ago, and a name from before counts while that fails', async () => {
      const account = await scene.signIn(person);
      const known = titled();
      await known.of(account);
      const [listed] = scene.platform.environments.filter(({ envName }) => envName === 'shop');
      assert.ok(listed);
      const { displayName } = listed;
      const { now } = Date;
      const requests = () => scene.platform.journal.count(({ operation }) => operation === 'GetEnvs');
      try {
        scene.platform.journal.reset();
        assert.ok(await known.learnTitle(shop));
        assert.equal(requests(), 0);
        listed.displayName = 'Live';
        Date.now = () => now() + 31_000;
        assert.ok(await known.learnTitle(shop));
        assert.deepEqual([known.titleOf(shop), requests()], ['Live', 1]);
        Date.now = () => now() + 62_000;
        scene.fail('GetEnvs', { kind: 'gatewayError', status: 502, when: 'before' }, { times: 'always' });
        assert.ok(await known.learnTitle(shop));
        assert.equal(known.titleOf(shop), 'Live');
        assert.ok(!(await known.learnTitle({ account: 'a', environment: 'unheard' })));
      } finally {
        Date.now = now;
        listed.displayName = displayName;
        known.dispose();
      }
    });

    it("aren't waited for long: the name from before counts, and without one, none is known", async () => {
      const account = await scene.signIn(person);
      const timers = new Set<() => void>();
      const waiting = new EventEmitter<number>();
      const after = (milliseconds: number, run: () => void) => {
        timers.add(run);
        waiting.fire(milliseconds);
        return () => timers.delete(run);
      };
      const hanging = scene.hang('GetEnvs');
      try {
        const known = titled(after);
        const asked = nextEvent(waiting.event);
        const learned = known.learnTitle(shop);
        assert.ok((await asked) <= 5_000);
        await hanging.reached;
        for (const run of timers) run();
        assert.ok(!(await learned));
        hanging.release();
        // The same listing, which is there by now.
        await known.of(account);
        assert.ok(await known.learnTitle(shop));
        assert.equal(timers.size, 0);
        known.dispose();
      } finally {
        waiting.dispose();
      }
    });

    it('are unknown if only the user entered them', async () => {
      const account = await accountWith('file.GetList');
      const known = titled();
      await known.add(account, { name: 'shop', layers: [{ id: 'cp', nodes: [] }] });
      assert.ok(!(await known.learnTitle(shop)));
      known.dispose();
    });
  });

  it('are listed with their status, layers, and nodes, with one request until they are refreshed', async () => {
    const account = await scene.signIn(person);
    scene.platform.journal.reset();
    const [all] = await Promise.all([environments.of(account), environments.of(account)]);
    assert.deepEqual(
      all.map(({ name }) => name).sort(),
      scene.platform.environments.map(({ envName }) => envName).sort(),
    );
    const shop = all.find(({ name }) => name === 'shop');
    assert.equal(shop?.status, 'running');
    assert.ok(shop.layers.every(({ nodes }) => nodes.length > 0));
    assert.equal(scene.platform.journal.arrivals.length, 1);
    environments.refresh();
    await environments.of(account);
    assert.equal(scene.platform.journal.arrivals.length, 2);
  });

  it('report that they were renamed or are gone', async () => {
    const account = await scene.signIn(person);
    await scene.platform.addEnvironment({
      envName: 'old-name',
      layers: [{ name: 'cp', nodeType: 'nginxphp', containerUser: 'nginx' }],
    });
    await environments.of(account);
    rename('old-name', 'new-name');

    const later = nextWindow();
    const { absences } = await later.overview(account);
    assert.deepEqual(absences, [{ account: 'a', name: 'old-name', title: 'old-name', renamedTo: 'new-name' }]);
    later.refresh();
    assert.equal((await later.overview(account)).absences.length, 1, 'it stays on show');
    await later.remove('a', 'old-name');
    assert.equal((await later.overview(account)).absences.length, 0);
  });

  function rename(from: string, to: string): void {
    const environment = scene.platform.environments.find(({ envName }) => envName === from);
    assert.ok(environment);
    environment.envName = to;
    for (const node of environment.layers.flatMap(({ nodes }) => nodes)) node.envName = to;
  }

  it("can be added by name if the token can't list them, with details if it can query a single one", async () => {
    const account = await accountWith('control.GetEnvInfo', 'file.GetList');
    const { environments: none, isUnlisted } = await environments.overview(account);
    assert.deepEqual([none, isUnlisted], [[], true]);

    await assert.rejects(
      environments.add(account, { name: 'no-such', layers: [] }),
      (error) => isPlatformError(error) && error.result === 11,
    );
    await environments.add(account, { name: 'shop', layers: [] });
    const [shop] = await nextWindow().of(account);
    assert.equal(shop?.isAdded, true);
    assert.equal(shop.layers.find(({ id }) => id === 'cp')?.nodes.length, 2);
  });

  it('can be added by layer and node if the token can only list files, after a real request for each', async () => {
    const account = await accountWith('file.GetList');
    const lacks = (error: unknown) => isPlatformError(error) && error.kind === 'tokenLacksMethod';
    await assert.rejects(environments.add(account, { name: 'shop', layers: [] }), lacks);
    const nobody = { name: 'shop', layers: [{ id: 'cp', nodes: [1] }] };
    await assert.rejects(environments.add(account, nobody), (error) => isPlatformError(error) && error.result === 5);

    const [node] = scene.platform.nodes('shop', 'bl');
    assert.ok(node);
    await environments.add(account, {
      name: 'shop',
      layers: [
        { id: 'cp', nodes: [] },
        { id: 'bl', nodes: [node.id] },
      ],
    });
    const [shop] = await environments.of(account);
    assert.deepEqual(
      shop?.layers.map(({ id, nodes }) => [id, nodes.map((one) => one.id)]),
      [
        ['cp', []],
        ['bl', [node.id]],
      ],
    );
    await environments.remove('a', 'shop');
    assert.deepEqual(await environments.of(account), []);
  });

  it('keep the layers that were entered before when another one is, unless one of those is gone', async () => {
    const account = await accountWith('file.GetList');
    const add = (id: string) => environments.add(account, { name: 'shop', layers: [{ id, nodes: [] }] });
    const layers = async () => (await nextWindow().of(account)).flatMap((shop) => shop.layers.map(({ id }) => id));
    await add('cp');
    await add('bl');
    assert.deepEqual(await layers(), ['cp', 'bl']);
    scene.fail('GetList', { kind: 'refuse', result: 11, error: 'no' }, { parameters: { nodeGroup: 'cp' } });
    await add('bl');
    assert.deepEqual(await layers(), ['bl']);
  });

  it("report that they are gone, or why they can't be checked, if they were added by name", async () => {
    const account = await accountWith('control.GetEnvInfo');
    await scene.platform.addEnvironment({
      envName: 'brief',
      layers: [{ name: 'cp', nodeType: 'nginxphp', containerUser: 'nginx' }],
    });
    await environments.add(account, { name: 'brief', layers: [] });
    scene.fail('GetEnvInfo', { kind: 'refuse', result: 99, error: 'out of order' });
    const unchecked = await environments.overview(account);
    assert.deepEqual(
      unchecked.failures.map(({ name }) => name),
      ['brief'],
    );
    rename('brief', 'gone');
    const gone = await environments.overview(account);
    assert.deepEqual(
      gone.absences.map(({ name }) => name),
      ['brief'],
    );
  });

  it('keep the newest response, even if an older one arrives later', async () => {
    const account = await accountWith('file.GetList');
    await environments.add(account, { name: 'shop', layers: [{ id: 'cp', nodes: [] }] });
    const late = scene.hang('GetList');
    const older = environments.of(account);
    await late.reached;
    await environments.remove('a', 'shop');
    await environments.of(account);
    late.release();
    await older;
    assert.equal(environments.known('a', 'shop'), undefined);
  });

  it('stay forgotten if a response arrives after their account was removed', async () => {
    const account = await scene.signIn(person);
    const late = scene.fail('GetEnvs', { kind: 'hang', when: 'after' });
    const older = environments.of(account);
    await late.reached;
    await environments.forget('a');
    late.release();
    await older;
    assert.equal(environments.known('a', 'shop'), undefined);
    assert.equal(memory.get('gantry.environments'), undefined);
  });

  it('are forgotten with their account, and never store a secret', async () => {
    const account = await scene.signIn(person);
    await environments.of(account);
    const stored = await person.accounts.stored('a');
    const kept = JSON.stringify(memory.get('gantry.environments'));
    assert.ok(kept.includes('shop'));
    assert.ok(stored !== undefined && !kept.includes(stored.token));
    await environments.forget('a');
    assert.equal(memory.get('gantry.environments'), undefined);
  });
});
