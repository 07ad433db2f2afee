import assert from 'node:assert/strict';
import { readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'mocha';
import { commands, DataTransfer, DataTransferItem, type Uri, window, workspace } from 'vscode';
import type { Account } from '../../../../src/accounts/accounts';
import type { Favorite } from '../../../../src/features/favorites/favorite';
import type { FavoriteElement } from '../../../../src/features/favorites/favoritesView';
import type { FaultRule } from '../../../localPlatform/faults/fault';
import type { LocalPlatform } from '../../../localPlatform/localPlatform';
import { assertQuick } from '../../support/assertQuick';
import { nextEvent, until } from '../../support/event';
import { fileUri } from '../../support/gantry';
import { Person } from '../../support/person';
import { type SharingSetUp, startSharing } from '../../support/sharing';
import { descriptionOf, labelsBelow, rowsBelow } from '../../support/trees';

const shop = 'Saltmarsh Tea';
/** All operations that favorites may use. */
const permitted = ['AddFavorite', 'RemoveFavorite', 'GetFavorites', 'GetList', 'getenvs', 'GetEnvs'];

describe('favorites', () => {
  let platform: LocalPlatform;
  let account: Account;
  let parts: SharingSetUp['parts'];

  before(async () => {
    ({ platform, account, parts } = await startSharing());
  });

  beforeEach(() => platform.journal.reset());

  afterEach(async () => {
    platform.faults.clear();
    const operations = new Set(platform.journal.entries.map(({ operation }) => operation));
    const { favorites } = await list();
    for (const favorite of favorites) {
      await parts.favorites.remove(favorite);
    }
    // Opening a favorite reads its file, and a rejected token is checked.
    ['Read', 'GetTokenTemplates'].forEach((operation) => operations.delete(operation));
    assert.deepEqual(
      [...operations].filter((operation) => !permitted.includes(operation)),
      [],
    );
  });

  after(async () => {
    await commands.executeCommand('notifications.clearAll');
    await commands.executeCommand('workbench.action.closeAllEditors');
    await parts.accounts.remove(account.slug);
    await platform.dispose();
  });

  const node = (layer: string, index = 0) => {
    const found = platform.nodes('shop', layer)[index];
    assert.ok(found);
    return found;
  };
  const drop = (dropped: readonly Uri[]) => {
    const transfer = new DataTransfer();
    transfer.set('text/uri-list', new DataTransferItem(dropped.map(String).join('\r\n')));
    return parts.handles.favorites.use(({ dragAndDrop }) => dragAndDrop.handleDrop(undefined, transfer));
  };
  const uri = (layer: string, path: string, index = 0) =>
    fileUri(account, 'shop', `${layer}~${node(layer, index).id}`, path);
  const name = () => ({ account: account.slug, environment: 'shop' });
  const environment = async () => {
    const found = (await parts.environments.of(account)).find((one) => one.name === 'shop');
    assert.ok(found);
    return found;
  };
  const list = async () => parts.favorites.of(await environment());
  const rows = () => rowsBelow(parts.favoritesView, shop);
  const only = async (): Promise<FavoriteElement> => {
    const [row, ...others] = await rows();
    assert.ok(row?.kind === 'favorite' && others.length === 0, JSON.stringify([row?.kind, others.length]));
    return row;
  };
  const add = (path: string, keyword: string, more: Partial<Favorite> = {}) =>
    parts.favorites.add({
      ...name(),
      scope: { nodeGroup: 'bl' },
      path,
      keyword,
      filter: undefined,
      isDir: true,
      ...more,
    });
  /** Dismisses every question until the command ends. */
  const dismissed = async (command: Thenable<unknown>) => {
    const done = { yet: false };
    const ended = command.then(() => (done.yet = true));
    while (!done.yet) {
      await Promise.race([ended, commands.executeCommand('notifications.clearAll')]);
    }
  };
  const count = (operation: string) => platform.journal.count((entry) => entry.operation === operation);

  it('can be added from the Explorer, a tab, the tree, and a drop, and open the same file', async () => {
    await commands.executeCommand('gantry.favorite.add', uri('bl', '/etc/nginx/conf.d'), [
      uri('bl', '/etc/nginx/conf.d'),
      uri('cp', '/etc/php.ini'),
    ]);
    await window.showTextDocument(uri('bl', '/etc/nginx/conf.d/shop.conf'));
    await commands.executeCommand('gantry.favorite.add');
    const [tree] = await rowsBelow(parts.environmentsView, shop, 'Application servers');
    const [, second] = await rowsBelow(parts.environmentsView, shop, 'Application servers');
    assert.ok(tree && second);
    const files = await parts.environmentsView.getChildren(second);
    const etc = files.find((row) => row.kind === 'entry' && row.place.path === '/etc');
    await commands.executeCommand('gantry.favorite.add', etc, [etc]);

    assert.deepEqual(await labelsBelow(parts.favoritesView, shop), ['conf.d', 'etc', 'php.ini', 'shop.conf']);
    const places = (await rows()).map((row) => (row.kind === 'favorite' ? row.place : undefined));
    assert.deepEqual(
      places.map((place) => [place?.target.nodeId, place?.path]),
      [
        [node('bl').id, '/etc/nginx/conf.d'],
        [node('cp', 1).id, '/etc'],
        [node('cp').id, '/etc/php.ini'],
        [node('bl').id, '/etc/nginx/conf.d/shop.conf'],
      ],
    );
  });

  it('are added by a drop without a request that could change a file', async () => {
    await drop([uri('bl', '/etc/nginx/nginx.conf'), uri('bl', '/etc/nginx')]);
    const kinds = (await list()).favorites.map(({ path, isDir }) => [path, isDir]);
    assert.deepEqual(kinds, [
      ['/etc/nginx/nginx.conf', false],
      ['/etc/nginx', true],
    ]);
  });

  it('are shown with requests for favorites only, a thousand as fast as one', async () => {
    const favoriteList = Array.from({ length: 1_000 }, (_, n) => ({ id: n, path: `/tmp/${n}`, keyword: `word ${n}` }));
    const body = JSON.stringify({ result: 0, favoriteList, source: 'JEL' });
    platform.faults.add({
      operation: 'GetFavorites',
      times: 'always',
      parameters: { nodeGroup: 'cp' },
      fault: { kind: 'answer', body },
    });
    await environment();
    await assertQuick(async () => {
      parts.favorites.refresh();
      platform.journal.reset();
      assert.equal((await rows()).length, 1_000);
    });
    // One request for each layer and one for the environment, however many favorites there are.
    assert.deepEqual(
      platform.journal.entries.map(({ operation, parameters }) => [operation, parameters['nodeGroup'] ?? '']).sort(),
      [
        ['GetFavorites', ''],
        ['GetFavorites', 'bl'],
        ['GetFavorites', 'cp'],
        ['GetFavorites', 'sqldb'],
      ],
    );
    await rows();
    assert.equal(platform.journal.entries.length, 4);
    platform.faults.clear();
    parts.favorites.refresh();
  });

  it('show the files in a folder that match their filter', async () => {
    await add('/etc/nginx', 'all');
    await add('/etc/nginx/../nginx', 'filtered', { filter: 'n.*\\.conf' });
    const all = await labelsBelow(parts.favoritesView, shop, 'all');
    const filtered = await labelsBelow(parts.favoritesView, shop, 'filtered');
    assert.ok(all.length > filtered.length && all.includes('conf.d'), all.join());
    assert.ok(filtered.includes('nginx.conf') && filtered.every((label) => /^n.*\.conf$/.test(label)), filtered.join());
    const [row] = (await rows()).filter((one) => one.kind === 'favorite' && one.favorite.keyword === 'filtered');
    assert.ok(row);
    assert.match(descriptionOf(parts.favoritesView, row), /n\.\*\\\.conf/);

    await add('/etc/nginx/conf.d', 'nothing', { filter: 'nobody' });
    assert.deepEqual(await labelsBelow(parts.favoritesView, shop, 'nothing'), ['No matches for the filter']);
  });

  it('have nothing that could be dragged to a place that copies or moves it', async () => {
    await add('/etc/nginx', 'nginx');
    const below = await rowsBelow(parts.favoritesView, shop, 'nginx');
    for (const row of [...(await rows()), ...below]) {
      assert.equal(parts.favoritesView.getTreeItem(row).resourceUri, undefined);
    }
  });

  it('open the file, and say that it is gone until it exists again', async () => {
    await commands.executeCommand('gantry.favorite.add', uri('bl', '/etc/nginx/nginx.conf'));
    await commands.executeCommand('gantry.favorite.open', await only());
    assert.equal(window.activeTextEditor?.document.uri.path, `/shop/bl~${node('bl').id}/etc/nginx/nginx.conf`);

    const onDisk = join(platform.nodeFolder(node('bl').id), 'etc/nginx/nginx.conf');
    const text = await readFile(onDisk, 'utf8');
    await rename(onDisk, `${onDisk}.away`);
    parts.listings.forgetAll();
    const told = nextEvent(parts.favorites.onDidChange);
    const opening = commands.executeCommand('gantry.favorite.open', await only());
    await told;
    const gone = await only();
    assert.ok(gone.isGone);
    assert.match(descriptionOf(parts.favoritesView, gone), /^deleted · /);
    await dismissed(opening);

    await rename(`${onDisk}.away`, onDisk);
    parts.listings.forgetAll();
    await commands.executeCommand('gantry.favorite.open', gone);
    assert.equal((await only()).isGone, false);
    assert.equal(await readFile(onDisk, 'utf8'), text);
  });

  it('say why the undo of a removal failed', async () => {
    await add('/etc/nginx', 'nginx');
    const row = await only();
    platform.faults.add({ operation: 'AddFavorite', fault: { kind: 'refuse', result: 99, error: 'no more' } });
    const person = new Person();
    try {
      await person.answering([{ presses: 'Undo' }], () => commands.executeCommand('gantry.favorite.remove', row));
      await until(person.onDidSee, () => person.seen.some((text) => text.includes('no more')));
    } finally {
      person.leave();
    }
  });

  it('distinguish a missing folder from an empty one', async () => {
    await add('/etc/nowhere', 'nowhere');
    assert.deepEqual(await labelsBelow(parts.favoritesView, shop, 'nowhere'), ['/etc/nowhere no longer exists']);
    assert.ok((await only()).isGone);
  });

  it('show without a request that Gantry deleted their file', async () => {
    const file = uri('bl', '/etc/nginx/conf.d/passing.conf');
    await workspace.fs.writeFile(file, new TextEncoder().encode('# passing\n'));
    await commands.executeCommand('gantry.favorite.add', file);
    await only();
    await workspace.fs.delete(file);
    platform.journal.reset();
    assert.ok((await only()).isGone);
    assert.equal(platform.journal.entries.length, 0);
  });

  it('can get another name and filter', async () => {
    await add('/etc/nginx', 'old', { filter: '.*' });
    const [favorite] = (await list()).favorites;
    assert.ok(favorite);
    await parts.favorites.replace(favorite, { keyword: 'new', filter: 'x' });
    const changed = (await list()).favorites;
    assert.deepEqual(
      changed.map(({ path, keyword, filter, isDir }) => ({ path, keyword, filter, isDir })),
      [{ path: '/etc/nginx', keyword: 'new', filter: 'x', isDir: true }],
    );
  });

  const changes: readonly (readonly [
    string,
    readonly { readonly keyword: string; readonly filter?: string }[],
    RegExp,
  ])[] = [
    [
      'gave it another name',
      [{ keyword: 'theirs', filter: '.*' }],
      /“old” in Saltmarsh Tea was changed to “theirs” with the filter \.\* in the meantime\./,
    ],
    [
      'took its filter away',
      [{ keyword: 'old' }],
      /“old” in Saltmarsh Tea was changed to “old” without a filter in the meantime\./,
    ],
    ['removed it', [], /“old” in Saltmarsh Tea was removed from the favorites in the meantime\./],
  ];
  for (const [what, theirs, says] of changes) {
    it(`keep what a colleague who ${what} left, instead of a change of the earlier one`, async () => {
      await add('/etc/nginx', 'old', { filter: '.*' });
      const [favorite] = (await list()).favorites;
      assert.ok(favorite);
      const at = { envName: 'shop', nodeGroup: 'bl', path: '/etc/nginx' };
      await account.call('RemoveFavorite', at);
      for (const entry of theirs) {
        await account.call('AddFavorite', { ...at, ...entry, isDir: true });
      }
      platform.journal.reset();
      await assert.rejects(parts.favorites.replace(favorite, { keyword: 'new' }), says);
      if (theirs.length > 0) {
        await assert.rejects(parts.favorites.remove(favorite), says);
      } else {
        await parts.favorites.remove(favorite);
      }
      assert.equal(count('RemoveFavorite') + count('AddFavorite'), 0);
      assert.deepEqual(
        (await list()).favorites.map(({ keyword, filter }) => ({ keyword, filter })),
        theirs.map(({ keyword, filter }) => ({ keyword, filter })),
      );
    });
  }

  const halves: readonly [string, FaultRule['fault'], 'old' | 'new'][] = [
    ['is rejected', { kind: 'refuse', result: 99, error: 'no' }, 'old'],
    ['is lost before the operation', { kind: 'reset' }, 'old'],
    ['is lost after the operation', { kind: 'reset', when: 'after' }, 'new'],
    ['fails at a gateway before the operation', { kind: 'gatewayError', status: 504 }, 'old'],
    ['fails at a gateway after the operation', { kind: 'gatewayError', status: 504, when: 'after' }, 'new'],
    ['gets an incomplete response', { kind: 'truncate', bytes: 3 }, 'new'],
  ];
  for (const [what, fault, outcome] of halves) {
    it(`keep the ${outcome} name when the second half of a change ${what}`, async () => {
      await add('/etc/nginx', 'old', { filter: '.*' });
      const [favorite] = (await list()).favorites;
      assert.ok(favorite);
      platform.faults.add({ operation: 'AddFavorite', fault });
      const changed = parts.favorites.replace(favorite, { keyword: 'new', filter: '.*' });
      await (outcome === 'old' ? assert.rejects(changed) : changed);
      assert.deepEqual(
        (await list()).favorites.map(({ keyword, filter }) => [keyword, filter]),
        [[outcome, '.*']],
      );
    });
  }

  it('say what was lost if the platform rejects both the change and its undo', async () => {
    await add('/etc/nginx', 'old', { filter: 'a+' });
    const [favorite] = (await list()).favorites;
    assert.ok(favorite);
    platform.faults.add({ operation: 'AddFavorite', times: 2, fault: { kind: 'refuse', result: 99, error: 'no' } });
    await assert.rejects(
      parts.favorites.replace(favorite, { keyword: 'new', filter: undefined }),
      /old.*nginx \(a\+\)/,
    );
  });

  it('keep favorites of other layers and nodes with the same path', async () => {
    await add('/etc', 'layer');
    await account.call('AddFavorite', { envName: 'shop', path: '/etc', keyword: 'everywhere', isDir: true });
    await account.call('AddFavorite', {
      envName: 'shop',
      nodeId: node('cp', 1).id,
      path: '/etc',
      keyword: 'node',
      isDir: true,
    });
    parts.favorites.refresh(name());
    const before = (await list()).favorites;
    assert.equal(before.length, 3);
    const everywhere = before.find(({ keyword }) => keyword === 'everywhere');
    assert.ok(everywhere);
    assert.deepEqual(everywhere.scope, {});
    await parts.favorites.remove(everywhere);
    assert.deepEqual((await list()).favorites.map(({ keyword }) => keyword).sort(), ['layer', 'node']);
  });

  it('keep one with the same path that a colleague added in the meantime', async () => {
    await account.call('AddFavorite', { envName: 'shop', path: '/etc', keyword: 'mine', isDir: true });
    parts.favorites.refresh(name());
    const [mine] = (await list()).favorites;
    assert.ok(mine);
    await account.call('AddFavorite', {
      envName: 'shop',
      nodeGroup: 'bl',
      path: '/etc',
      keyword: 'theirs',
      isDir: true,
    });
    await parts.favorites.remove(mine);
    assert.deepEqual(
      (await list()).favorites.map(({ keyword, scope }) => [keyword, scope]),
      [['theirs', { nodeGroup: 'bl' }]],
    );
  });

  it('are removed even if another window was first or one of them fails', async () => {
    for (const word of ['a', 'b', 'c']) {
      await add(`/etc/${word}`, word);
    }
    const { favorites } = await list();
    await account.call('RemoveFavorite', { envName: 'shop', nodeGroup: 'bl', path: '/etc/a' });
    platform.faults.add({
      operation: 'RemoveFavorite',
      parameters: { path: '/etc/b' },
      fault: { kind: 'refuse', result: 99, error: 'no' },
    });
    const outcomes = await Promise.allSettled(favorites.map((favorite) => parts.favorites.remove(favorite)));
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled'],
    );
    assert.deepEqual(
      (await list()).favorites.map(({ keyword }) => keyword),
      ['b'],
    );
  });

  it('stay when one of the whole environment with the same path is removed, even if an older list arrives late', async () => {
    await account.call('AddFavorite', { envName: 'shop', path: '/etc/nginx', keyword: 'everywhere', isDir: true });
    parts.favorites.refresh();
    const late = platform.faults.add({
      operation: 'GetFavorites',
      parameters: { nodeGroup: 'bl' },
      fault: { kind: 'hang', when: 'after' },
    });
    const older = list();
    await late.reached;
    await add('/etc/nginx', 'layer');
    const everywhere = (await list()).favorites.find(({ keyword }) => keyword === 'everywhere');
    assert.ok(everywhere);
    late.release();
    await older;
    await parts.favorites.remove(everywhere);
    assert.deepEqual(await labelsBelow(parts.favoritesView, shop), ['layer']);
  });

  it("of a failing layer don't hide those of other layers", async () => {
    await add('/etc/nginx', 'nginx');
    platform.faults.add({
      operation: 'GetFavorites',
      parameters: { nodeGroup: 'cp' },
      times: 'always',
      fault: { kind: 'refuse', result: 99, error: 'the layer is asleep' },
    });
    parts.favorites.refresh();
    const [favorite, problem] = await labelsBelow(parts.favoritesView, shop);
    assert.equal(favorite, 'nginx');
    assert.match(problem ?? '', /^Application servers: the layer is asleep/);
  });

  it('have the same kind for a file in an environment that is gone', async () => {
    const person = new Person();
    try {
      await drop([fileUri(account, 'nowhere', 'cp', '/etc')]);
      await until(person.onDidSee, () => person.seen.some((text) => text.includes('nowhere no longer exists')));
    } finally {
      person.leave();
    }
    assert.equal(count('AddFavorite'), 0);
  });

  it('give way to the welcome content when the token is rejected, and return after a sign-in', async () => {
    await add('/etc/nginx', 'nginx');
    platform.faults.add({ operation: 'GetFavorites', fault: { kind: 'expireSession' } });
    parts.favorites.refresh();
    const asked = rows();
    await dismissed(asked);
    const [problem] = await asked;
    assert.ok(problem?.kind === 'problem');
    assert.equal(parts.favoritesView.getTreeItem(problem).command?.command, 'gantry.account.signInAgain');
    assert.deepEqual(await parts.favoritesView.getChildren(), [], 'The welcome content offers to sign in.');

    const token = await platform.createToken({ description: 'another', tokenTemplate: 'Extended Access' });
    await parts.accounts.replaceToken(account.slug, { token });
    assert.deepEqual(await labelsBelow(parts.favoritesView, shop), ['nginx']);
  });
});
