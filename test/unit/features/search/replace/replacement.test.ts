import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { describe, it } from 'mocha';
import { replaceMatches } from '../../../../../src/features/search/matches';
import { matcherOf } from '../../../../../src/features/search/searchQuery';

describe('replacing the matches in a text', () => {
  const query = { isRegex: false, matchCase: true, wholeWord: false };
  const plain = (text: string, find: string, by: string) =>
    replaceMatches(text, matcherOf({ ...query, text: find }), { text: by, isPattern: false });
  const pattern = (text: string, find: string, by: string) =>
    replaceMatches(text, matcherOf({ ...query, text: find, isRegex: true }), { text: by, isPattern: true }).text;

  it('counts them, and keeps everything else', () => {
    assert.deepEqual(plain('a b a', 'a', 'c'), { text: 'c b c', count: 2 });
    assert.deepEqual(plain('a b a', 'x', 'c'), { text: 'a b a', count: 0 });
  });

  it('keeps line endings of any kind, and a byte-order mark', () => {
    assert.equal(plain('\uFEFFa\r\nb\na\rb\r\n', 'a', 'xyz').text, '\uFEFFxyz\r\nb\nxyz\rb\r\n');
  });

  it('takes plain text literally', () => {
    assert.equal(plain('a.c abc', 'a.c', '$& \\n').text, '$& \\n abc');
  });

  it('uses the line endings of the text for new lines', () => {
    assert.equal(pattern('a b\r\nc', ' ', '\\n'), 'a\r\nb\r\nc');
    assert.equal(pattern('a b', ' ', '\\n'), 'a\nb');
  });

  it('replaces matches that span lines', () => {
    assert.equal(pattern('one\r\ntwo\r\nthree\r\n', 'e\\nt', '+'), 'on+wo\r\nthree\r\n');
    assert.equal(pattern('a\n\n\nb\n', '\\n+', '|'), 'a|b|');
  });

  it('replaces only chosen matches', () => {
    const matcher = matcherOf({ ...query, text: 'a' });
    const replaced = replaceMatches(
      'a a\na',
      matcher,
      { text: 'b', isPattern: false },
      ({ start }) => start.line === 1,
    );
    assert.deepEqual(replaced, { text: 'a a\nb', count: 1 });
  });

  it('fills in groups by number and name, and keeps what names no group', () => {
    assert.equal(pattern('port 80', '(\\w+) (\\d+)', '$2=$1'), '80=port');
    assert.equal(pattern('port 80', '(?<key>\\w+) (?<value>\\d+)', '$<value>/$<key>'), '80/port');
    assert.equal(pattern('ab', 'a(x)?b', '[$1]'), '[]');
    assert.equal(pattern('ab', 'ab', '$1 $2 $<x>'), '$1 $2 $<x>');
    assert.equal(pattern('ab', '(a)b', '$10'), 'a0');
    assert.equal(pattern('ab', 'ab', '$& $0 $$1'), 'ab ab $1');
  });

  it('writes a backslash, a tab, and a dollar sign', () => {
    assert.equal(pattern('a', 'a', '\\\\ \\t $$'), '\\ \t $');
  });

  it('looks around a match', () => {
    assert.equal(pattern('10px 10em', '\\d+(?=px)', '20'), '20px 10em');
  });

  it('gives the same text as Perl for expressions and replacements that mean the same there', () => {
    const texts = [
      'listen 80;\nlisten 443 ssl;\n',
      'a=1\nb = 22\n\nc=333',
      'Ünïcode tea, 12 €\n',
      '',
      '\n\n',
      'aaa bbb aaa',
    ];
    const finds = [
      '\\d+',
      '[a-z]+',
      '(\\w)(\\w)',
      'a{2}',
      '^\\w+',
      '\\w+$',
      '(?:listen|b)\\s',
      'e|a',
      '(=)\\s?(\\d)',
      '[^a-z\\n]',
    ];
    const bys = ['', 'X', '<$&>', '$1', '$1$1-'];
    // Perl warns about a locale that this computer lacks.
    const env = { ...process.env, LC_ALL: 'C' };
    for (const text of texts) {
      for (const find of finds) {
        for (const by of bys.filter((one) => !one.includes('$1') || /\((?!\?)/.test(find))) {
          // With `a`, Perl's words have only letters of ASCII, as in JavaScript.
          const script = `s/${find}/${by}/ga`;
          const { stdout, stderr } = spawnSync('perl', ['-CSDA', '-pe', script], {
            input: text,
            encoding: 'utf8',
            env,
          });
          assert.equal(stderr, '', script);
          assert.equal(pattern(text, find, by), stdout, `${script} in ${JSON.stringify(text)}`);
        }
      }
    }
  });
});
