import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { after, afterEach, before, beforeEach, describe, it } from 'mocha';
import type { Account } from '../../../../../src/accounts/accounts';
import type { ProjectParts } from '../../../support/parts';
import { redeployAsTask } from '../../../../../src/features/deployments/redeploy/automation';
import { VcsSetUp, webroot } from '../../../../unit/localPlatform/vcsSetUp';
import { allowAgents, callOrFail, setAgentAccess } from '../../../support/callTool';
import { gantry, signedIn } from '../../../support/gantry';
import { type OpenRepository, withOpenRepository } from '../../../support/openRepository';
import { outputOf, providedTasks, terminalFor, unstopped } from '../../../support/tasks';
import { commitOnDisk, inAHurry, placeOfShop } from '../../../support/projects';

type RedeployTask = Parameters<ReturnType<typeof redeployAsTask>>[0];

describe('a redeploy task', () => {
  let at: OpenRepository;

  withOpenRepository((one) => (at = one));

  const run = async (wish: Partial<RedeployTask>, onLine: (line: string) => void = () => undefined) => {
    const said: string[] = [];
    const whole = {
      environment: 'shop',
      context: 'ROOT',
      onDataLoss: 'ask',
      account: at.account.slug,
      ...wish,
    } as const;
    const ending = await redeployAsTask(at.parts)(
      whole,
      unstopped((line) => {
        said.push(line);
        onLine(line);
      }),
    );
    return { ending, said: said.join('\n') };
  };

  it("isn't satisfied by a running redeploy of only one node", async () => {
    await at.create();
    const second = await at.setUp.repository.commit({ message: 'second', files: { 'index.php': 'two\n' } });
    const held = at.setUp.platform.faults.add({ operation: 'Update', fault: { kind: 'hang' } });
    const { place } = at;
    const { ended } = at.parts.redeploys.start(
      await at.parts.plans.prepare({ place: at.place, nodeId: at.setUp.nodeId(0) }),
    );
    await held.reached;
    const said: string[] = [];
    let task: Promise<unknown> | undefined;
    const waits = new Promise<void>((resolve) => {
      const say = (line: string) => {
        said.push(line);
        if (line.includes('Waiting')) {
          resolve();
        }
      };
      task = redeployAsTask(at.parts)({ ...place, onDataLoss: 'stop' }, unstopped(say));
    });
    await waits;
    held.release();
    await ended;
    assert.equal(await task, 'deployed', said.join('\n'));
    assert.deepEqual([await commitOnDisk(at.setUp, 0), await commitOnDisk(at.setUp, 1)], [second, second]);
  });

  it('waits for a redeploy that began before the build pushed, and then sends its own', async () => {
    await at.create();
    const held = at.setUp.platform.faults.add({ operation: 'Update', fault: { kind: 'hang', when: 'after' } });
    const { plans, redeploys } = at.parts;
    const { ended } = redeploys.start(await plans.prepare({ place: at.place }));
    await held.reached;
    const pushed = await at.setUp.repository.commit({ message: 'pushed', files: { 'index.php': 'pushed\n' } });
    const releaseIfWaiting = (line: string) => {
      if (line === 'Waiting for another redeploy of ROOT on Saltmarsh Tea') {
        held.release();
      }
    };
    const { ending, said } = await run({ onDataLoss: 'stop' }, releaseIfWaiting);
    await ended;
    assert.equal(ending, 'deployed', said);
    assert.deepEqual([await commitOnDisk(at.setUp, 0), await commitOnDisk(at.setUp, 1)], [pushed, pushed]);
    assert.equal(
      at.setUp.platform.journal.count(({ operation }) => operation === 'Update'),
      2,
    );
  });

  it('sends its own, if another one begins while it is prepared', async () => {
    await at.create();
    const endings = await Promise.all([run({ onDataLoss: 'stop' }), run({ onDataLoss: 'stop' })]);
    assert.deepEqual(
      endings.map(({ ending }) => ending),
      ['deployed', 'deployed'],
      endings.map(({ said }) => said).join('\n'),
    );
    assert.equal(
      at.setUp.platform.journal.count(({ operation }) => operation === 'Update'),
      2,
    );
  });

  it("doesn't wait for another redeploy once it is stopped", async () => {
    await at.create();
    const held = at.setUp.platform.faults.add({ operation: 'Update', fault: { kind: 'hang', when: 'after' } });
    const { plans, redeploys } = at.parts;
    const { ended } = redeploys.start(await plans.prepare({ place: at.place }));
    await held.reached;
    const stop = new AbortController();
    const say = (line: string) => {
      if (line.includes('Waiting')) stop.abort();
    };
    const { environment, context, account } = at.place;
    const task = { environment, context, account, onDataLoss: 'stop' } as const;
    assert.equal(await redeployAsTask(at.parts)(task, { say, signal: stop.signal }), 'notDeployed');
    assert.ok(redeploys.running(at.place) !== undefined);
    held.release();
    await ended;
  });

  it('fails if the platform deployed another commit than the project is pinned to, and says which', async () => {
    await at.create();
    const first = (await commitOnDisk(at.setUp, 0)) ?? '';
    const second = await at.setUp.repository.commit({ message: 'second', files: { 'index.php': 'two\n' } });
    await at.setUp.succeed('EditProject', { ...at.setUp.editWishes, repoHash: first });
    at.setUp.platform.behaviour.pinnedCommits = 'ignored';
    const { ending, said } = await run({ onDataLoss: 'stop' });
    assert.equal(ending, 'notDeployed', said);
    assert.match(
      said,
      new RegExp(`deployed ${second.slice(0, 7)} to ROOT on Saltmarsh Tea, although .* pinned to ${first.slice(0, 7)}`),
    );
  });

  it('asks for the layer if another one, which this window never saw, has such a project, too', async () => {
    const layer = { nodeType: 'nginxphp', isVcsSupport: true, containerUser: 'nginx', owned: ['/var/www/webroot'] };
    const names = ['cp', 'cp2'];
    await at.setUp.platform.addEnvironment({ envName: 'two', layers: names.map((name) => ({ ...layer, name })) });
    for (const nodeGroup of names) {
      await at.setUp.create({ envName: 'two', nodeGroup });
    }
    at.parts.environments.refresh();
    await at.parts.projects.add({ ...at.place, environment: 'two', layer: 'cp2' });
    await assert.rejects(run({ environment: 'two' }), /Several layers/);
    assert.equal(
      at.setUp.platform.journal.count(({ operation }) => operation === 'Update'),
      0,
    );
  });

  it('redeploys nothing if it is stopped before the redeploy has started', async () => {
    await at.create();
    const { faults, journal } = at.setUp.platform;
    const { environment, context, account } = at.place;
    const updates = () => journal.count(({ operation }) => operation === 'Update');
    const stoppedWhile = async (held: ReturnType<typeof faults.add>) => {
      const terminal = await terminalFor({ environment, context, account });
      const ended = outputOf(terminal);
      await held.reached;
      terminal.close();
      held.release();
      assert.match((await ended).output, /\nRedeploy canceled\.\n$/);
      assert.equal((await ended).exitCode, 1);
    };
    journal.reset();
    await stoppedWhile(faults.add({ operation: 'GetProject', fault: { kind: 'hang' } }));
    assert.equal(updates(), 0);
    await stoppedWhile(faults.add({ operation: 'GetList', fault: { kind: 'hang' } }));
    assert.equal(updates(), 0, 'while the logs are listed');

    const held = faults.add({ operation: 'Update', fault: { kind: 'hang' } });
    const { plans, redeploys } = at.parts;
    redeploys.start(await plans.prepare({ place: at.place, nodeId: at.setUp.nodeId(0) }));
    await held.reached;
    const terminal = await terminalFor({ environment, context, account });
    const waits = new Promise<void>((resolve) =>
      terminal.onDidWrite((line) => {
        if (line.includes('Waiting for another redeploy of')) resolve();
      }),
    );
    const ended = outputOf(terminal);
    await waits;
    terminal.close();
    held.release();
    assert.match((await ended).output, /\nRedeploy canceled\.\n$/);
    assert.equal(updates(), 1);
  });

  it('succeeds if the project is deployed, and fails otherwise', async () => {
    await at.create();
    const good = await run({});
    assert.equal(good.ending, 'deployed');
    assert.match(good.said, /deployed [0-9a-f]{40}/, 'the log is in the terminal');
    at.setUp.platform.faults.add({ operation: 'Update', fault: { kind: 'refuse', result: 4000, error: 'no' } });
    const bad = await run({});
    assert.equal(bad.ending, 'notDeployed');
    assert.match(bad.said, /Couldn't redeploy ROOT on Saltmarsh Tea: /);
    await assert.rejects(run({ context: 'none' }), /Couldn't find project none on shop/);
  });

  it('stops if something would be lost, or continues, depending on its options', async () => {
    await at.create({ autoResolveConflict: true });
    await at.edit('index.php', 'edited\n');
    at.setUp.platform.journal.reset();
    const stopped = await run({ onDataLoss: 'stop' });
    assert.equal(stopped.ending, 'notDeployed');
    assert.match(stopped.said, /will be discarded/);
    assert.equal(
      at.setUp.platform.journal.count(({ operation }) => operation === 'Update'),
      0,
    );
    assert.equal(await at.setUp.read(`${webroot}/ROOT/index.php`), 'edited\n');
    assert.equal((await run({ onDataLoss: 'continue' })).ending, 'deployed');
    assert.equal(await at.setUp.read(`${webroot}/ROOT/index.php`), 'one\n');
  });

  it('continues if told to, although an edited file changes before each check', async () => {
    await at.create({ autoResolveConflict: true });
    await at.edit('index.php', 'edited\n');
    let lossesSaid = 0;
    const { ending, said } = await run({ onDataLoss: 'continue' }, (line) => {
      if (line.includes('will be discarded')) {
        lossesSaid += 1;
        // Five are enough to fail.
        if (lossesSaid < 5) writeFileSync(at.setUp.file(`${webroot}/ROOT/index.php`), `${lossesSaid}\n`);
      }
    });
    assert.equal(ending, 'deployed', said);
    assert.equal(lossesSaid, 1, said);
    assert.equal(await at.setUp.read(`${webroot}/ROOT/index.php`), 'one\n');
  });
});

describe('a redeploy task if two accounts have an environment of the same name', () => {
  const setUps: VcsSetUp[] = [];
  const accounts: Account[] = [];
  let parts: ProjectParts;

  inAHurry();
  before(async () => {
    parts = (await gantry()).projects;
    for (let n = 0; n < 2; n++) {
      const setUp = await VcsSetUp.start();
      setUps.push(setUp);
      accounts.push(await signedIn(setUp.platform));
      await setUp.create({ updateNow: true });
    }
  });
  beforeEach(() => setUps.forEach(({ platform }) => platform.journal.reset()));
  afterEach(async () => {
    for (const place of accounts.map((account) => placeOfShop(account))) {
      await parts.history.forget(place);
      await parts.projects.forget(place);
    }
  });
  after(async () => {
    for (const { slug } of accounts) await (await gantry()).accounts.remove(slug);
    for (const setUp of setUps) await setUp.stop();
  });

  const wish: RedeployTask = { environment: 'shop', context: 'ROOT', onDataLoss: 'stop' };
  const run = (wanted: RedeployTask) => redeployAsTask(parts)(wanted, unstopped());
  const updates = () => setUps.map(({ platform }) => platform.journal.count(({ operation }) => operation === 'Update'));
  const offered = async () => {
    const redeploys = (await providedTasks()).filter(({ definition }) => definition['action'] === undefined);
    return redeploys.map(({ definition }): unknown => definition['account']);
  };
  const nth = (index: number) => {
    const account = accounts[index];
    assert.ok(account);
    return account;
  };
  const see = (account: Account) => parts.projects.read(placeOfShop(account));

  it('is offered without an account while only one is known to have it', async () => {
    await see(nth(0));
    assert.deepEqual(await offered(), [undefined]);
    assert.deepEqual((await providedTasks()).map(({ name }) => name).sort(), [
      'redeploy ROOT on shop',
      'restart cp on shop',
    ]);
  });

  it('asks for the account, even if this window never saw the other one’s project', async () => {
    await see(nth(0));
    await assert.rejects(run(wish), ({ message }: Error) => {
      assert.match(message, /Several accounts have a project named ROOT on shop/);
      for (const { slug } of accounts) assert.ok(message.includes(`"account": "${slug}"`), message);
      return true;
    });
    await assert.rejects(run({ ...wish, account: 'nobody' }), /You aren't signed in to account nobody/);
    assert.deepEqual(updates(), [0, 0]);
  });

  type Call = (account: { readonly account?: string }) => Promise<string>;
  /** What names an environment without its account, and how it succeeds with one. */
  const callers: Readonly<Record<string, readonly [call: Call, done: RegExp]>> = {
    'a task that redeploys': [(of) => run({ ...wish, ...of }).catch(String), /^deployed$/],
    'a task that restarts': [
      async (of) => {
        const restart = { action: 'restart', environment: 'shop', layer: 'cp', node: setUps[0]?.nodeId(0), delay: 0 };
        return (await outputOf(await terminalFor({ ...restart, ...of }))).output;
      },
      /^Restarted the service on nginxphp \(\d+\)\./m,
    ],
    'a tool that redeploys': [
      (of) => callOrFail('gantry_redeploy', { environment: 'shop', project: 'ROOT', ...of }),
      /^outcome: deployed\n/,
    ],
  };
  for (const [name, [call, done]] of Object.entries(callers)) {
    it(`doesn't guess the account while another one can't be listed (as ${name})`, async () => {
      await see(nth(0));
      await allowAgents();
      const { environments } = await gantry();
      const fault = { kind: 'refuse', result: 99, error: 'busy' } as const;
      const failing = setUps.map(({ platform }) =>
        platform.faults.add({ operation: 'GetEnvs', times: 'always', fault }),
      );
      try {
        environments.refresh();
        assert.match(await call({}), /busy/);
        failing[0]?.remove();
        environments.refresh();
        const refused = await call({});
        assert.match(
          refused,
          /^(?:Error: Couldn't list the environments of account \S+: GetEnvs: .*: busy\. If it happens again, contact your hosting provider|Couldn't list the environments of account \S+: busy)\. Specify the account: /,
        );
        for (const { slug } of accounts) assert.ok(refused.includes(`"account": "${slug}"`), refused);
        const changed = setUps
          .flatMap(({ platform }) => platform.journal.arrivals)
          .filter(({ operation }) => {
            return ['Update', 'RestartServices'].includes(operation);
          });
        assert.deepEqual(changed, []);
        assert.match(await call({ account: nth(0).slug }), done);
      } finally {
        setUps.forEach(({ platform }) => platform.faults.clear());
        environments.refresh();
        await setAgentAccess(undefined);
      }
    });
  }

  it('redeploys the project of its account', async () => {
    assert.equal(await run({ ...wish, account: nth(1).slug }), 'deployed');
    assert.deepEqual(updates(), [0, 1]);
  });

  it('is offered with the account if both are known to have it', async () => {
    for (const account of accounts) await see(account);
    assert.deepEqual((await offered()).sort(), accounts.map(({ slug }) => slug).sort());
  });
});
