import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { commands, env, workspace } from 'vscode';
import type { Account } from '../../../../src/accounts/accounts';
import { uriOf } from '../../../../src/containers/uris';
import { ExpectedError } from '../../../../src/ui/expectedError';
import { escape } from '../../support/person';
import { windowScene } from '../../support/windowScene';

/** The platform's own refusal, so that not only Gantry's checks are tested. */
const lacksMethod = /code 8202/;

describe('a token for a colleague', () => {
  const scene = windowScene({ sample: 'project' });
  const { person, unlock } = scene;
  const cp = scene.environment('shop').layer('cp');

  afterEach(async () => {
    const { accounts } = scene.parts;
    for (const { slug } of accounts.list.filter(({ slug }) => slug !== scene.slug)) {
      await accounts.remove(slug);
    }
  });

  /** Creates the token and signs in with it, both through the questions that Gantry asks. */
  async function colleagueWith(permission: string): Promise<Account> {
    await unlock();
    await person.answering([permission, permission, '90 days', 'Copy'], () =>
      commands.executeCommand('gantry.token.create', { account: scene.account }),
    );
    const token = await env.clipboard.readText();
    await person.answering([scene.platform.origin, 'Access token', token, permission], () =>
      commands.executeCommand('gantry.account.signIn'),
    );
    const account = scene.parts.accounts.list.find(({ label }) => label === permission);
    assert.ok(account);
    return account;
  }

  const fileOn = ({ slug }: Account, path: string) => uriOf({ ...cp.place(path), account: slug });

  it('that only reads suffices to sign in, list environments, projects, favorites, and mounts, and read a file', async () => {
    const account = await colleagueWith('Read only');
    const { parts } = scene;
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
    const listed = async () => (await (await unlock()).getTokens()).map(({ description }) => description);
    await scene.platform.createToken({ description: 'Phone', tokenTemplate: 'Extended Access' });
    await scene.platform.createToken({ description: 'Tablet', tokenTemplate: 'Extended Access' });
    const before = await listed();
    await scene.parts.unlocking.lock(scene.slug);
    await person.answering([scene.platform.sample.password, 'Phone', 'Delete'], () =>
      commands.executeCommand('gantry.token.delete'),
    );
    assert.deepEqual(
      await listed(),
      before.filter((name) => name !== 'Phone'),
    );
    await person.answering(['Tablet', escape], () => commands.executeCommand('gantry.token.regenerate'));
    await person.answering([escape], () => commands.executeCommand('gantry.token.edit'));
  });

  for (const [what, instead, isReported] of [
    ['if the keychain was locked in between', { stored: () => Promise.reject(new ExpectedError('locked')) }, true],
    ['if the account was signed out in another window', { replaceToken: () => Promise.resolve(false) }, false],
  ] as const) {
    it(`shows its new value even ${what}, and doesn't say that Gantry uses it`, async () => {
      await unlock();
      const { accounts } = scene.parts;
      const before = await accounts.stored(scene.slug);
      assert.ok(before);
      const changing = scene.platform.journal.nextArrival(({ operation }) => operation === 'RegenerateToken');
      void changing.then(() => Object.assign(accounts, instead));
      try {
        await person.answering(['Gantry, VS Code under test', 'Regenerate', 'Copy'], () =>
          commands.executeCommand('gantry.token.regenerate'),
        );
      } finally {
        Object.keys(instead).forEach((name) => Reflect.deleteProperty(accounts, name));
      }
      const token = await env.clipboard.readText();
      const seen = person.seen.join('\n');
      assert.ok(seen.includes(token) && token !== before.token, seen);
      assert.doesNotMatch(seen, /already uses/);
      assert.equal(/^locked$/m.test(seen), isReported, seen);
      await accounts.replaceToken(scene.slug, { ...before, token });
    });
  }

  it('may permit single methods, which are listed by whether they read or change something', async () => {
    await unlock();
    await person.answering(['Custom', 'Custom methods', escape], () =>
      commands.executeCommand('gantry.token.create', { account: scene.account }),
    );
    const listed = person.seen.filter((one) => one.includes(' environment.file ')).map((one) => one.trim());
    assert.ok(listed.includes('Read: environment.file · reads'), person.seen.join('\n'));
    assert.ok(listed.includes('Write: environment.file · changes'));
    const heading = (text: string) => person.seen.indexOf(text);
    assert.ok(heading('Read:') >= 0 && heading('Read:') < heading('Change:'));
  });
});
