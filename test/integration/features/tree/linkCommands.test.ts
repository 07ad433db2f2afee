import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { commands, env, extensions, Selection, Uri, window } from 'vscode';
import { methodsForTask } from '../../../../src/accounts/tokens';
import { placeOf } from '../../../../src/containers/place';
import { uriOfTab } from '../../../../src/files/tabs';
import { logScheme } from '../../../../src/manifest';
import { until } from '../../support/event';
import { fileUri, gantry } from '../../support/gantry';
import { escape } from '../../support/person';
import { untilTrue } from '../../support/untilTrue';
import { windowScene } from '../../support/windowScene';

describe('links', () => {
  const scene = windowScene({ sample: 'environments' });
  const bl = scene.environment('shop').layer('bl');

  afterEach(async () => {
    await commands.executeCommand('workbench.action.closeSidebar');
    await commands.executeCommand('notifications.clearAll');
    scene.parts.listings.forgetAll();
  });

  const configuration = () => bl.layerUri('/etc/nginx/conf.d/shop.conf');
  const copied = async (...received: readonly unknown[]) => {
    await commands.executeCommand('gantry.link.copy', ...received);
    return env.clipboard.readText();
  };
  const copiedBy = async (command: string) => {
    await commands.executeCommand(command);
    return env.clipboard.readText();
  };
  const open = (link: string) => scene.parts.openLink(Uri.parse(link, true));

  it('can be copied from a file, without the account or a secret', async () => {
    const link = await copied(configuration());
    const host = new URL(scene.platform.origin).host;
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
    const editor = await window.showTextDocument(configuration());
    assert.match(await copied(), /&path=\/etc\/nginx\/conf\.d\/shop\.conf&line=1$/);
    editor.selection = new Selection(1, 2, 3, 0);
    assert.match(await copied(), /&line=2-3$/);
    assert.match(await copied(configuration()), /&line=2-3$/, "the editor's context menu passes only the URI");
    for (const more of [[configuration()], { groupId: 0, editorIndex: 0 }])
      assert.match(await copied(configuration(), more), /shop\.conf$/, 'a tab and the Explorer pass more');
  });

  it("are copied from the palette also for a file that isn't text, whose page is active", async () => {
    const { uri } = await bl.file('/srv/logo.png', Buffer.from([0, 255]));
    await commands.executeCommand('vscode.open', uri);
    const shown = () => uriOfTab(window.tabGroups.activeTabGroup.activeTab)?.toString();
    await until(window.tabGroups.onDidChangeTabs, () => shown() === uri.toString());
    await env.clipboard.writeText('an earlier link');
    assert.match(await copied(), /&path=\/srv\/logo\.png$/);
  });

  it('open a file at their lines', async () => {
    const link = await copied(configuration());
    await open(`${link}&line=2-3`);
    const { selection } = window.activeTextEditor ?? assert.fail();
    assert.deepEqual([selection.start.line, selection.start.character, selection.end.line], [1, 0, 2]);
    await open(`${link}&line=2`);
    assert.ok(window.activeTextEditor?.selection.isEqual(new Selection(1, 0, 1, 0)));
    for (const line of ['0', '-1', '9999999', 'x', '3-1']) {
      await open(`${link}&line=${line}`);
      assert.equal(window.activeTextEditor?.document.uri.toString(), configuration().toString(), line);
    }
  });

  it('open a log at its end', async () => {
    const [node] = scene.platform.nodes('shop', 'cp');
    assert.ok(node);
    await mkdir(join(scene.platform.nodeFolder(node.id), 'var/log'), { recursive: true });
    await writeFile(join(scene.platform.nodeFolder(node.id), 'var/log/linked.log'), 'one\ntwo\n');
    const file = fileUri(scene.account, 'shop', `cp~${node.id}`, '/var/log/linked.log');
    await open(`${await copied(file)}&show=log`);
    const opened = window.activeTextEditor?.document;
    assert.equal(opened?.uri.scheme, logScheme);
    assert.equal(opened.getText(), 'one\ntwo\n');
    assert.equal(await copied(), `${await copied(file)}&show=log`);
  });

  describe('to a search', () => {
    const folder = () => bl.layerUri('/etc/nginx');
    const search = async () => `${await copied(folder())}&find=server_name&include=*.conf&matchCase=true`;
    const { person } = scene;
    beforeEach(() => scene.parts.search.current.clear());
    it('ask before anything is searched', async () => {
      const link = await search();
      scene.platform.journal.reset();
      await person.answering([escape], () => open(link));
      assert.match(person.seen.join('\n'), /^Enter the text to find\. Options: match case\. Include: \*\.conf\.$/m);
      assert.equal(
        scene.platform.journal.count(({ operation }) => operation === 'Read'),
        0,
      );
      assert.equal(scene.parts.search.current.search, undefined);
    });

    it('lead to the same search as the one that they were copied from', async () => {
      const { current, view } = scene.parts.search;
      await person.answering(['server_name'], async () => open(await search()));
      const found = current.search ?? assert.fail();
      assert.deepEqual([found.scope.folder.path, found.matchCount > 0], ['/etc/nginx', true]);
      const link = await copiedBy('gantry.search.copyLink');
      assert.equal(link, await search());
      const [file] = await view.getChildren();
      const [line] = await view.getChildren(file);
      assert.match(await copied(file), /\.conf$/);
      assert.match(await copied(line), /\.conf&line=\d+$/);
    });
  });

  it('work for names with every special character of a query', async () => {
    const [node] = scene.platform.nodes('shop', 'cp');
    assert.ok(node);
    const folder = fileUri(scene.account, 'shop', `cp~${node.id}`, '/var/www/webroot/stockroom/counts');
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
    scene.platform.journal.reset();
    await open(await copied(Uri.joinPath(configuration(), '..')));
    assert.ok(scene.platform.journal.count(({ operation }) => operation === 'GetList') > 0);
    const reading = /^(Get.*|Read)$/;
    const others = scene.platform.journal.entries
      .map(({ operation }) => operation)
      .filter((name) => !reading.test(name));
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
    scene.platform.journal.reset();
    await scene.person.answering([], () =>
      open('vscode://gantry.gantry/open?platform=other.example&environment=shop&target=cp&path=/etc/passwd'),
    );
    await open('vscode://gantry.gantry/open?platform=other.example');
    await open('vscode://gantry.gantry/elsewhere');
    assert.equal(scene.platform.journal.entries.length, 0);
    assert.deepEqual(
      accounts.list.map(({ slug }) => slug),
      [scene.account.slug],
    );
  });

  it('lead to adding an environment by its name if the token lists none, and open it then', async () => {
    const { person } = scene;
    const link = (await copied(configuration())).replace(/&target=.*/, '');
    await scene.signOut();
    try {
      const apiList = methodsForTask('read', []).filter((method) => !/getenvs$/i.test(method));
      await scene.signInWith({ description: 'unlisted', apiList });
      await person.answering([{ presses: 'Add Environment…' }, 'shop'], () => open(link));
      assert.match(person.seen.join('\n'), /environments of token can't be listed with this token\. Add shop/);
      const { selection } = await scene.parts.handles.tree.load();
      const isShown = () => selection().some((row) => row.kind === 'environment');
      await untilTrue(isShown, () => person.seen.join('\n'));
    } finally {
      await scene.signOut();
      await scene.signIn();
    }
  });

  it('go on after a sign-in to their platform, for which they fill in nothing', async () => {
    const { person } = scene;
    const { path } = configuration();
    const link = await copied(configuration());
    await scene.signOut();
    try {
      const { email, password } = scene.platform.sample;
      const signIn = { presses: 'Sign In…' };
      const answers = [signIn, scene.platform.origin, 'Email and password', email, password, '90 days'];
      await person.answering(answers, () => open(link));
      assert.equal(window.activeTextEditor?.document.uri.path, path, person.seen.join('\n'));
      await person.answering([signIn, escape], () => open(link.replace(/platform=[^&]*/, 'platform=other.example')));
    } finally {
      for (const { slug } of scene.parts.accounts.list) await scene.parts.accounts.remove(slug);
      await scene.signIn();
    }
  });

  it('ask to sign in again if the platform signed the account out, and go on after that', async () => {
    const { parts, person } = scene;
    const { path } = configuration();
    const link = await copied(configuration());
    const tokenId = (await parts.accounts.stored(scene.slug))?.tokenId ?? assert.fail('a token of its own');
    await person.answering([], async () => {
      await (await scene.unlock()).deleteTokens([tokenId]);
      await assert.rejects(scene.account.call('GetList', { envName: 'shop', nodeGroup: 'bl', path: '/' }));
    });
    assert.ok(scene.account.isSignedOut);
    const answers = ['Email and password', scene.platform.sample.password, '90 days'];
    await person.answering(answers, () => open(link));
    assert.equal(window.activeTextEditor?.document.uri.path, path, person.seen.join('\n'));
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
