import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { DeadlineExceeded } from '../../../../src/ui/interruptible';
import { findShownMatches, type FoundLine } from '../../../../src/features/search/matches';
import { matcherOf, type SearchQuery } from '../../../../src/features/search/searchQuery';

type Options = Partial<Pick<SearchQuery, 'isRegex' | 'matchCase' | 'wholeWord'>>;

const search = (text: string, wanted: string, options: Options = {}, most = Number.POSITIVE_INFINITY) => {
  const query = { text: wanted, isRegex: false, matchCase: false, wholeWord: false, ...options };
  return findShownMatches(text, text, matcherOf(query), most);
};

/** Each match as `line:column-column`, or `line:column-line:column` if it spans lines. */
const at = (found: readonly FoundLine[]) =>
  found.flatMap(({ ranges }) =>
    ranges.map(({ start, end }) => {
      const until = end.line === start.line ? String(end.column) : `${end.line}:${end.column}`;
      return `${start.line}:${start.column}-${until}`;
    }),
  );

const regex = { isRegex: true };

describe('searching a text', () => {
  it('finds all matches of a line, and each line with a match', () => {
    const found = search('one two one\n\nthree\nthe one', 'one');
    assert.deepEqual(at(found), ['0:0-3', '0:8-11', '3:4-7']);
    assert.deepEqual(
      found.map(({ line, preview, previewStart }) => [line, preview, previewStart]),
      [
        [0, 'one two one', 0],
        [3, 'the one', 0],
      ],
    );
  });

  it('takes a text literally', () => {
    const special = String.raw`a.b*c+d?e^f$g(h)i[j]k{l}m|n\o/p-q`;
    assert.deepEqual(at(search(`x${special}y`, special)), [`0:1-${special.length + 1}`]);
    assert.deepEqual(at(search('aXb', 'a.b')), []);
  });

  it('ignores case unless it matters, also beyond ASCII', () => {
    assert.deepEqual(at(search('Straße ÄPFEL äpfel', 'äpfel')), ['0:7-12', '0:13-18']);
    assert.deepEqual(at(search('Äpfel äpfel', 'äpfel', { matchCase: true })), ['0:6-11']);
  });

  describe('for whole words', () => {
    const words = { wholeWord: true };

    it('finds no part of a word', () => {
      assert.deepEqual(at(search('port support port_number "port"', 'port', words)), ['0:0-4', '0:26-30']);
      assert.deepEqual(at(search('größe größer öße', 'größe', words)), ['0:0-5']);
      assert.deepEqual(at(search('öße', 'ße', words)), []);
    });

    it('demands no boundary where the text has none', () => {
      assert.deepEqual(at(search('a.php xphp $php', '.php', words)), ['0:1-5']);
      assert.deepEqual(at(search('$count $counter', '$count', words)), ['0:0-6']);
    });

    it('holds for all of an expression', () => {
      assert.deepEqual(at(search('ab abc cab b', 'ab|b', { ...words, ...regex })), ['0:0-2', '0:11-12']);
      assert.deepEqual(at(search('12 a34 56b 7', String.raw`\d+`, { ...words, ...regex })), ['0:0-2', '0:11-12']);
      // Not a valid strict expression, so it's read as older tools do.
      assert.deepEqual(at(search('a-b xa-b', String.raw`a\-b`, { ...words, ...regex })), ['0:0-3']);
    });
  });

  describe('with an expression', () => {
    it('looks at each line alone', () => {
      assert.deepEqual(at(search('ab\nb\n', '^b$', regex)), ['1:0-1']);
      assert.deepEqual(at(search('a\nb', String.raw`a\s*b`, regex)), []);
      assert.deepEqual(at(search('a\nb', '[^x]+', regex)), ['0:0-1', '1:0-1']);
      assert.deepEqual(at(search('a\\n', String.raw`\\n[^x]*`, regex)), ['0:1-3']);
    });

    it('accepts escapes that are not needed', () => {
      assert.deepEqual(at(search('a-b:c', String.raw`a\-b\:c`, regex)), ['0:0-5']);
    });

    it('finds whole characters also with escapes that are not needed, and with braces that need one', () => {
      const say = 'say \u{1F600} now {2}]';
      assert.deepEqual(at(search(say, String.raw`say\ .`, regex)), ['0:0-6']);
      assert.deepEqual(at(search(say, String.raw`\"?. now \{2}]`, regex)), ['0:4-15']);
      assert.deepEqual(at(search('x{', 'x{', regex)), ['0:0-2']);
      assert.deepEqual(at(search('a-c b', String.raw`[a\-c\:]{2,}`, regex)), ['0:0-3']);
      assert.deepEqual(at(search('\u{1F600}é', String.raw`\p{L}\!?`, regex)), ['0:2-3']);
      assert.deepEqual(at(search('a_b', String.raw`a\_b`, { ...regex, wholeWord: true })), ['0:0-3']);
      // Can't be made strict, and still never finds half a character.
      assert.deepEqual(at(search('e\u{1F600}ex', String.raw`\e.`, regex)), ['0:3-5']);
    });

    it('rejects one that is none', () => {
      assert.throws(() => search('', '(', regex), SyntaxError);
      assert.throws(() => search('', '(', { ...regex, wholeWord: true }), SyntaxError);
      assert.deepEqual(at(search('(', '(')), ['0:0-1']);
    });

    it('ignores matches of nothing, and goes on after them', () => {
      assert.deepEqual(at(search('xaay', 'a*', regex)), ['0:1-3']);
      assert.deepEqual(at(search('\u{1F600}a\n\n', '(?=a)|a', regex)), []);
      assert.deepEqual(at(search('\u{1F600}a', 'a?', regex)), ['0:2-3']);
      assert.deepEqual(at(search('abc', '$|^|', regex)), []);
    });

    it('finds whole characters, and counts columns as an editor does', () => {
      assert.deepEqual(at(search('\u{1F600}x\u{1F600}', '.', regex)), ['0:0-2', '0:2-3', '0:3-5']);
      assert.deepEqual(at(search('\u{1F600}', '[\u{1F600}]', regex)), ['0:0-2']);
    });
  });

  describe('across lines', () => {
    it('finds an expression with a line feed', () => {
      const found = search('a\nb\nc\nab\n', String.raw`b\n\w`, regex);
      assert.deepEqual(at(found), ['1:0-2:1']);
      assert.deepEqual(
        found.map(({ preview }) => preview),
        ['b'],
      );
      assert.deepEqual(at(search('a\n\n\nb', String.raw`a\n+^b$`, regex)), ['0:0-3:1']);
      assert.deepEqual(at(search('a\nb\na\nb\n', String.raw`a\nb\n`, regex)), ['0:0-2:0', '2:0-4:0']);
    });

    it('finds a text of several lines', () => {
      assert.deepEqual(at(search('1: a.b\nc', 'A.B\nC')), ['0:3-1:1']);
      assert.deepEqual(at(search('aXb\nc', 'a.b\nc')), []);
    });

    it('finds it whatever the line ends are', () => {
      for (const lineEnd of ['\n', '\r\n']) {
        const text = ['a', 'b', 'c'].join(lineEnd);
        assert.deepEqual(at(search(text, String.raw`a\nb`, regex)), ['0:0-1:1']);
        assert.deepEqual(at(search(text, String.raw`a\r\nb`, regex)), ['0:0-1:1']);
        assert.deepEqual(at(search(text, String.raw`a\r?\nb`, regex)), ['0:0-1:1']);
        assert.deepEqual(at(search(text, 'a\r\nb')), ['0:0-1:1']);
      }
    });
  });

  it('divides lines as an editor does', () => {
    const lines = search('\uFEFFa\r\nb\rc\nd\u2028e\n', '[a-e]', regex);
    assert.deepEqual(
      lines.map(({ line, preview }) => `${line}: ${preview}`),
      ['0: a', '1: b', '2: c', '3: d\u2028e'],
    );
    // The last line end is followed by an empty line.
    assert.deepEqual(at(search('\uFEFFa\r\nb\rc\nd\u2028e\n', String.raw`e\n`, regex)), ['3:2-4:0']);
    assert.deepEqual(at(search('\uFEFFa\r\nb\r\n', '^a$|^b$', regex)), ['0:0-1', '1:0-1']);
    assert.deepEqual(at(search('\uFEFFa\r\nb', String.raw`^a\nb$`, regex)), ['0:0-1:1']);
  });

  it('finds matches after the first hundred thousand lines', () => {
    assert.deepEqual(at(search(`${'\n'.repeat(100_000)}x`, 'x')), ['100000:0-1']);
  });

  it('shows the part of a long line around the first match', () => {
    const [found] = search(`${'a'.repeat(1_000)}x${'b'.repeat(1_000)}x`, 'x');
    assert.equal(found?.previewStart, 940);
    assert.equal(found.preview, `${'a'.repeat(60)}x${'b'.repeat(189)}`);
    assert.deepEqual(at([found]), ['0:1000-1001', '0:2001-2002']);
  });

  it('cuts no character of a long line in half', () => {
    for (const before of [1_000, 1_001]) {
      const [found] = search(`${'-'.repeat(before % 2)}${'\u{1F600}'.repeat(500)}x${'\u{1F600}'.repeat(500)}`, 'x');
      assert.match(found?.preview ?? '', /^(\u{1F600}|-)+x(\u{1F600})+$/u);
    }
  });

  it('stops at the limit', () => {
    const text = 'aaa\naaa\n'.repeat(3);
    assert.deepEqual(at(search(text, 'a', {}, 4)), ['0:0-1', '0:1-2', '0:2-3', '1:0-1']);
    assert.deepEqual(at(search(text, String.raw`a|\n`, regex, 4)), ['0:0-1', '0:1-2', '0:2-3', '0:3-1:0']);
    assert.equal(at(search('a'.repeat(100_000), 'a', {}, 10)).length, 10);
  });

  it('stops an expression that would take hours', () => {
    assert.throws(() => search(`${'a'.repeat(50)}b`, '(a+)+$', regex), DeadlineExceeded);
    assert.throws(() => search(`${'a'.repeat(50)}\nb`, String.raw`(a+)+\n$`, regex), DeadlineExceeded);
    assert.deepEqual(at(search('aaa', '(a+)+$', regex)), ['0:0-3']);
  });
});
