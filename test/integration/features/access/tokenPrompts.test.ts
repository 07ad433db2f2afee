import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'mocha';
import { commands, env, workspace } from 'vscode';
import type { Account } from '../../../../src/accounts/accounts';
import { type LocalPlatform, startPlatform } from '../../../localPlatform/localPlatform';
import { fileUri, gantry, signedIn } from '../../support/gantry';
import { escape, Person } from '../../support/person';

/** The platform's own refusal, so that not only Gantry's checks are tested. */
const lacksMethod = /code 8202/;

describe('a token for a colleague', () => {
  let platform: LocalPlatform;
  let person: Person;
  let owner: Account;

  before(async () => {
    platform = await startPlatform();
    owner = await signedIn(platform);
    person = new Person();
  });

  afterEach(async () => {
    const { accounts } = await gantry();
    for (const { slug } of accounts.list.filter(({ slug }) => slug !== owner.slug)) {
      await accounts.remove(slug);
    }
  });

  after(async () => {
    person.leave();
    await (await gantry()).accounts.remove(owner.slug);
    await platform.dispose();
  });

  /** Creates the token and signs in with it, both through the questions that Gantry asks. */
  async function colleagueWith(permission: string): Promise<Account> {
    const { accounts, unlocking } = await gantry();
    const { email, password } = platform.sample;
    await unlocking.unlock(owner.slug, email, password);
    await person.answering([permission, permission, '90 days', 'Copy'], () =>
      commands.executeCommand('gantry.token.create', { account: owner }),
    );
    const token = await env.clipboard.readText();
    await person.answering([platform.origin, 'Access token', token, permission], () =>
      commands.executeCommand('gantry.account.signIn'),
    );
    const account = accounts.list.find(({ label }) => label === permission);
    assert.ok(account);
    return account;
  }

  const fileOn = (account: Account, path: string) =>
    fileUri(account, 'shop', `cp~${platform.nodes('shop', 'cp')[0]?.id}`, path);

  it('that only reads suffices to sign in, list environments, projects, favorites, and mounts, and read a file', async () => {
    const account = await colleagueWith('Read only');
    const parts = await gantry();
    const environments = await parts.environments.of(account);
    const shop = environments.find(({ name }) => name === 'shop');
    const layer = shop?.layers.find(({ id }) => id === 'cp');
    assert.ok(shop && layer);
    assert.ok((await workspace.fs.readFile(fileOn(account, '/etc/php.ini'))).length > 0);
    await parts.sharing.mounts.of(shop, layer);
    const envName = shop.name;
    const nodeId = layer.nodes[0]?.id ?? 0;
    await account.call('GetFavorites', { envName });
    await account.call('GetProject', { envName, nodeGroup: layer.id, context: 'ROOT' });
    await account.call('GetExportedList', { envName, nodeId });
  });

  it('that only reads is refused every change, by the platform as well', async () => {
    const account = await colleagueWith('Read only');
    const file = fileOn(account, '/etc/php.ini');
    const text = await workspace.fs.readFile(file);
    await assert.rejects(async () => workspace.fs.writeFile(file, Buffer.from('changed\n')));
    const at = { envName: 'shop', nodeGroup: 'cp' };
    await assert.rejects(account.call('Write', { ...at, path: '/etc/php.ini', body: 'changed\n' }), lacksMethod);
    await assert.rejects(account.call('Delete', { ...at, path: '/etc/php.ini' }), lacksMethod);
    await assert.rejects(account.call('Update', { ...at, context: 'ROOT' }), lacksMethod);
    assert.deepEqual(await workspace.fs.readFile(file), text);
  });

  it('that edits saves a file, and is refused a redeploy', async () => {
    const account = await colleagueWith('Read and edit files');
    const file = fileOn(account, '/var/www/webroot/note.txt');
    await workspace.fs.writeFile(file, Buffer.from('written\n'));
    assert.equal(Buffer.from(await workspace.fs.readFile(file)).toString(), 'written\n');
    const project = { envName: 'shop', nodeGroup: 'cp', context: 'ROOT' };
    await assert.rejects(account.call('Update', project), lacksMethod);
  });

  it('can be deleted from the Command Palette, which asks for the password and for the token', async () => {
    const { unlocking } = await gantry();
    const listed = async () => {
      const { email, password } = platform.sample;
      const opened = await unlocking.unlock(owner.slug, email, password);
      return (await opened.getTokens()).map(({ description }) => description);
    };
    await platform.createToken({ description: 'Phone', tokenTemplate: 'Extended Access' });
    await platform.createToken({ description: 'Tablet', tokenTemplate: 'Extended Access' });
    const before = await listed();
    await unlocking.lock(owner.slug);
    await person.answering([platform.sample.password, 'Phone', 'Delete'], () =>
      commands.executeCommand('gantry.token.delete'),
    );
    assert.deepEqual(
      await listed(),
      before.filter((name) => name !== 'Phone'),
    );
    await person.answering(['Tablet', escape], () => commands.executeCommand('gantry.token.regenerate'));
    await person.answering([escape], () => commands.executeCommand('gantry.token.edit'));
  });

  it('may permit single methods, which are listed by whether they read or change something', async () => {
    const { unlocking } = await gantry();
    const { email, password } = platform.sample;
    await unlocking.unlock(owner.slug, email, password);
    await person.answering(['Custom', 'Custom methods', escape], () =>
      commands.executeCommand('gantry.token.create', { account: owner }),
    );
    const listed = person.seen.filter((one) => one.includes(' environment.file ')).map((one) => one.trim());
    assert.ok(listed.includes('Read: environment.file · reads'), person.seen.join('\n'));
    assert.ok(listed.includes('Write: environment.file · changes'));
    const heading = (text: string) => person.seen.indexOf(text);
    assert.ok(heading('Read:') >= 0 && heading('Read:') < heading('Change:'));
  });
});
