import assert from 'node:assert/strict';
import { onStageEachTime } from '../../scene/onStage';
import { AskedScene } from './requests';

const oddNames = [
  'two words',
  `it's "quoted"`,
  'a#b',
  '100%25',
  'why?',
  'crane🏗️',
  'line\nbreak',
  '[a-z]*.conf',
  'ümläut',
  '-rf',
  '$HOME;&|',
];

const sedText = 'aab ab.c 1\n\n(a|b) abc+ 22 $x^\nlast';

/** The results of `s/pattern/<>/g` in GNU sed 4.9 with a UTF-8 locale. */
const asSedReplaces = [
  ['a', '<><>b <>b.c 1\n\n(<>|b) <>bc+ 22 $x^\nl<>st'],
  ['a*', '<>b<> <>b<>.<>c<> <>1<>\n<>\n<>(<>|<>b<>)<> <>b<>c<>+<> <>2<>2<> <>$<>x<>^<>\n<>l<>s<>t<>'],
  ['ab\\?', '<><> <>.c 1\n\n(<>|b) <>c+ 22 $x^\nl<>st'],
  ['\\(ab\\)\\(bc\\)\\?', 'a<> <>.c 1\n\n(a|b) <>c+ 22 $x^\nlast'],
  ['a\\|ab\\|abc', '<><> <>.c 1\n\n(<>|b) <>+ 22 $x^\nl<>st'],
  ['[^a ]*', '<>a<>a<> <>a<> <>\n<>\n<>a<> <>a<> <> <>\n<>a<>'],
  ['^', '<>aab ab.c 1\n<>\n<>(a|b) abc+ 22 $x^\n<>last'],
  ['$', 'aab ab.c 1<>\n<>\n(a|b) abc+ 22 $x^<>\nlast<>'],
  ['.', '<><><><><><><><><><>\n\n<><><><><><><><><><><><><><><><><>\n<><><><>'],
  ['b.c', 'aab a<> 1\n\n(a|b) abc+ 22 $x^\nlast'],
  ['(a|b)', 'aab ab.c 1\n\n<> abc+ 22 $x^\nlast'],
  ['[[:digit:]]\\{2\\}', 'aab ab.c 1\n\n(a|b) abc+ <> $x^\nlast'],
  ['\\bab', 'aab <>.c 1\n\n(a|b) <>c+ 22 $x^\nlast'],
  ['a\\+b', '<> <>.c 1\n\n(a|b) <>c+ 22 $x^\nlast'],
  ['*', 'aab ab.c 1\n\n(a|b) abc+ 22 $x^\nlast'],
  ['c+', 'aab ab.c 1\n\n(a|b) ab<> 22 $x^\nlast'],
  ['[]$^]', 'aab ab.c 1\n\n(a|b) abc+ 22 <>x<>\nlast'],
  ['\\(a\\)\\1', '<>b ab.c 1\n\n(a|b) abc+ 22 $x^\nlast'],
  ['\\w\\+', '<> <>.<> <>\n\n(<>|<>) <>+ <> $<>^\n<>'],
  ['x^', 'aab ab.c 1\n\n(a|b) abc+ 22 $<>\nlast'],
  ['$x', 'aab ab.c 1\n\n(a|b) abc+ 22 <>^\nlast'],
  ['\\(^a\\|t$\\)', '<>ab ab.c 1\n\n(a|b) abc+ 22 $x^\nlas<>'],
  ['b\\{1,\\}', 'aa<> a<>.c 1\n\n(a|<>) a<>c+ 22 $x^\nlast'],
  ['\\.c', 'aab ab<> 1\n\n(a|b) abc+ 22 $x^\nlast'],
  ['[a-c]\\+$', 'aab ab.c 1\n\n(a|b) abc+ 22 $x^\nlast'],
] as const;

