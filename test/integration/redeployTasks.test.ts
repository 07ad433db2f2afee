import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { CancellationTokenSource } from 'vscode';
import type { Account } from '../../src/accounts/accounts';
import { redeployAsTask, type TaskWish } from '../../src/commands/redeployAsTask';
import { redeployTaskProvider } from '../../src/integration/redeployTasks';
import type { ProjectParts } from '../../src/parts/projectParts';
import { VcsSetUp } from '../unit/localPlatform/vcsSetUp';
import { gantry, signedIn } from './support/gantry';
import { inAHurry, placeOfShop } from './support/projects';

describe('a task that redeploys, where two accounts have an environment of the same name', () => {
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
      setUp.platform.journal.reset();
    }
  });
  after(async () => {
    for (const account of accounts) {
      await parts.history.forget(placeOfShop(account));
      await (await gantry()).accounts.remove(account.slug);
    }
    for (const setUp of setUps) await setUp.stop();
  });

  const wish: TaskWish = { environment: 'shop', context: 'ROOT', ifSomethingIsLost: 'stop' };
  const run = (wanted: TaskWish) => redeployAsTask(parts)(wanted, () => undefined);
  const updates = () => setUps.map(({ platform }) => platform.journal.count(({ operation }) => operation === 'Update'));
  const offered = async () => {
    const provider = redeployTaskProvider(parts.finder, run);
    const all = (await provider.provideTasks(new CancellationTokenSource().token)) ?? [];
    return all.map(({ definition }): unknown => definition['account']);
  };
  const second = () => {
    const [, account] = accounts;
    assert.ok(account);
    return account;
  };

  it('is offered without an account while only one is known to have it', async () => {
    const [account] = accounts;
    assert.ok(account);
    await parts.projects.read(placeOfShop(account));
    assert.deepEqual(await offered(), [undefined]);
  });

  it('asks for the account, also where the other one’s project was never seen from here', async () => {
    await assert.rejects(run(wish), ({ message }: Error) => {
      assert.match(message, /Several accounts have a project ROOT on shop/);
      for (const { slug } of accounts) assert.ok(message.includes(`"account": "${slug}"`), message);
      return true;
    });
    await assert.rejects(run({ ...wish, account: 'nobody' }), /No account nobody is signed in here/);
    assert.deepEqual(updates(), [0, 0]);
  });

  it('redeploys what the account has', async () => {
    assert.equal(await run({ ...wish, account: second().slug }), 'deployed');
    assert.deepEqual(updates(), [0, 1]);
  });

  it('is offered with the account where both are known to have it', async () => {
    await parts.projects.read(placeOfShop(second()));
    assert.deepEqual((await offered()).sort(), accounts.map(({ slug }) => slug).sort());
  });
});
