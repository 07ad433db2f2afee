import assert from 'node:assert/strict';
import { afterEach, before, beforeEach, describe, it } from 'mocha';
import {
  CancellationTokenSource,
  commands,
  FileChangeType,
  type QuickPick,
  type QuickPickItem,
  type Uri,
  window,
  workspace,
} from 'vscode';
import type { FilePlace } from '../../../../../src/containers/place';
import { uriOf } from '../../../../../src/containers/uris';
import { FileNameSymbols } from '../../../../../src/features/search/goToFile/goToFileRows';
import { limit } from '../../../../host/limits';
import { signedIn } from '../../../support/gantry';
import { accept as pressEnter, type Answer, escape, nextTimerTick, typed } from '../../../support/person';
import { rowsBelow } from '../../../support/trees';
import { untilTrue } from '../../../support/untilTrue';
import { windowScene } from '../../../support/windowScene';

const files = ['index.php', 'sites/shop.conf', 'sites/blog.conf', 'sites/deep/shop.log', 'node_modules/x/shop.js'];

describe('Go to File', () => {
  const scene = windowScene({ sample: 'environments' });
  const { person } = scene;
  const cp = scene.environment('shop').layer('cp');
  let here = cp;
  let count = 0;
  let usualPick: typeof window.createQuickPick;

  before(() => {
    usualPick = window.createQuickPick.bind(window);
  });

  beforeEach(async () => {
    // Each test has a separate folder, whose names no index has yet.
    count += 1;
    here = cp.below(root());
    for (const name of files) await here.put(name, 'one\ntwo\nthree\n');
    scene.forget();
    person.enter();
  });

  afterEach(() => here.remove(''));

  const root = () => `/var/www/webroot/search-${count}`;
  const uri = (name: string) => here.uri(name);
  const folder = () => here.place('');
  const goToFile = (answers: readonly Answer[], clicked: unknown = uri('')) =>
    person.answering(answers, () => commands.executeCommand('gantry.search.goToFile', clicked));
  /** Returns the folders listed since the last call, below the test's folder. */
  const takeListed = () => {
    const listed = scene.platform.journal.arrivals
      .filter(({ operation }) => operation === 'GetList')
      .map(({ parameters }) => parameters['path'] ?? '')
      .filter((path) => path.startsWith(root()))
      .map((path) => path.slice(root().length));
    scene.platform.journal.reset();
    return listed.sort();
  };
  /** Opens the list for a user who looks at it while it changes. */
  const openList = (clicked: Uri) => {
    const { createQuickPick } = window;
    let shown: QuickPick<QuickPickItem> | undefined;
    const pick = () => shown ?? assert.fail('the list is not open');
    Object.assign(window, { createQuickPick: () => (shown = usualPick()) });
    const closed = Promise.resolve(commands.executeCommand('gantry.search.goToFile', clicked)).finally(() =>
      Object.assign(window, { createQuickPick }),
    );
    const offers = async (words: string) => {
      const rows = () => shown?.items.map(({ label, description = '' }) => `${label} ${description}`) ?? [];
      await untilTrue(
        () => rows().some((row) => row.includes(words)),
        () => `${words} of ${rows().join(', ')}`,
      );
      return rows();
    };
    const type = async (text: string, words: string) => {
      await untilTrue(
        () => shown !== undefined,
        () => 'the list',
      );
      pick().value = text;
      return offers(words);
    };
    const titled = (title: string | RegExp) =>
      untilTrue(
        () => new RegExp(title).test(shown?.title ?? ''),
        () => `${title} is not ${shown?.title}`,
      );
    const close = async () => {
      pick().hide();
      await closed;
    };
    const accept = async () => {
      await nextTimerTick();
      await pressEnter();
    };
    return { closed, offers, titled, type, accept, close };
  };
  const openFile = (): Uri | undefined => window.activeTextEditor?.document.uri;
  const index = () => scene.parts.nameIndexes.of(folder());
  const names = () =>
    index()
      .first(root(), 100)
      .map((found) => `${found.folder.slice(root().length)}/${found.name}`)
      .sort();
  const whole = ['', '/sites', '/sites/deep'];

  it('opens the chosen file, with one request for each folder, and the next time with none', async () => {
    await goToFile([typed('shop', 'shop.conf')]);
    await index().refresh();
    assert.equal(openFile()?.toString(), uri('sites/shop.conf').toString());
    assert.deepEqual(takeListed(), whole);
    await goToFile([typed('dp/log', 'shop.log')]);
    assert.equal(openFile()?.toString(), uri('sites/deep/shop.log').toString());
    await goToFile([typed('blog', 'blog.conf')], uri('sites'));
    assert.equal(openFile()?.toString(), uri('sites/blog.conf').toString());
    assert.deepEqual(takeListed(), []);
  });

  it('opens at the line and column', async () => {
    await goToFile([typed('shop.conf:2:3', 'shop.conf')]);
    const { line, character } = window.activeTextEditor?.selection.active ?? {};
    assert.deepEqual({ line, character }, { line: 1, character: 2 });
  });

  it('says what is excluded and what cannot be listed', async () => {
    const parameters = { path: `${root()}/sites/deep` };
    const fault = { kind: 'refuse', result: 4096, error: 'permission denied' } as const;
    scene.fail('GetList', fault, { parameters });
    await index().refresh();
    await goToFile([escape]);
    const said = person.seen.filter((row) => row.startsWith('$('));
    assert.equal(said.length, 2);
    assert.match(said[0] ?? '', /^\$\(warning\): Couldn't list deep on node \d+: .*permission denied/);
    assert.equal(said[1], '$(info): Excluded folders: node_modules (gantry.search.exclude)');
  });

  it('lists the files opened last first if nothing is typed', async () => {
    await window.showTextDocument(uri('sites/blog.conf'), { preview: false });
    await window.showTextDocument(uri('index.php'), { preview: false });
    await index().refresh();
    await goToFile([escape]);
    const rows = person.seen.filter((row) => /^(index|blog|shop)/.test(row));
    assert.deepEqual(rows.slice(0, 2), ['index.php:', 'blog.conf: sites']);
    assert.equal(rows.filter((row) => row.startsWith('index.php')).length, 1);
  });

  it('offers what it has while the index grows, and counts the files', async () => {
    const fault = scene.hang('GetList', { parameters: { path: `${root()}/sites/deep` } });
    const list = openList(uri(''));
    await list.offers('shop.conf');
    await list.titled('3 files so far');
    fault.release();
    await list.offers('shop.log');
    await list.titled(/\)$/);
    await list.close();
  });

  it('opens an absolute path, also one that no index has', async () => {
    await goToFile([typed(`${root()}/node_modules/x/shop.js`, 'Open by path')]);
    assert.equal(openFile()?.toString(), uri('node_modules/x/shop.js').toString());
    await index().refresh();
    await here.put('sites/since.conf', '');
    scene.parts.listings.forgetAll();
    await goToFile([typed(`${root()}/sites/since.conf`, 'Open by path')]);
    assert.equal(openFile()?.toString(), uri('sites/since.conf').toString());
  });

  it('opens an absolute path outside its folder, which the index of a folder above has', async () => {
    await index().refresh();
    await goToFile([typed(`${root()}/index.php`, 'Open by path')], uri('sites'));
    assert.equal(openFile()?.toString(), uri('index.php').toString());
  });

  it('says that an absolute path is missing or a folder, and stays open', async () => {
    await here.put('vendor/a.php', '');
    const list = openList(uri(''));
    for (const [path, text] of [
      ['node_modules/missing.js', "doesn't exist."],
      ['node_modules/x', 'is a folder.'],
    ] as const) {
      const whole = `${root()}/${path}`;
      await list.type(whole, `Open by path ${whole}`);
      await list.accept();
      await list.offers(`${whole} ${text}`);
    }
    await list.close();
    assert.equal(openFile(), undefined);
  });

  it('follows what this user creates, renames, and deletes', async () => {
    await index().refresh();
    takeListed();
    await workspace.fs.writeFile(uri('sites/new.conf'), Buffer.from('new\n'));
    await workspace.fs.rename(uri('sites/blog.conf'), uri('journal.conf'));
    await workspace.fs.createDirectory(uri('added'));
    await workspace.fs.delete(uri('sites/deep'), { recursive: true });
    assert.ok(!names().includes('/sites/deep/shop.log'));
    assert.ok(!names().includes('/sites/blog.conf'));
    await index().refresh();
    assert.deepEqual(names(), ['/index.php', '/journal.conf', '/sites/new.conf', '/sites/shop.conf']);
    takeListed();
    await index().refresh();
    assert.deepEqual(takeListed(), []);
  });

  it('follows what watching sees of changes by others, without own requests', async () => {
    await workspace.fs.readDirectory(uri('sites'));
    await index().refresh();
    await here.put('sites/theirs.conf', '');
    await here.remove('sites/blog.conf');
    takeListed();
    await scene.parts.listings.refresh(here.place('sites'));
    assert.deepEqual(
      names().filter((name) => name.startsWith('/sites/')),
      ['/sites/deep/shop.log', '/sites/shop.conf', '/sites/theirs.conf'],
    );
    assert.equal(index().needsRefresh(), false);
    assert.deepEqual(takeListed(), ['/sites']);
  });

  it('lists a folder again that a redeploy replaced', async () => {
    await index().refresh();
    takeListed();
    await here.put('sites/deployed.conf', '');
    scene.parts.listings.forget(folder());
    scene.parts.files.fileSystem.announce([{ place: here.place('sites'), type: FileChangeType.Changed }]);
    await index().refresh();
    assert.ok(names().includes('/sites/deployed.conf'));
    assert.deepEqual(takeListed(), ['/sites', '/sites/deep']);
  });

  it("isn't watched because of an index", async () => {
    await index().refresh();
    takeListed();
    await scene.parts.watching.lookAround();
    assert.deepEqual(takeListed(), []);
  });

  it('starts at the root of a node or of the main node of a layer', async () => {
    const view = scene.parts.environmentsView;
    const rows = await rowsBelow(view, 'Saltmarsh Tea');
    const layer = rows.find((row) => row.kind === 'layer' && row.layer.id === 'cp');
    assert.ok(layer);
    const [first] = await view.getChildren(layer);
    for (const row of [layer, first]) {
      await goToFile([typed('/etc/hosts', 'hosts')], row);
      assert.equal(openFile()?.toString(), cp.uri('/etc/hosts').toString());
      await commands.executeCommand('workbench.action.closeAllEditors');
    }
  });

  it('asks for the container from the palette, or searches that of the active editor', async () => {
    const answers = [String(cp.nodeId()), typed(`${root()}/sites/deep/shop.log`, 'shop.log')];
    await person.answering(answers, () => commands.executeCommand('gantry.search.goToFile'));
    assert.equal(openFile()?.toString(), uri('sites/deep/shop.log').toString());
    await person.answering([typed('/etc/hosts', 'hosts')], () => commands.executeCommand('gantry.search.goToFile'));
    assert.equal(openFile()?.path.endsWith('/etc/hosts'), true);
  });

  it('forgets the names of an account that is signed out, and closes the list', async () => {
    const other = await signedIn(scene.platform);
    const place = { ...folder(), account: other.slug };
    const theirs = scene.parts.nameIndexes.of(place);
    await theirs.refresh();
    assert.ok(theirs.size > 1);
    const list = openList(uriOf(place));
    await list.offers('shop.conf');
    await scene.parts.accounts.remove(other.slug);
    await list.closed;
    assert.equal(theirs.isDisposed, true);
    assert.notEqual(scene.parts.nameIndexes.of(place), theirs);
  });

  describe('as symbols', () => {
    const { token } = new CancellationTokenSource();
    const symbolsIn = async (open: readonly FilePlace[], query: string) => {
      const symbols = new FileNameSymbols(scene.parts.nameIndexes, () => open);
      // On a slow machine, half a second is too short for what this is about.
      symbols.longestWait = limit(10_000);
      const found = await symbols.provideWorkspaceSymbols(query, token);
      return found.map(({ name, location }) => [name, location.uri.toString()]);
    };

    it('answers the names of files in open folders', async () => {
      assert.deepEqual(await symbolsIn([folder()], 'blog'), [['blog.conf', uri('sites/blog.conf').toString()]]);
      assert.deepEqual(takeListed(), whole);
      await symbolsIn([folder()], 'shop');
      assert.deepEqual(takeListed(), []);
    });

    it('sends nothing before anything is typed, and nothing without a folder', async () => {
      assert.deepEqual(await symbolsIn([folder()], ''), []);
      assert.deepEqual(await symbolsIn([], 'blog'), []);
      assert.deepEqual(await commands.executeCommand('vscode.executeWorkspaceSymbolProvider', 'blog'), []);
      assert.deepEqual(takeListed(), []);
    });
  });
});