describe('local platform: texts', () => {
  const asked = onStageEachTime(new AskedScene());
  const first = asked.disk('cp');
  const second = asked.disk('cp', 1);
  const { result } = asked;

  it('reads a text exactly, including a byte-order mark and CRLF', async () => {
    await first.put('/etc/a', '\uFEFFone\r\ntwo');
    assert.deepEqual(await asked.call('Read', { path: '/etc/a' }), {
      result: 0,
      body: '\uFEFFone\r\ntwo',
      source: 'JEL',
    });
  });

  it("can't return bytes that aren't UTF-8", async () => {
    await first.put('/etc/a', Buffer.from([0x61, 0xff, 0x62]));
    assert.equal((await asked.call('Read', { path: '/etc/a' }))['body'], 'a\uFFFDb');
  });

  it('rejects a path that is missing, a folder, or below a file', async () => {
    await first.put('/etc/a', '');
    assert.equal(await result('Read', { path: '/etc/none' }), 4035);
    assert.equal(await result('Read', { path: '/none/a' }), 4035);
    assert.equal(await result('Read', { path: '/etc' }), 99);
    assert.equal(await result('Read', { path: '/etc/a/b' }), 4102);
    assert.equal(await result('Read', { path: '' }), 4033);
    assert.equal(await result('Read', { path: 'etc/a' }), 3);
    assert.equal(await result('Read'), 3);
  });

  it('writes on every node of the layer, and creates a missing file but no missing parent', async () => {
    assert.equal(await result('Write', { path: '/srv/a', body: 'ä\n', isAppendMode: false }), 0);
    assert.deepEqual([await first.text('/srv/a'), await second.text('/srv/a')], ['ä\n', 'ä\n']);
    assert.equal(await result('Write', { path: '/srv/a' }), 0);
    assert.equal(await first.text('/srv/a'), '');
    assert.equal(await result('Write', { path: '/srv/none/a', body: 'x' }), 4035);
    assert.equal(await result('Write', { path: '/srv', body: 'x' }), 99);
  });

  it('writes on the requested node, master, or node type', async () => {
    await asked.call('Write', { path: '/srv/a', body: 'one', nodeid: second.id });
    await asked.call('Write', { path: '/srv/b', body: 'master', masterOnly: true, nodeGroup: 'cp' });
    await asked.call('Write', { path: '/srv/c', body: 'type', nodeType: 'mysql' });
    const database = asked.disk('sqldb');
    assert.deepEqual(await first.names('/srv'), ['b']);
    assert.deepEqual(await second.names('/srv'), ['a']);
    assert.deepEqual(await database.names('/srv'), ['c']);
  });

  it('rejects missing nodes, layers, and environments', async () => {
    assert.equal(await result('Read', { path: '/a', nodeid: 1 }), 5);
    assert.equal(await result('Read', { path: '/a', nodeGroup: 'cache' }), 5);
    assert.equal(await result('Read', { path: '/a', nodeType: 'mysql', nodeGroup: 'cp' }), 5);
    assert.equal(await result('Read', { path: '/a', envName: 'none' }), 11);
    await asked.platform.addUser({ email: 'guest@gantry.example', password: 'x', environments: [] });
    const session = await asked.platform.createSession('guest@gantry.example');
    assert.equal(await result('Read', { path: '/a', session }), 702);
  });

  it('handles isAppendMode=true according to its switch', async () => {
    await first.put('/srv/a', 'old,');
    await asked.call('Write', { path: '/srv/a', body: 'new', isAppendMode: true, nodeid: first.id });
    assert.equal(await first.text('/srv/a'), 'old,new');
    asked.platform.behaviour.appendMode = 'overwrites';
    await asked.call('Write', { path: '/srv/a', body: 'new', isAppendMode: true, nodeid: first.id });
    assert.equal(await first.text('/srv/a'), 'new');
  });

  it('appends to an existing file', async () => {
    await first.put('/srv/a', 'old,');
    assert.equal(await result('Append', { path: '/srv/a', body: 'new', nodeid: first.id }), 0);
    assert.equal(await first.text('/srv/a'), 'old,new');
    assert.equal(await result('Append', { path: '/srv/none', body: 'new', nodeid: first.id }), 4035);
  });

  it('says which of several nodes failed after writing to the others', async () => {
    await second.folder('/srv/a');
    const answer = await asked.call('Write', { path: '/srv/a', body: 'x' });
    assert.equal(answer.result, 99);
    assert.match(String(answer['error']), new RegExp(`on node ${second.id}$`, 'u'));
    assert.equal(await first.text('/srv/a'), 'x');
  });

  it('accepts odd names unchanged', async () => {
    for (const name of oddNames) assert.equal(await result('Write', { path: `/srv/${name}`, body: name }), 0, name);
    assert.deepEqual(await first.names('/srv'), [...oddNames].sort());
    for (const name of oddNames) assert.equal((await asked.call('Read', { path: `/srv/${name}` }))['body'], name);
  });

  it('replaces in a text: sed expressions, plain replacement, at most nth matches', async () => {
    await first.put('/srv/a', 'port=80\nport=81\nport=82\n');
    const replace = (pattern: string, replacement: string, more = {}) =>
      result('ReplaceInBody', { path: '/srv/a', pattern, replacement, nodeid: first.id, ...more });
    assert.equal(await replace('^port=\\([0-9]\\{2\\}\\)$', '\\1&', { nth: 2 }), 0);
    assert.equal(await first.text('/srv/a'), '\\1&\n\\1&\nport=82\n');
    assert.equal(await replace('\\(', 'x'), 3);
    assert.equal(await replace('', 'x'), 3);
    assert.equal(await replace('x', 'y', { path: '/srv/none' }), 4035);
  });

  it("replaces in a file that isn't UTF-8 without changing its other bytes", async () => {
    await first.put('/srv/a', Buffer.from([0xff, 0x61, 0xc3]));
    assert.equal(
      await result('ReplaceInBody', { path: '/srv/a', pattern: 'a', replacement: 'ä', nodeid: first.id }),
      0,
    );
    assert.deepEqual(await first.bytes('/srv/a'), Buffer.from([0xff, 0xc3, 0xa4, 0xc3]));
  });

  it('replaces as the real sed does', async () => {
    for (const [pattern, replaced] of asSedReplaces) {
      await first.put('/srv/a', sedText);
      assert.equal(await result('ReplaceInBody', { path: '/srv/a', pattern, replacement: '<>', nodeid: first.id }), 0);
      assert.equal(await first.text('/srv/a'), replaced, pattern);
    }
  });

  it('treats a character as one, however many bytes it has', async () => {
    await first.put('/srv/a', 'é🏗️!');
    await asked.call('ReplaceInBody', { path: '/srv/a', pattern: '^.', replacement: 'e', nodeid: first.id });
    await asked.call('ReplaceInBody', { path: '/srv/a', pattern: 'x*', replacement: '-', nodeid: first.id, nth: 3 });
    assert.equal(await first.text('/srv/a'), '-e-🏗-\uFE0F!');
  });
});
