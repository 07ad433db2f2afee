import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'mocha';
import { commands, env, extensions, Uri, window } from 'vscode';
import type { Account } from '../../../src/accounts/accounts';
import { placeOf } from '../../../src/containers/place';
import { type LocalPlatform, startPlatform } from '../../localPlatform/localPlatform';
import { fileUri, gantry, signedIn } from '../support/gantry';

describe('links', () => {
  let platform: LocalPlatform;
  let account: Account;

  before(async () => {
    platform = await startPlatform({ withoutProject: true });
    account = await signedIn(platform);
  });

  afterEach(async () => {
    await commands.executeCommand('workbench.action.closeAllEditors');
    await commands.executeCommand('workbench.action.closeSidebar');
    await commands.executeCommand('notifications.clearAll');
    (await gantry()).listings.forgetAll();
  });

  after(async () => {
    await (await gantry()).accounts.remove(account.slug);
    await platform.dispose();
  });

  const configuration = () => fileUri(account, 'shop', 'bl', '/etc/nginx/conf.d/shop.conf');
  const copied = async (...received: readonly unknown[]) => {
    await commands.executeCommand('gantry.link.copy', ...received);
    return env.clipboard.readText();
  };
  const open = async (link: string) => (await gantry()).links.handleUri(Uri.parse(link, true));

  it('can be copied from a file, without the account or a secret', async () => {
    const link = await copied(configuration());
    const host = new URL(platform.origin).host;
    const query = `platform=${host}&environment=shop&target=bl&path=/etc/nginx/conf.d/shop.conf`;
    assert.equal(link, `${env.uriScheme}://gantry.gantry/open?${query}`);
    assert.ok(!link.includes('sample'));
  });

  it('open the file that they were copied from', async () => {
    await open(await copied(configuration()));
    assert.equal(window.activeTextEditor?.document.uri.toString(), configuration().toString());
    assert.ok(window.activeTextEditor.document.getText().includes('server'));
  });

  it('are copied for the active file from the palette', async () => {
    await window.showTextDocument(configuration());
    assert.match(await copied(), /&path=\/etc\/nginx\/conf\.d\/shop\.conf$/);
  });

  it('work for names with every special character of a query', async () => {
    const [node] = platform.nodes('shop', 'cp');
    assert.ok(node);
    const folder = fileUri(account, 'shop', `cp~${node.id}`, '/var/www/webroot/stockroom/counts');
    const odd = Uri.joinPath(folder, 'Inventory #4 (draft).csv');
    await open(await copied(odd));
    assert.equal(window.activeTextEditor?.document.uri.toString(), odd.toString());
  });

  it('open a folder or an environment in the view', async () => {
    const { environmentsView } = await gantry();
    const [environment] = await environmentsView.getChildren();
    const toEnvironment = await copied(environment);
    assert.match(toEnvironment, /environment=[a-z-]+$/);
    await commands.executeCommand('workbench.action.closeSidebar');
    await open(toEnvironment);
    platform.journal.reset();
    await open(await copied(Uri.joinPath(configuration(), '..')));
    assert.ok(platform.journal.count(({ operation }) => operation === 'GetList') > 0);
    const reading = /^(Get.*|Read)$/;
    const others = platform.journal.entries.map(({ operation }) => operation).filter((name) => !reading.test(name));
    assert.deepEqual(others, []);
  });

  it('of several rows are copied on one line each', async () => {
    const { environmentsView } = await gantry();
    const environments = await environmentsView.getChildren();
    const links = (await copied(environments[0], environments)).split('\n');
    assert.equal(links.length, environments.length);
  });

  it('to a platform without a signed-in account send nothing and add nothing', async () => {
    const { accounts } = await gantry();
    platform.journal.reset();
    await open('vscode://gantry.gantry/open?platform=other.example&environment=shop&target=cp&path=/etc/passwd');
    await open('vscode://gantry.gantry/open?platform=other.example');
    await open('vscode://gantry.gantry/elsewhere');
    assert.equal(platform.journal.entries.length, 0);
    assert.deepEqual(
      accounts.list.map(({ slug }) => slug),
      [account.slug],
    );
  });

  it('to something that is gone open nothing', async () => {
    await open(await copied(Uri.joinPath(configuration(), '..', 'gone.conf')));
    assert.equal(window.activeTextEditor, undefined);
  });

  it('are opened by the extension in their address', () => {
    assert.equal(extensions.getExtension('gantry.gantry')?.id, 'gantry.gantry');
    assert.equal(placeOf(configuration())?.kind, 'file');
  });
});
