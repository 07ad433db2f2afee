import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { findMoment, lastLines, parseFilter, shownLines } from '../../../../src/features/logs/logText';

const filtered = (text: string, filter: string) => {
  const parsed = parseFilter(filter);
  assert.ok(parsed !== 'invalid');
  return shownLines(text, parsed);
};

describe('the lines of a log', () => {
  it('are filtered by text, by a regular expression, and by what they lack', () => {
    const text = 'one Error\ntwo\n\nthree 502\n';
    assert.equal(filtered(text, 'error'), 'one Error\n');
    assert.equal(filtered(text, '/5\\d\\d/'), 'three 502\n');
    assert.equal(filtered(text, '!error'), 'two\n\nthree 502\n');
    assert.equal(filtered(text, ' '), text);
    assert.equal(filtered('200 7404\n404 9\n', '404 '), '404 9\n');
    assert.equal(filtered('a.b\nacb\n', 'a.b'), 'a.b\n');
    assert.equal(parseFilter('/(/'), 'invalid');
  });

  it('are all shown if the expression of the filter takes too long for one of them', () => {
    const text = `one\n${'a'.repeat(40)}b\n`;
    const filter = parseFilter('/^(a+)+$/');
    assert.ok(filter !== 'invalid' && filter !== undefined);
    assert.equal(shownLines('aaa\nb\n', filter), 'aaa\n');
    assert.equal(filter.isTooSlow, false);
    assert.equal(shownLines(text, filter), text);
    assert.equal(filter.isTooSlow, true);
    assert.equal(shownLines('b\n', filter), 'b\n');
  });

  it('are shown without terminal colors and control characters', () => {
    assert.equal(shownLines('\u001B[31mred\u001B[0m\0\ttab\r\nnext', undefined), 'red\ttab\nnext');
  });

  it('are shown without logins, also while the last one is being written', () => {
    const line = 'clone https://marit:tea@example.com/t.git\n';
    const shown = 'clone https://•••@example.com/t.git\n';
    assert.equal(shownLines(line, undefined), shown);
    for (let length = 'clone https://m'.length; length < line.indexOf('@'); length++) {
      assert.equal(shownLines(line.slice(0, length), undefined), 'clone https://•••');
    }
  });

  it('are cut between lines', () => {
    assert.equal(lastLines('one\ntwo\nthree\n', 10), 'two\nthree\n');
    assert.equal(lastLines('one\ntwo\nthree\n', 9), 'three\n');
    assert.equal(lastLines('one\ntwo\nthree\n', 2), 'three\n');
    assert.equal(lastLines('one\n', 10), 'one\n');
  });
});

describe('a moment in a log', () => {
  const moment = Date.UTC(2026, 10, 24, 22, 3, 15, 400);
  const now = moment + 20_000;
  const formats: Readonly<Record<string, readonly [string, string, string]>> = {
    'nginx errors': ['2026/11/24 22:03:14 [error]', '2026/11/24 22:03:15 [emerg]', '2026/11/24 22:03:16 [emerg]'],
    'nginx errors in another zone': ['2026/11/25 03:33:14 [error]', '2026/11/25 03:33:15', '2026/11/25 03:33:16'],
    'access logs': [
      '1.2.3.4 - - [24/Nov/2026:23:03:14 +0100] "GET',
      '1.2.3.4 - - [24/Nov/2026:23:03:15 +0100] "GET',
      '1.2.3.4 - - [24/Nov/2026:23:03:16 +0100] "GET',
    ],
    'ISO with a zone': ['2026-11-24T22:03:14.123Z INFO', '2026-11-24T22:03:15.5Z INFO', '2026-11-24T22:03:16Z INFO'],
    Java: ['2026-11-24 22:03:14,999 INFO', '2026-11-24 22:03:15,401 ERROR', '2026-11-24 22:03:16,000 ERROR'],
    Tomcat: ['24-Nov-2026 22:03:14.100 INFO', '24-Nov-2026 22:03:15.500 SEVERE', '24-Nov-2026 22:03:17.100 INFO'],
    PHP: ['[24-Nov-2026 22:03:14 UTC] PHP', '[24-Nov-2026 22:03:15 UTC] PHP', '[24-Nov-2026 22:03:16 UTC] PHP'],
    'Apache errors': [
      '[Tue Nov 24 22:03:14.123456 2026] [core:error]',
      '[Tue Nov 24 22:03:15.500000 2026] [core:error]',
      '[Tue Nov 24 22:03:16.500000 2026] [core:error]',
    ],
    Redis: ['1:M 24 Nov 2026 22:03:14.100 *', '1:M 24 Nov 2026 22:03:15.500 #', '1:M 24 Nov 2026 22:03:17.100 *'],
    'MariaDB in the morning': ['2026-11-25  7:03:14 0 [Note]', '2026-11-25  7:03:15 0 [ERR]', '2026-11-25  7:03:16 0'],
    syslog: ['Nov 24 22:03:14 node nginx:', 'Nov 24 22:03:15 node nginx:', 'Nov 24 22:03:16 node nginx:'],
  };
  for (const [name, [before, at, after]] of Object.entries(formats)) {
    it(`is found in ${name}`, () => {
      const text = `${before}\n  at somewhere\n${at}\n  at somewhere\n${after}\n`;
      assert.deepEqual(findMoment(text, moment, now), { line: 2, reachesBack: true });
    });
  }

  it('is found in a log without years in whose zone the next year has begun', () => {
    const newYear = Date.UTC(2026, 11, 31, 23);
    const text = 'Dec 31 23:59:50 node nginx:\nJan  1 00:00:10 node nginx:\n';
    assert.deepEqual(findMoment(text, newYear + 5_000, newYear + 20_000), { line: 1, reachesBack: true });
  });

  it('may be before all lines, after all, or unknown', () => {
    const line = '2026/11/24 22:03:20 [error]';
    assert.deepEqual(findMoment(`${line}\n${line}\n`, moment, now), { line: 0, reachesBack: false });
    const earlier = '2026-11-24T21:00:00Z started';
    assert.deepEqual(findMoment(`${earlier}\n`, moment, now), { line: undefined, reachesBack: true });
    assert.deepEqual(findMoment('no time\n', moment, now), { line: undefined, reachesBack: false });
  });
});
