import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { chmod, symlink } from 'node:fs/promises';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { DeadlineExceeded } from '../../../../src/ui/interruptible';
import type { FolderSearch } from '../../../../src/features/search/folderSearch';
import { RequestPace } from '../../../../src/features/search/folderWalk';
import { skipOn } from '../../../host/skipOn';
import type { FaultRule } from '../../../localPlatform/faults/fault';
import { linesOfSearch, searchFor, skippedBy } from './searchContainer';
import { ConnectedScene, startLayer } from '../../../scene/connectedScene';
import { onStage } from '../../../scene/onStage';

const turn = () => new Promise((resolve) => setImmediate(resolve));
const numbers = (count: number) => Array.from({ length: count }, (_, n) => n);

describe('a search in a folder', () => {
  const scene = onStage(new ConnectedScene());
  const cp = scene.environment('shop').layer('cp');

  beforeEach(async () => {
    scene.listings.forgetAll();
    await cp.put('/srv/index.php', 'Port 1\n\nport port\n');
    await cp.put('/srv/conf/site.conf', '# none\nlisten port;\n');
    await cp.put('/srv/conf/deep/a.txt', 'nothing\n');
    scene.platform.journal.reset();
  });

  afterEach(() => cp.remove('/srv'));

  const fail = (operation: string, fault: FaultRule['fault'], rule: Partial<FaultRule> = {}) =>
    scene.fail(operation, fault, { times: 'always', ...rule });
  const read = () =>
    scene.platform.journal.arrivals
      .filter(({ operation }) => operation === 'Read')
      .map(({ parameters }) => parameters['path']);
  const putMany = (count: number, text: string) =>
    Promise.all(numbers(count).map((n) => cp.put(`/srv/many/${String(n).padStart(3, '0')}.txt`, text)));

  it('finds the lines of all files, and reads each only once', async () => {
    const search = searchFor(cp, 'port');
    assert.equal(search.state.kind, 'running');
    await search.run();
    assert.deepEqual(search.state, { kind: 'done' });
    assert.deepEqual(linesOfSearch(search), [
      '/srv/index.php:1:Port 1',
      '/srv/index.php:3:port port',
      '/srv/conf/site.conf:2:listen port;',
    ]);
    assert.deepEqual(
      search.files.map(({ matchCount }) => matchCount),
      [3, 1],
    );
    assert.equal(search.matchCount, 4);
    assert.deepEqual(search.skipped, []);
    assert.deepEqual([...read()].sort(), ['/srv/conf/deep/a.txt', '/srv/conf/site.conf', '/srv/index.php']);
    assert.equal(scene.requests().length, 6);
  });

  it('tells of results while it runs', async () => {
    const held = fail('Read', { kind: 'hang' }, { parameters: { path: '/srv/conf/site.conf' } });
    let running: Promise<void> | undefined;
    const seen = await new Promise<readonly string[]>((resolve) => {
      const search: FolderSearch = searchFor(cp, 'port', {
        changed: () => {
          if (search.files.length > 0) resolve(linesOfSearch(search));
        },
      });
      running = search.run();
    });
    assert.deepEqual(seen, ['/srv/index.php:1:Port 1', '/srv/index.php:3:port port']);
    held.release();
    await running;
  });

  it('is limited to files that are included, and not excluded', async () => {
    const search = searchFor(cp, { text: 'port', include: '*.php, *.conf' }, { exclude: ['deep'] });
    await search.run();
    assert.deepEqual(linesOfSearch(search).length, 3);
    assert.deepEqual(skippedBy(search), ['/srv/conf/deep/ excluded']);
    const other = searchFor(cp, { text: 'port', exclude: 'conf' });
    await other.run();
    assert.deepEqual(linesOfSearch(other), ['/srv/index.php:1:Port 1', '/srv/index.php:3:port port']);
    assert.deepEqual(skippedBy(other), ['/srv/conf/ excluded']);
  });

  it('neither reads nor lists what has the login of a repository', async () => {
    await cp.put('/srv/.git/config', 'port\n');
    await cp.put('/srv/.git/modules/tea/config', 'port\n');
    const search = searchFor(cp, { text: 'port', include: '*/**' });
    await search.run();
    assert.deepEqual(skippedBy(search), ['/srv/.git/config excluded', '/srv/.git/modules/ excluded']);
    const listed = scene.platform.journal.arrivals
      .filter(({ operation }) => operation === 'GetList')
      .map(({ parameters }) => parameters['path']);
    assert.ok(!listed.includes('/srv/.git/modules'));
  });

  it('finds only what matches in a log both with and without its logins', async () => {
    await cp.put('/srv/vcs_update.log', 'clone https://marit:tea@host/x.git x\n');
    const found = async (text: string) => {
      const search = searchFor(cp, { text, isRegex: true });
      await search.run();
      return search.files.flatMap(({ lines }) => lines.flatMap(({ preview, ranges }) => [preview, ranges.length]));
    };
    const shown = 'clone https://•••••••••@host/x.git x';
    assert.deepEqual(await found('https://\\S+'), [shown, 1]);
    assert.deepEqual(await found('clone|x$'), [shown, 2]);
    // What is shown has another end.
    assert.deepEqual(await found('https://[^:]+'), []);
    assert.deepEqual(await found('marit|•'), []);
  });

  it('says what it did not search, and why', async function () {
    // There are no named pipes among its files.
    skipOn(this, 'win32');
    await cp.put('/srv/image.png', Buffer.from('port\0\x01\x02'));
    await cp.put('/srv/latin1.txt', Buffer.from('port \xe4\n', 'latin1'));
    await cp.put('/srv/large.log', 'port\n'.repeat(100));
    execFileSync('mkfifo', [cp.onDisk('/srv/pipe')]);
    await symlink('nowhere', cp.onDisk('/srv/broken'));
    const search = searchFor(cp, 'port', { largestFile: 499 });
    await search.run();
    assert.deepEqual(skippedBy(search), [
      '/srv/broken unreadable',
      '/srv/image.png binary',
      '/srv/large.log tooLarge',
      '/srv/latin1.txt binary',
      '/srv/pipe special',
    ]);
    assert.equal(linesOfSearch(search).length, 3);
    assert.equal(search.matchCount, 4);
    assert.equal(search.state.kind, 'done');
  });

  it('says how much of a file it searched if the platform cuts it, and finds what is before', async () => {
    scene.platform.behaviour.readBytes = 60;
    await cp.put('/srv/long.txt', 'port\n'.repeat(20));
    await cp.put('/srv/windows.txt', 'port\r\n'.repeat(5));
    const search = searchFor(cp, { text: 'port', include: '*.txt' });
    await search.run();
    assert.deepEqual(search.skipped, [
      {
        place: cp.place('/srv/long.txt'),
        isFolder: false,
        reason: 'cut',
        cut: { returned: 60, length: 100 },
      },
    ]);
    assert.equal(linesOfSearch(search).filter((line) => line.startsWith('/srv/long.txt')).length, 12);
    // Only the file that may be cut is listed again.
    assert.equal(scene.count('GetList'), 4);
  });

  it('searches all of a file that became shorter after its folder was listed', async () => {
    await cp.put('/srv/long.txt', 'port\n'.repeat(20));
    await scene.listings.list(cp.place('/srv'));
    await cp.put('/srv/long.txt', 'port\n'.repeat(2));
    const search = searchFor(cp, { text: 'port', include: '*.txt' });
    await search.run();
    assert.deepEqual(search.skipped, []);
    assert.equal(linesOfSearch(search).length, 2);
  });

  it('finds a replacement character that is really in the file', async () => {
    await cp.put('/srv/replaced.txt', 'x \uFFFD\n');
    const search = searchFor(cp, '\uFFFD');
    await search.run();
    assert.deepEqual(linesOfSearch(search), ['/srv/replaced.txt:1:x \uFFFD']);
  });

  it('does not walk in circles, although the platform lists a link as a folder', async () => {
    await symlink('../..', cp.onDisk('/srv/conf/deep/up'));
    const search = searchFor(cp, 'listen');
    await search.run();
    assert.deepEqual(skippedBy(search), ['/srv/conf/deep/up/ link']);
    assert.deepEqual(linesOfSearch(search), ['/srv/conf/site.conf:2:listen port;']);
  });

  it('uses listings and texts that are known, and keeps the listings', async () => {
    await searchFor(cp, 'port').run();
    scene.platform.journal.reset();
    const knownText = ({ path }: { readonly path: string }) => (path.endsWith('.php') ? 'unsaved port' : undefined);
    const search = searchFor(cp, 'port', { deps: { knownText } });
    await search.run();
    assert.deepEqual(linesOfSearch(search), ['/srv/index.php:1:unsaved port', '/srv/conf/site.conf:2:listen port;']);
    assert.deepEqual(scene.requests(), ['Read', 'Read']);
  });

  it('removes what the user removed', async () => {
    const search = searchFor(cp, 'port');
    await search.run();
    const [php, conf] = search.files;
    assert.ok(php !== undefined && conf !== undefined);
    search.removeLine(php.file, 0);
    assert.equal(search.matchCount, 3);
    search.remove(conf.file);
    assert.deepEqual(linesOfSearch(search), ['/srv/index.php:3:port port']);
    search.removeLine(php.file, 2);
    search.removeLine(conf.file, 1);
    assert.deepEqual([search.files, search.matchCount], [[], 0]);
  });

  it('rejects an expression that is none', () => {
    assert.throws(() => searchFor(cp, { text: '(', isRegex: true }), SyntaxError);
  });

  it('stops at a number of matches that no one looks through', async () => {
    await cp.put('/srv/a.txt', 'x'.repeat(15_000));
    await cp.put('/srv/b.txt', 'x'.repeat(15_000));
    const search = searchFor(cp, 'x');
    await search.run();
    assert.deepEqual([search.state.kind, search.matchCount], ['limited', 20_000]);
  });

  it('gives up an expression that takes too long for several files', async () => {
    await putMany(5, `${'a'.repeat(50)}b\n`);
    const search = searchFor(cp, { text: '(a+)+$', isRegex: true });
    await search.run();
    assert.ok(search.state.kind === 'stopped' && search.state.error instanceof DeadlineExceeded);
    assert.equal(skippedBy(search).length, 3);
    assert.ok(skippedBy(search).every((one) => one.endsWith('.txt slow')));
  });

  describe('that is canceled', () => {
    it('ends all requests within a turn, and keeps what it found', async () => {
      await putMany(20, 'port\n');
      const hanging = fail('Read', { kind: 'hang' }, { nth: 4 });
      const search = searchFor(cp, 'port');
      const running = search.run();
      await hanging.reached;
      while (scene.platform.journal.entries.filter(({ operation }) => operation === 'Read').length < 3) {
        await scene.platform.journal.next();
      }
      while (search.matchCount < 3) await turn();
      // A fifth file may have been read by now.
      const [found, foundCount] = [linesOfSearch(search), search.matchCount];
      let sent = 0;
      const count = () => (sent += 1);
      subscribe('gantry:request', count);
      search.cancel();
      let isEnded = false;
      void running.then(() => (isEnded = true));
      await turn();
      assert.equal(isEnded, true);
      assert.deepEqual(search.state, { kind: 'canceled' });
      assert.deepEqual([linesOfSearch(search), search.matchCount], [found, foundCount]);
      assert.deepEqual(search.skipped, []);
      scene.platform.faults.clear();
      const refresh = () => scene.listings.refresh(cp.place('/srv'));
      // What the search sends after it was canceled is counted before these are answered.
      await refresh();
      await refresh();
      unsubscribe('gantry:request', count);
      assert.equal(sent, 2);
    });

    it('leaves no request open', async () => {
      const layer = await startLayer();
      const own = layer.scene;
      await Promise.all(numbers(20).map((n) => layer.put(`/srv/${n}.txt`, 'port\n')));
      const hanging = own.platform.faults.add({ operation: 'Read', times: 'always', fault: { kind: 'hang' } });
      const search = searchFor(layer, 'port');
      const running = search.run();
      await hanging.reached;
      search.cancel();
      await running;
      // Closing a connection waits for its requests, and nothing releases those that hang before.
      await own.end();
      assert.equal(search.state.kind, 'canceled');
    });

    it('ends while it lists, and while it waits for its turn', async () => {
      const hanging = fail('GetList', { kind: 'hang' });
      const listing = searchFor(cp, 'port');
      const ended = listing.run();
      await hanging.reached;
      listing.cancel();
      await ended;
      scene.platform.faults.clear();
      const slow = searchFor(cp, 'port', { deps: { pace: new RequestPace(() => 3, 3) } });
      const running = slow.run();
      while (slow.matchCount < 1) await turn();
      slow.cancel();
      await running;
      assert.deepEqual([slow.state.kind, linesOfSearch(slow).length], ['canceled', 2]);
    });

    it('stays canceled', async () => {
      const search = searchFor(cp, 'port');
      search.cancel();
      await search.run();
      assert.deepEqual([search.state.kind, scene.requests()], ['canceled', []]);
    });
  });

  describe('that fails in part', () => {
    it('names a folder that may not be listed, and searches the others', async () => {
      await chmod(cp.onDisk('/srv/conf'), 0o311);
      const search = searchFor(cp, 'port');
      await search.run();
      assert.equal(search.state.kind, 'done');
      assert.deepEqual(skippedBy(search), ['/srv/conf/ unreadable']);
      const [skipped] = search.skipped;
      assert.ok(skipped?.reason === 'unreadable' && skipped.error instanceof Error && skipped.error.message !== '');
      assert.equal(linesOfSearch(search).length, 2);
    });

    it('names files that may not be read, however many they are', async () => {
      await putMany(30, 'port\n');
      await Promise.all(numbers(30).map((n) => chmod(cp.onDisk(`/srv/many/${String(n).padStart(3, '0')}.txt`), 0)));
      const search = searchFor(cp, 'port');
      await search.run();
      assert.deepEqual([search.state.kind, search.skipped.length, search.matchCount], ['done', 30, 4]);
    });

    it('stops if the searched folder itself may not be listed', async () => {
      const search = searchFor(cp, 'port', { folder: cp.place('/missing') });
      await search.run();
      assert.ok(search.state.kind === 'stopped');
      assert.equal((search.state.error as { kind?: string }).kind, 'notFound');
    });

    it('goes on if two files cannot be reached', async () => {
      await putMany(10, 'port\n');
      fail('Read', { kind: 'reset' }, { parameters: { path: '/srv/many/001.txt' } });
      fail('Read', { kind: 'reset' }, { parameters: { path: '/srv/many/008.txt' } });
      const search = searchFor(cp, 'port');
      await search.run();
      assert.deepEqual([search.state.kind, search.matchCount], ['done', 12]);
      assert.deepEqual(skippedBy(search), ['/srv/many/001.txt unreadable', '/srv/many/008.txt unreadable']);
    });

    it('stops if the platform cannot be reached any more, and keeps what it found', async () => {
      await putMany(100, 'port\n');
      fail('*', { kind: 'reset' }, { nth: 30 });
      const search = searchFor(cp, 'port');
      await search.run();
      assert.ok(search.state.kind === 'stopped');
      assert.equal((search.state.error as { kind?: string }).kind, 'unreachable');
      assert.equal(skippedBy(search).length, 3);
      assert.ok(search.matchCount > 10);
    });

    it('stops if a node does not answer any more, and keeps what it found', async () => {
      await putMany(100, 'port\n');
      const refusal = { kind: 'refuse', result: 99, error: 'the node does not answer' } as const;
      fail('Read', refusal, { nth: 30 });
      const search = searchFor(cp, 'port');
      await search.run();
      assert.ok(search.state.kind === 'stopped');
      assert.equal(skippedBy(search).length, 20);
      assert.ok(read().length < 70 && search.matchCount > 10);
    });
  });

  it('stops when the session ends, and keeps what it found', async () => {
    const layer = await startLayer({ tokenCheck: 'refused' });
    const own = layer.scene;
    try {
      await Promise.all(numbers(100).map((n) => layer.put(`/srv/${n}.txt`, 'port\n')));
      own.platform.faults.add({ operation: 'Read', nth: 30, fault: { kind: 'expireSession' } });
      const search = searchFor(layer, 'port');
      await search.run();
      assert.ok(search.state.kind === 'stopped');
      assert.equal((search.state.error as { kind?: string }).kind, 'unauthenticated');
      assert.ok(search.matchCount > 10 && own.requests().length < 60);
    } finally {
      await own.end();
    }
  });
});
