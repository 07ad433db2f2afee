import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'mocha';
import { CancellationTokenSource } from 'vscode';
import type { Account } from '../../../../src/accounts/accounts';
import { redeployAsTask } from '../../../../src/deployments/redeploy/redeployTaskFlow';
import type { RedeployTask } from '../../../../src/deployments/redeploy/redeployTaskProvider';
import { RedeployTerminal, redeployTaskProvider } from '../../../../src/deployments/redeploy/redeployTaskProvider';
import type { ProjectParts } from '../../../../src/wiring/wireDeployments';
import { VcsSetUp } from '../../../unit/localPlatform/vcsSetUp';
import { gantry, signedIn } from '../../support/gantry';
import { inAHurry, placeOfShop } from '../../support/projects';

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
  const run = (wanted: RedeployTask) => redeployAsTask(parts)(wanted, () => undefined);
  const updates = () => setUps.map(({ platform }) => platform.journal.count(({ operation }) => operation === 'Update'));
  const offered = async () => {
    const provider = redeployTaskProvider(parts.finder, run);
    const all = (await provider.provideTasks(new CancellationTokenSource().token)) ?? [];
    return all.map(({ definition }): unknown => definition['account']);
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
  });

  it('asks for the account, even if this window never saw the other one’s project', async () => {
    await see(nth(0));
    await assert.rejects(run(wish), ({ message }: Error) => {
      assert.match(message, /Several accounts have a project ROOT on shop/);
      for (const { slug } of accounts) assert.ok(message.includes(`"account": "${slug}"`), message);
      return true;
    });
    await assert.rejects(run({ ...wish, account: 'nobody' }), /You aren't signed in to account nobody/);
    assert.deepEqual(updates(), [0, 0]);
  });

  it('redeploys the project of its account', async () => {
    assert.equal(await run({ ...wish, account: nth(1).slug }), 'deployed');
    assert.deepEqual(updates(), [0, 1]);
  });

  it('is offered with the account if both are known to have it', async () => {
    for (const account of accounts) await see(account);
    assert.deepEqual((await offered()).sort(), accounts.map(({ slug }) => slug).sort());
  });
});

describe('the terminal of a redeploy task', () => {
  it('shows a log without the escape sequences that would control the terminal', async () => {
    const log = 'Cloning\u001b]0;mine\u0007\u001b[2J\ndone';
    const terminal = new RedeployTerminal({ environment: 'shop' }, (_, say) => {
      say(log);
      return Promise.resolve('deployed');
    });
    let written = '';
    terminal.onDidWrite((text) => (written += text));
    const ended = new Promise((resolve) => terminal.onDidClose(resolve));
    terminal.open();
    assert.equal(await ended, 0);
    assert.equal(written, 'Cloning\r\ndone\r\n');
  });
});
