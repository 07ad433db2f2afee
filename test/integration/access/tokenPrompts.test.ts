import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { workspace } from 'vscode';
import { customTemplate, methodsForTask, type TokenTask } from '../../../src/accounts/tokenRights';
import { type LocalPlatform, startPlatform } from '../../localPlatform/localPlatform';
import { fileUri, gantry } from '../support/gantry';

describe('a token for a colleague', () => {
  let platform: LocalPlatform;

  before(async () => {
    platform = await startPlatform();
  });

  after(() => platform.dispose());

  /** Signs in as the colleague does who was given a token for this task. */
  async function signedInFor(task: TokenTask) {
    const { accounts } = await gantry();
    const apiList = [...methodsForTask(task, [])];
    const token = await platform.createToken({ description: task, tokenTemplate: customTemplate, apiList });
    await accounts.add({ slug: task, label: task, address: platform.origin, transport: 'form', token });
    const account = accounts.find(task);
    assert.ok(account);
    return account;
  }

  it('that only reads suffices to list environments and read a file, and changes nothing', async () => {
    const account = await signedInFor('read');
    const { environments, accounts } = await gantry();
    assert.ok((await environments.of(account)).some(({ name }) => name === 'shop'));
    const [node] = platform.nodes('shop', 'cp');
    const file = fileUri(account, 'shop', `cp~${node?.id}`, '/etc/php.ini');
    const text = await workspace.fs.readFile(file);
    assert.ok(text.length > 0);
    const changed = () => platform.journal.count(({ operation }) => operation === 'Write');
    const before = changed();
    await assert.rejects(async () => workspace.fs.writeFile(file, Buffer.from('changed\n')));
    assert.deepEqual(await workspace.fs.readFile(file), text);
    assert.ok(changed() - before <= 1, 'at most one refused attempt');
    await accounts.remove(account.slug);
  });

  it('that edits saves a file', async () => {
    const account = await signedInFor('edit');
    const { accounts } = await gantry();
    const [node] = platform.nodes('shop', 'cp');
    const file = fileUri(account, 'shop', `cp~${node?.id}`, '/var/www/webroot/note.txt');
    await workspace.fs.writeFile(file, Buffer.from('written\n'));
    assert.equal(Buffer.from(await workspace.fs.readFile(file)).toString(), 'written\n');
    await accounts.remove(account.slug);
  });
});
