import assert from 'node:assert/strict';
import { afterEach, before, describe, it } from 'mocha';
import { commands, DataTransfer, DataTransferItem, FilePermission, Uri, window, workspace } from 'vscode';
import type { Account } from '../../../src/accounts/accounts';
import { methodsForTask } from '../../../src/accounts/tokens';
import type { Parts } from '../support/parts';
import { commandIds } from '../../host/commandIds';
import { environmentRowMimeType } from '../../../src/manifest';
import type { PlatformClient } from '../../../src/platform/client';
import { nextEvent, until } from '../support/event';
import { fileUri } from '../support/gantry';
import { type Answer, escape, typed } from '../support/person';
import { rowOfKind, rowsBelow } from '../support/trees';
import { windowScene } from '../support/windowScene';

const reading = [...methodsForTask('read', []), 'environment.vcs.GetProject'];
const listing = 'users.authentication.GetTokens';

describe('a token with few rights', () => {
  const scene = windowScene({ sample: 'project', signedOut: true });
  const { person } = scene;
  const cp = scene.environment('shop').layer('cp');
  let parts: Parts;
  let client: PlatformClient;

  before(async () => {
    ({ parts } = scene);
    client = await parts.connections.connect(scene.address);
  });

  afterEach(async () => {
    for (const { slug } of parts.accounts.list) {
      await parts.accounts.remove(slug);
    }
    const session = await scene.platform.createSession();
    const { tokens } = await client.call('GetTokens', { session });
    const ids = tokens.map(({ id }) => id).join(',');
    await client.call('DeleteTokens', { session, ids, password: scene.platform.sample.password });
  });

  const signedInWith = async (apiList: readonly string[]) =>
    signedInBy(await scene.platform.createToken({ description: 'pasted', apiList }));

  async function signedInBy(token: string): Promise<Account> {
    await person.answering([scene.platform.origin, 'Access token', token, 'limited'], () =>
      commands.executeCommand('gantry.account.signIn'),
    );
    const account = parts.accounts.list.find(({ label }) => label === 'limited');
    assert.ok(account);
    return account;
  }

  async function changeMethods(apiList: readonly string[]): Promise<void> {
    const session = await scene.platform.createSession();
    const { tokens } = await client.call('GetTokens', { session });
    const id = tokens.find(({ description }) => description === 'pasted')?.id ?? 0;
    const { password } = scene.platform.sample;
    await client.call('EditToken', { session, password, id, description: 'pasted', apiList: apiList.join(',') });
  }

  const page = (account: Account) => fileUri(account, 'shop', `cp~${cp.nodeId()}`, '/var/www/webroot/ROOT/index.php');
  const permissionsOf = async (account: Account) => (await workspace.fs.stat(page(account))).permissions;

  const lacks = (method: string) =>
    new RegExp(`the access token doesn't permit this method\\. Add \\S+\\.${method} `, 'i');

  /** What menus know about the row of a project. */
  async function wordsOfProject(): Promise<string> {
    const { view } = parts.projects;
    return view.getTreeItem(await rowOfKind(view, 'project')).contextValue ?? '';
  }

  it("signs in soon if the platform doesn't say which rights it has", async () => {
    const held = scene.hang('GetTokens', { times: 'always' });
    const account = await signedInWith([...reading, listing]);
    assert.equal(account.lacks('Write'), false);
    held.release();
  });

  it('never has the rights of a token if a session was pasted instead', async () => {
    await scene.platform.createToken({ description: 'other', apiList: [...reading, listing] });
    const account = await signedInBy(await scene.platform.createSession());
    assert.deepEqual(account.lacking, []);
    // Refused once, as far as Gantry can tell, and tried again from the row that lists what's missing.
    scene.fail('Write', { kind: 'refuse', result: 8202, error: 'not permitted' });
    await assert.rejects(Promise.resolve(workspace.fs.writeFile(page(account), new Uint8Array())));
    assert.deepEqual(account.lacking, ['Write']);
    const told = nextEvent(parts.accounts.onDidChangeRights);
    await commands.executeCommand('gantry.access.refresh');
    await told;
    await parts.accounts.demandRead();
    assert.deepEqual(account.lacking, []);
    assert.equal((await parts.accounts.stored(account.slug))?.lacks, undefined);
  });

  it('opens files and folders read-only before any change was refused', async () => {
    const account = await signedInWith([...reading, listing]);
    scene.platform.journal.reset();
    assert.equal(await permissionsOf(account), FilePermission.Readonly);
    const folder = page(account).with({ path: page(account).path.replace(/\/[^/]+$/, '') });
    assert.equal((await workspace.fs.stat(folder)).permissions, FilePermission.Readonly);
    assert.ok(!scene.requests().some((operation) => ['Write', 'Create', 'GetTokens'].includes(operation)));
  });

  it('has rows whose menus leave out what it lacks, and one place that lists it', async () => {
    const account = await signedInWith([...reading, listing]);
    const { environmentsView, accessView } = parts;
    const shop = await rowOfKind(environmentsView, 'environment');
    assert.match(environmentsView.getTreeItem(shop).contextValue ?? '', /^environment\b.* noCreateProject\b/);
    const [layer] = await environmentsView.getChildren(shop);
    const [node] = await environmentsView.getChildren(layer);
    const entry = (await environmentsView.getChildren(node)).find(({ kind }) => kind === 'entry');
    assert.ok(entry);
    const words = environmentsView.getTreeItem(entry).contextValue?.split(' ') ?? [];
    for (const lacking of ['noCopy', 'noCreate', 'noDelete', 'noRename', 'noUpload', 'noWrite']) {
      assert.ok(words.includes(lacking), `${lacking}: ${words.join(' ')}`);
    }
    assert.ok(!words.includes('noRead') && !words.includes('noGetList'), words.join(' '));

    assert.match(await wordsOfProject(), /^project\b.* noUpdate\b/);

    const missing = await rowOfKind(accessView, 'lacking');
    assert.equal(accessView.getTreeItem(missing).label, 'Missing permissions');
    const methods = (await accessView.getChildren(missing)).map((row) => accessView.getTreeItem(row).tooltip);
    assert.ok(methods.includes('environment.vcs.Update') && methods.includes('environment.file.Delete'));
    assert.ok(!methods.includes('environment.file.Read'));
    assert.equal(account.lacks('Read'), false);
  });

  for (const refresh of commandIds.filter((id) => id.endsWith('.refresh'))) {
    it(`gets rights back with ${refresh} after they were granted`, async () => {
      const account = await signedInWith([...reading, listing]);
      assert.equal(await permissionsOf(account), FilePermission.Readonly);
      assert.match(await wordsOfProject(), / noUpdate\b/);
      await changeMethods([...reading, 'environment.file.Write', 'environment.vcs.Update', listing]);
      const granted = nextEvent(parts.accounts.onDidChangeRights, () => !account.lacks('Update'));
      await commands.executeCommand(refresh, page(account));
      await granted;
      assert.equal(await permissionsOf(account), undefined);
      assert.doesNotMatch(await wordsOfProject(), / noUpdate\b/);
      assert.equal(account.lacks('Delete'), true);
    });
  }

  it('makes open editors writable again when the right to write comes back', async () => {
    const account = await signedInWith([...reading, listing]);
    const uri = page(account);
    const document = await workspace.openTextDocument(uri);
    await window.showTextDocument(document);
    assert.equal(await permissionsOf(account), FilePermission.Readonly);
    await changeMethods([...methodsForTask('edit', []), listing]);
    const told = nextEvent(parts.files.fileSystem.onDidChangeFile, (changes) =>
      changes.some((change) => change.uri.toString() === uri.toString()),
    );
    await commands.executeCommand('gantry.environments.refresh');
    await told;
    assert.equal(await permissionsOf(account), undefined);
  });

  /** The message of a command, which must be all that a person sees. */
  async function answerOf(act: () => PromiseLike<unknown>): Promise<string> {
    await person.answering([], async () => {
      await act();
      await until(person.onDidSee, () => person.seen.length > 0);
    });
    assert.equal(person.seen.length, 1, person.seen.join(' | '));
    return person.seen.join();
  }

  for (const [command, method] of [
    ['gantry.version.restore', 'Write'],
    ['gantry.file.saveToAllNodes', 'Write'],
    ['gantry.file.append', 'Append'],
    ['gantry.file.replace', 'ReplaceInBody'],
    ['gantry.file.create', 'Create'],
    ['gantry.folder.create', 'Create'],
    ['gantry.file.rename', 'Rename'],
    ['gantry.file.duplicate', 'Copy'],
    ['gantry.file.delete', 'Delete'],
    ['gantry.folder.uploadFromUrl', 'Upload'],
    ['gantry.archive.unpack', 'UnpackById'],
    ['gantry.archive.unpackOnType', 'UnpackByType'],
    ['gantry.folder.uploadFiles', 'Write'],
    ['gantry.folder.uploadFolder', 'Write'],
    ['gantry.file.replaceByUpload', 'Write'],
    ['gantry.file.saveInPieces', 'Write'],
  ] as const) {
    it(`says before ${command} asks anything that it lacks ${method}`, async () => {
      const account = await signedInWith([...reading, listing]);
      await window.showTextDocument(await workspace.openTextDocument(page(account)));
      assert.match(await answerOf(() => commands.executeCommand(command, page(account))), lacks(method));
    });
  }

  it('says before a paste asks anything what it lacks', async () => {
    const account = await signedInWith([...reading, listing]);
    const folder = (node: number) => fileUri(account, 'shop', `cp~${cp.nodeId(node)}`, '/var/www');
    const paste = (node: number) => () => commands.executeCommand('gantry.folder.paste', folder(node));
    await commands.executeCommand('gantry.file.copy', page(account));
    assert.match(await answerOf(paste(0)), lacks('Copy'));
    assert.match(await answerOf(paste(1)), lacks('Write'));
    await commands.executeCommand('gantry.file.cut', page(account));
    assert.match(await answerOf(paste(0)), lacks('Rename'));
    assert.match(await answerOf(paste(1)), lacks('Write'));
    await changeMethods([...reading, 'environment.file.Write', listing]);
    const granted = nextEvent(parts.accounts.onDidChangeRights, () => !account.lacks('Write'));
    await commands.executeCommand('gantry.environments.refresh');
    await granted;
    assert.match(await answerOf(paste(1)), lacks('Delete'));
  });

  it('says before a drop asks anything what it lacks', async () => {
    await signedInWith([...reading, listing]);
    const { environmentsView: view, dragAndDrop } = parts;
    const [first, second] = await rowsBelow(view, 'Saltmarsh Tea', 'Application servers');
    const [below, belowOther] = await Promise.all([view.getChildren(first), view.getChildren(second)]);
    // A shortcut can't be moved.
    const isFolder = (row: (typeof below)[number]) => row.kind === 'entry' && row.entry.isDir && !row.isConfiguration;
    const [dragged, onto] = below.filter(isFolder);
    const elsewhere = belowOther.find(isFolder);
    assert.ok(dragged && onto && elsewhere);
    const drop = (target: typeof onto, mimeType: string, value: unknown) => {
      const transfer = new DataTransfer();
      transfer.set(mimeType, new DataTransferItem(value));
      return answerOf(() => dragAndDrop.handleDrop(target, transfer));
    };
    assert.match(await drop(onto, environmentRowMimeType, [dragged]), lacks('Rename'));
    assert.match(await drop(elsewhere, environmentRowMimeType, [dragged]), lacks('Write'));
    assert.match(await drop(onto, 'text/uri-list', 'file:///home/a.txt'), lacks('Write'));
  });

  it('says before favorites are added, changed, or removed what it lacks', async () => {
    const session = await scene.platform.createSession();
    for (const path of ['/etc/nginx', '/etc/php.ini']) {
      await client.call('AddFavorite', { session, envName: 'shop', nodeGroup: 'cp', path, keyword: path, isDir: true });
    }
    await signedInWith([...reading, listing]);
    const run = (command: string, ...received: readonly unknown[]) =>
      answerOf(() => commands.executeCommand(command, ...received));
    assert.match(await run('gantry.favorite.addByPath'), lacks('AddFavorite'));
    const environment = await rowOfKind(parts.sharing.favoritesView, 'environment');
    assert.match(await run('gantry.favorite.addByPath', environment), lacks('AddFavorite'));
    const favorites = await rowsBelow(parts.sharing.favoritesView, 'Saltmarsh Tea');
    const [favorite] = favorites;
    assert.match(await run('gantry.favorite.rename', favorite), lacks('RemoveFavorite'));
    assert.match(await run('gantry.favorite.editFilter', favorite), lacks('RemoveFavorite'));
    assert.match(await run('gantry.favorite.remove', favorite, favorites), lacks('RemoveFavorite'));
    assert.equal(favorites.length, 2);
  });

  it('leads to where a link points, although it may not list environments', async () => {
    const rights = [...reading, listing].filter((method) => !/GetEnv/i.test(method));
    const account = await signedInWith(rights);
    assert.ok((await parts.environments.overview(account)).isUnlisted);
    const { host } = new URL(scene.platform.origin);
    const follow = (address: string) => person.answering([], () => parts.openLink(Uri.parse(address, true)));
    const link = `vscode://gantry.gantry/open?platform=${host}&environment=shop&target=cp~${cp.nodeId()}`;
    await follow(`${link}&path=/var/www/webroot`);
    assert.ok(parts.environments.knownLayer(account.slug, 'shop', 'cp'));
  });

  it('says before it asks for a mount point, or whether to remove one, what it lacks', async () => {
    const sourceNodeId = scene.environment('shop').layer('sqldb').nodeId();
    const nodeId = cp.nodeId();
    const from = { sourceNodeId, sourcePath: '/var/lib', protocol: 'NFS4' } as const;
    const session = await scene.platform.createSession();
    const at = { session, envName: 'shop', nodeId, path: '/mnt/data' };
    await client.call('AddMountPointById', { ...at, ...from });
    const { slug } = await signedInWith([...reading, listing]);
    const add = (received?: unknown) => answerOf(() => commands.executeCommand('gantry.mount.add', received));
    const environment = { account: slug, name: 'shop' };
    assert.match(await add(), lacks('AddMountPointById'));
    assert.match(await add({ environment }), lacks('AddMountPointById'));
    assert.match(await add({ environment, layer: { id: 'cp' } }), lacks('AddMountPointByGroup'));
    assert.match(await add({ environment, layer: { id: 'cp' }, node: { id: nodeId } }), lacks('AddMountPointById'));
    for (const [layer, kind, command, method] of [
      ['Application servers', 'mount', 'gantry.mount.remove', 'RemoveMountPointById'],
      ['Database', 'export', 'gantry.export.remove', 'RemoveExport'],
    ] as const) {
      const found = await rowOfKind(parts.sharing.mountsView, kind, 'Saltmarsh Tea', layer);
      assert.match(await answerOf(() => commands.executeCommand(command, found, [found])), lacks(method));
    }
    await client.call('RemoveMountPointById', at);
  });

  it('says before a new project asks anything that it lacks CreateProject', async () => {
    const { slug } = await signedInWith([...reading, listing]);
    const create = (received?: unknown) => answerOf(() => commands.executeCommand('gantry.project.create', received));
    assert.match(await create(), lacks('CreateProject'));
    assert.match(await create({ environment: { account: slug, name: 'shop' } }), lacks('CreateProject'));
  });

  it('creates a file by writing it if it lacks only Create', async () => {
    const account = await signedInWith([...reading, 'environment.file.Write', listing]);
    assert.equal(account.lacks('Create'), true);
    const uri = page(account).with({ path: page(account).path.replace(/[^/]+$/, 'new.html') });
    await window.showTextDocument(await workspace.openTextDocument(page(account)));
    await person.answering(['new.html'], () => commands.executeCommand('gantry.file.create', page(account)));
    assert.equal((await workspace.fs.stat(uri)).size, 0, person.seen.join(' | '));
  });

  for (const [command, method] of [
    ['gantry.project.edit', 'EditProject'],
    ['gantry.project.redeploy', 'Update'],
    ['gantry.project.redeployWith', 'Update'],
    ['gantry.project.rollBack', 'Update'],
    ['gantry.project.deployNewest', 'Update'],
    ['gantry.project.delete', 'DeleteProject'],
  ] as const) {
    it(`says before ${command} asks anything that it lacks ${method}`, async () => {
      const { slug } = await signedInWith([...reading, listing]);
      const project = { account: slug, environment: 'shop', layer: 'cp', context: 'ROOT' };
      await person.answering([], () => commands.executeCommand(command, project));
      assert.match(person.seen.join(' | '), lacks(method));
      if (command !== 'gantry.project.deployNewest') {
        // From the Command Palette, it would ask for the project first.
        assert.match(await answerOf(() => commands.executeCommand(command)), lacks(method));
      }
    });
  }

  it('needs EditProject for Roll Back and Deploy Newest Commit only if they change the settings', async () => {
    const { slug } = await signedInWith([...reading, 'environment.vcs.Update', listing]);
    const project = { account: slug, environment: 'shop', layer: 'cp', context: 'ROOT' };
    const run = (command: string, ...answers: readonly Answer[]) =>
      person.answering(answers, () => commands.executeCommand(command, project));
    await run('gantry.project.deployNewest', escape);
    assert.match(person.seen.join(' | '), /Deploy the newest commit on master to ROOT/);
    await run('gantry.project.rollBack', typed('0a1b2c3', 'Deploy commit'));
    assert.match(person.seen.join(' | '), lacks('EditProject'));
  });

  it('is learned from refused calls if it may not list tokens, and nothing is missing until then', async () => {
    const account = await signedInWith(reading);
    assert.deepEqual(account.lacking, []);
    assert.equal(await permissionsOf(account), undefined);
    const shop = await rowOfKind(parts.environmentsView, 'environment');
    assert.doesNotMatch(parts.environmentsView.getTreeItem(shop).contextValue ?? '', / no[A-Z]/);
  });

  it('lacks only what every token that it may be lacks', async () => {
    await scene.platform.createToken({ description: 'other', apiList: [...methodsForTask('edit', []), listing] });
    const account = await signedInWith([...reading, listing]);
    assert.equal(account.lacks('Write'), false);
    assert.equal(account.lacks('Update'), true);
  });

  it('is asked for its rights once, at sign-in, and not by another window or a later start', async () => {
    const account = await signedInWith([...reading, listing]);
    const before = scene.count('GetTokens');
    await parts.accounts.demandRead();
    const stored = await parts.accounts.stored(account.slug);
    assert.ok(stored?.lacks?.includes('Write'));
    assert.equal(scene.count('GetTokens'), before);
  });
});
