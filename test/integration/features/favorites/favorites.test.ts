import assert from 'node:assert/strict';
import { rename } from 'node:fs/promises';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { commands, DataTransfer, DataTransferItem, type Uri, window, workspace } from 'vscode';
import type { Favorite } from '../../../../src/features/favorites/favorite';
import type { FavoriteElement } from '../../../../src/features/favorites/favoritesView';
import type { FaultRule } from '../../../localPlatform/faults/fault';
import { assertQuick } from '../../support/assertQuick';
import { nextEvent, until } from '../../support/event';
import { fileUri } from '../../support/gantry';
import { descriptionOf, labelsBelow, rowsBelow } from '../../support/trees';
import { windowScene } from '../../support/windowScene';

const shop = 'Saltmarsh Tea';
/** All operations that favorites may use. */
const permitted = ['AddFavorite', 'RemoveFavorite', 'GetFavorites', 'GetList', 'getenvs', 'GetEnvs'];
/** Opening a favorite reads its file, and a rejected token is checked. */
const alsoUsed = ['Read', 'GetTokenTemplates'];

describe('favorites', () => {
  const scene = windowScene({ sample: 'environments' });
  const { person, count } = scene;
  const bl = scene.environment('shop').layer('bl');
  const cp = scene.environment('shop').layer('cp');
  const favorites = () => scene.parts.sharing.favorites;
  const view = () => scene.parts.sharing.favoritesView;

  beforeEach(() => scene.platform.journal.reset());

  afterEach(async () => {
    const operations = scene.requests();
    for (const favorite of await list()) await favorites().remove(favorite);
    assert.deepEqual(
      operations.filter((operation) => ![...permitted, ...alsoUsed].includes(operation)),
      [],
    );
  });

  const drop = (dropped: readonly Uri[]) => {
    const transfer = new DataTransfer();
    transfer.set('text/uri-list', new DataTransferItem(dropped.map(String).join('\r\n')));
    return scene.parts.handles.favorites.use(({ dragAndDrop }) => dragAndDrop.handleDrop(undefined, transfer));
  };
  const name = () => ({ account: scene.slug, environment: 'shop' });
  const list = async () => (await favorites().of((await bl.listed()).environment)).favorites;
  const rows = () => rowsBelow(view(), shop);
  const only = async (): Promise<FavoriteElement> => {
    const [row, ...others] = await rows();
    assert.ok(row?.kind === 'favorite' && others.length === 0, JSON.stringify([row?.kind, others.length]));
    return row;
  };
  const add = (path: string, keyword: string, more: Partial<Favorite> = {}) =>
    favorites().add({
      ...name(),
      scope: { nodeGroup: 'bl' },
      path,
      keyword,
      filter: undefined,
      isDir: true,
      ...more,
    });
  it('can be added from the Explorer, a tab, the tree, and a drop, and open the same file', async () => {
    await commands.executeCommand('gantry.favorite.add', bl.uri('/etc/nginx/conf.d'), [
      bl.uri('/etc/nginx/conf.d'),
      cp.uri('/etc/php.ini'),
    ]);
    await window.showTextDocument(bl.uri('/etc/nginx/conf.d/shop.conf'));
    await commands.executeCommand('gantry.favorite.add');
    const [, second] = await rowsBelow(scene.parts.environmentsView, shop, 'Application servers');
    assert.ok(second);
    const files = await scene.parts.environmentsView.getChildren(second);
    const etc = files.find((row) => row.kind === 'entry' && row.place.path === '/etc');
    await commands.executeCommand('gantry.favorite.add', etc, [etc]);

    assert.deepEqual(await labelsBelow(view(), shop), ['conf.d', 'etc', 'php.ini', 'shop.conf']);
    const places = (await rows()).map((row) => (row.kind === 'favorite' ? row.place : undefined));
    assert.deepEqual(
      places.map((place) => [place?.target.nodeId, place?.path]),
      [
        [bl.nodeId(), '/etc/nginx/conf.d'],
        [cp.nodeId(1), '/etc'],
        [cp.nodeId(), '/etc/php.ini'],
        [bl.nodeId(), '/etc/nginx/conf.d/shop.conf'],
      ],
    );
  });

  it('are added by a drop without a request that could change a file', async () => {
    await drop([bl.uri('/etc/nginx/nginx.conf'), bl.uri('/etc/nginx')]);
    const kinds = (await list()).map(({ path, isDir }) => [path, isDir]);
    assert.deepEqual(kinds, [
      ['/etc/nginx/nginx.conf', false],
      ['/etc/nginx', true],
    ]);
  });

  it('are shown with requests for favorites only, a thousand as fast as one', async () => {
    const favoriteList = Array.from({ length: 1_000 }, (_, n) => ({ id: n, path: `/tmp/${n}`, keyword: `word ${n}` }));
    const body = JSON.stringify({ result: 0, favoriteList, source: 'JEL' });
    scene.fail('GetFavorites', { kind: 'answer', body }, { parameters: { nodeGroup: 'cp' }, times: 'always' });
    await bl.listed();
    await assertQuick(async () => {
      favorites().refresh();
      scene.platform.journal.reset();
      assert.equal((await rows()).length, 1_000);
    });
    // One request for each layer and one for the environment, however many favorites there are.
    assert.deepEqual(
      scene.platform.journal.entries
        .map(({ operation, parameters }) => [operation, parameters['nodeGroup'] ?? ''])
        .sort(),
      [
        ['GetFavorites', ''],
        ['GetFavorites', 'bl'],
        ['GetFavorites', 'cp'],
        ['GetFavorites', 'sqldb'],
      ],
    );
    await rows();
    assert.equal(scene.requests().length, 4);
  });

  it('show the files in a folder that match their filter', async () => {
    await add('/etc/nginx', 'all');
    await add('/etc/nginx/../nginx', 'filtered', { filter: 'n.*\\.conf' });
    const all = await labelsBelow(view(), shop, 'all');
    const filtered = await labelsBelow(view(), shop, 'filtered');
    assert.ok(all.length > filtered.length && all.includes('conf.d'), all.join());
    assert.ok(filtered.includes('nginx.conf') && filtered.every((label) => /^n.*\.conf$/.test(label)), filtered.join());
    const [row] = (await rows()).filter((one) => one.kind === 'favorite' && one.favorite.keyword === 'filtered');
    assert.ok(row);
    assert.match(descriptionOf(view(), row), /n\.\*\\\.conf/);

    await add('/etc/nginx/conf.d', 'nothing', { filter: 'nobody' });
    assert.deepEqual(await labelsBelow(view(), shop, 'nothing'), ['No matches for the filter']);
  });

  it('have nothing that could be dragged to a place that copies or moves it', async () => {
    await add('/etc/nginx', 'nginx');
    const below = await rowsBelow(view(), shop, 'nginx');
    for (const row of [...(await rows()), ...below]) {
      assert.equal(view().getTreeItem(row).resourceUri, undefined);
    }
  });

  it('open the file, and say that it is gone until it exists again', async () => {
    await commands.executeCommand('gantry.favorite.add', bl.uri('/etc/nginx/nginx.conf'));
    await commands.executeCommand('gantry.favorite.open', await only());
    assert.equal(window.activeTextEditor?.document.uri.path, `/shop/bl~${bl.nodeId()}/etc/nginx/nginx.conf`);

    const onDisk = bl.onDisk('/etc/nginx/nginx.conf');
    const text = await bl.text('/etc/nginx/nginx.conf');
    await rename(onDisk, `${onDisk}.away`);
    scene.parts.listings.forgetAll();
    const told = nextEvent(favorites().onDidChange);
    const row = await only();
    const opening = person.answering([], () => commands.executeCommand('gantry.favorite.open', row));
    await told;
    const gone = await only();
    assert.ok(gone.isGone);
    assert.match(descriptionOf(view(), gone), /^deleted · /);
    await opening;

    await rename(`${onDisk}.away`, onDisk);
    scene.parts.listings.forgetAll();
    await commands.executeCommand('gantry.favorite.open', gone);
    assert.equal((await only()).isGone, false);
    assert.equal(await bl.text('/etc/nginx/nginx.conf'), text);
  });

  it('open although a message still says that another one is gone', async () => {
    await add('/etc/nginx/nowhere.conf', 'a', { isDir: false });
    await add('/etc/nginx/nginx.conf', 'b', { isDir: false });
    const both = await rows();
    let press = (): void => undefined;
    const when = new Promise<void>((resolve) => {
      press = resolve;
    });
    await person.answering([{ presses: 'Remove from Favorites', when }], () =>
      commands.executeCommand('gantry.favorite.open', both[0], both),
    );
    assert.match(window.activeTextEditor?.document.uri.path ?? '', /\/etc\/nginx\/nginx\.conf$/);
    const removed = nextEvent(favorites().onDidChange);
    press();
    await removed;
    assert.equal((await only()).favorite.keyword, 'b');
  });

  it('are not added twice, which is said with the title of the environment', async () => {
    const file = bl.uri('/etc/nginx/nginx.conf');
    await commands.executeCommand('gantry.favorite.add', file);
    await person.answering([], () => commands.executeCommand('gantry.favorite.add', file));
    assert.match(person.seen.join('\n'), /^\/etc\/nginx\/nginx\.conf is already a favorite in Saltmarsh Tea\.$/m);
    await only();
  });

  it('say why the undo of a removal failed', async () => {
    await add('/etc/nginx', 'nginx');
    const row = await only();
    scene.fail('AddFavorite', { kind: 'refuse', result: 99, error: 'no more' });
    await person.answering([{ presses: 'Undo' }], () => commands.executeCommand('gantry.favorite.remove', row));
    await until(person.onDidSee, () => person.seen.some((text) => text.includes('no more')));
  });

  it('distinguish a missing folder from an empty one', async () => {
    await add('/etc/nowhere', 'nowhere');
    assert.deepEqual(await labelsBelow(view(), shop, 'nowhere'), ['/etc/nowhere no longer exists']);
    assert.ok((await only()).isGone);
  });

  it('show without a request that Gantry deleted their file', async () => {
    const file = bl.uri('/etc/nginx/conf.d/passing.conf');
    await workspace.fs.writeFile(file, new TextEncoder().encode('# passing\n'));
    await commands.executeCommand('gantry.favorite.add', file);
    await only();
    await workspace.fs.delete(file);
    scene.platform.journal.reset();
    assert.ok((await only()).isGone);
    assert.equal(scene.requests().length, 0);
  });

  it('show without a request that Gantry deleted their file on the whole layer', async () => {
    const path = '/etc/nginx/conf.d/passing.conf';
    await workspace.fs.writeFile(bl.uri(path), new TextEncoder().encode('# passing\n'));
    await commands.executeCommand('gantry.favorite.add', bl.uri(path));
    await only();
    await workspace.fs.delete(bl.layerUri(path));
    scene.platform.journal.reset();
    assert.ok((await only()).isGone);
    assert.equal(scene.requests().length, 0);
  });

  it('show without a request that their folder has its name again', async () => {
    const [folder, away] = [bl.uri('/etc/nginx/passing'), bl.uri('/etc/nginx/away')];
    const file = bl.uri('/etc/nginx/passing/site.conf');
    await workspace.fs.createDirectory(folder);
    await workspace.fs.writeFile(file, new TextEncoder().encode('# passing\n'));
    await commands.executeCommand('gantry.favorite.add', file);
    await only();
    await workspace.fs.rename(folder, away);
    assert.ok((await only()).isGone);
    await workspace.fs.rename(away, folder);
    scene.platform.journal.reset();
    assert.equal((await only()).isGone, false);
    assert.equal(scene.requests().length, 0);
    await bl.remove('/etc/nginx/passing');
  });

  it('can get another name and filter', async () => {
    await add('/etc/nginx', 'old', { filter: '.*' });
    const [favorite] = await list();
    assert.ok(favorite);
    await favorites().replace(favorite, { keyword: 'new', filter: 'x' });
    const changed = await list();
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
      const [favorite] = await list();
      assert.ok(favorite);
      const at = { envName: 'shop', nodeGroup: 'bl', path: '/etc/nginx' };
      await scene.account.call('RemoveFavorite', at);
      for (const entry of theirs) {
        await scene.account.call('AddFavorite', { ...at, ...entry, isDir: true });
      }
      scene.platform.journal.reset();
      await assert.rejects(favorites().replace(favorite, { keyword: 'new' }), says);
      if (theirs.length > 0) {
        await assert.rejects(favorites().remove(favorite), says);
      } else {
        await favorites().remove(favorite);
      }
      assert.equal(count('RemoveFavorite') + count('AddFavorite'), 0);
      assert.deepEqual(
        (await list()).map(({ keyword, filter }) => ({ keyword, filter })),
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
      const [favorite] = await list();
      assert.ok(favorite);
      scene.fail('AddFavorite', fault);
      const changed = favorites().replace(favorite, { keyword: 'new', filter: '.*' });
      await (outcome === 'old' ? assert.rejects(changed) : changed);
      assert.deepEqual(
        (await list()).map(({ keyword, filter }) => [keyword, filter]),
        [[outcome, '.*']],
      );
    });
  }

  it('say what was lost if the platform rejects both the change and its undo', async () => {
    await add('/etc/nginx', 'old', { filter: 'a+' });
    const [favorite] = await list();
    assert.ok(favorite);
    scene.fail('AddFavorite', { kind: 'refuse', result: 99, error: 'no' }, { times: 2 });
    await assert.rejects(favorites().replace(favorite, { keyword: 'new', filter: undefined }), /old.*nginx \(a\+\)/);
  });

  it('say what else was lost with it, and try to keep all others', async () => {
    const at = { envName: 'shop', path: '/etc/nginx', isDir: true };
    await add('/etc/nginx', 'layer', { filter: 'b+' });
    await scene.account.call('AddFavorite', { ...at, keyword: 'old', filter: 'a+' });
    await scene.account.call('AddFavorite', { ...at, keyword: 'node', nodeId: cp.nodeId(1) });
    favorites().refresh(name());
    const old = (await list()).find(({ keyword }) => keyword === 'old');
    assert.ok(old);
    const refuse = { kind: 'refuse', result: 99, error: 'no' } as const;
    scene.fail('AddFavorite', refuse, { times: 3 });
    // Before the change, Gantry looks for each of the three.
    scene.fail('GetFavorites', refuse, { nth: 4, times: 2 });
    const both = /old: \/etc\/nginx \(a\+\), (?:layer: \/etc\/nginx \(b\+\)|node: \/etc\/nginx)\.$/;
    await assert.rejects(favorites().replace(old, { keyword: 'new' }), both);
    const [kept, ...others] = await list();
    assert.ok(kept !== undefined && kept.keyword !== 'old' && others.length === 0);
  });

  it('keep favorites of other layers and nodes with the same path', async () => {
    await add('/etc', 'layer');
    await scene.account.call('AddFavorite', { envName: 'shop', path: '/etc', keyword: 'everywhere', isDir: true });
    await scene.account.call('AddFavorite', {
      envName: 'shop',
      nodeId: cp.nodeId(1),
      path: '/etc',
      keyword: 'node',
      isDir: true,
    });
    favorites().refresh(name());
    const before = await list();
    assert.equal(before.length, 3);
    const everywhere = before.find(({ keyword }) => keyword === 'everywhere');
    assert.ok(everywhere);
    assert.deepEqual(everywhere.scope, {});
    await favorites().remove(everywhere);
    assert.deepEqual((await list()).map(({ keyword }) => keyword).sort(), ['layer', 'node']);
  });

  it('keep one with the same path that a colleague added in the meantime', async () => {
    await scene.account.call('AddFavorite', { envName: 'shop', path: '/etc', keyword: 'mine', isDir: true });
    favorites().refresh(name());
    const [mine] = await list();
    assert.ok(mine);
    await scene.account.call('AddFavorite', {
      envName: 'shop',
      nodeGroup: 'bl',
      path: '/etc',
      keyword: 'theirs',
      isDir: true,
    });
    await favorites().remove(mine);
    assert.deepEqual(
      (await list()).map(({ keyword, scope }) => [keyword, scope]),
      [['theirs', { nodeGroup: 'bl' }]],
    );
  });

  it('are removed even if another window was first or one of them fails', async () => {
    for (const word of ['a', 'b', 'c']) {
      await add(`/etc/${word}`, word);
    }
    const all = await list();
    await scene.account.call('RemoveFavorite', { envName: 'shop', nodeGroup: 'bl', path: '/etc/a' });
    scene.fail('RemoveFavorite', { kind: 'refuse', result: 99, error: 'no' }, { parameters: { path: '/etc/b' } });
    const outcomes = await Promise.allSettled(all.map((favorite) => favorites().remove(favorite)));
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled'],
    );
    assert.deepEqual(
      (await list()).map(({ keyword }) => keyword),
      ['b'],
    );
  });

  it('stay when one of the whole environment with the same path is removed, even if an older list arrives late', async () => {
    await scene.account.call('AddFavorite', {
      envName: 'shop',
      path: '/etc/nginx',
      keyword: 'everywhere',
      isDir: true,
    });
    favorites().refresh();
    const late = scene.fail('GetFavorites', { kind: 'hang', when: 'after' }, { parameters: { nodeGroup: 'bl' } });
    const older = list();
    await late.reached;
    await add('/etc/nginx', 'layer');
    const everywhere = (await list()).find(({ keyword }) => keyword === 'everywhere');
    assert.ok(everywhere);
    late.release();
    await older;
    await favorites().remove(everywhere);
    assert.deepEqual(await labelsBelow(view(), shop), ['layer']);
  });

  it("of a failing layer don't hide those of other layers", async () => {
    await add('/etc/nginx', 'nginx');
    scene.fail(
      'GetFavorites',
      { kind: 'refuse', result: 99, error: 'the layer is asleep' },
      { parameters: { nodeGroup: 'cp' }, times: 'always' },
    );
    favorites().refresh();
    const [favorite, problem] = await labelsBelow(view(), shop);
    assert.equal(favorite, 'nginx');
    assert.match(problem ?? '', /^Application servers: the layer is asleep/);
  });

  it('have the same kind for a file in an environment that is gone', async () => {
    await person.answering([], () => drop([fileUri(scene.account, 'nowhere', 'cp', '/etc')]));
    await until(person.onDidSee, () => person.seen.some((text) => text.includes('nowhere no longer exists')));
    assert.equal(count('AddFavorite'), 0);
  });

  it('give way to the welcome content when the token is rejected, and return after a sign-in', async () => {
    await add('/etc/nginx', 'nginx');
    scene.fail('GetFavorites', { kind: 'expireSession' });
    favorites().refresh();
    const [problem] = await person.answering([], rows);
    assert.ok(problem?.kind === 'problem');
    assert.equal(view().getTreeItem(problem).command?.command, 'gantry.account.signInAgain');
    assert.deepEqual(await view().getChildren(), [], 'The welcome content offers to sign in.');

    const token = await scene.platform.createToken({ description: 'another', tokenTemplate: 'Extended Access' });
    await scene.parts.accounts.replaceToken(scene.slug, { token });
    assert.deepEqual(await labelsBelow(view(), shop), ['nginx']);
  });
});
