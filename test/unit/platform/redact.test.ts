import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { operationsByName } from '../../../src/platform/contract';
import { confidentialIn } from '../../../src/platform/parameters';
import { excerpt, redact } from '../../../src/platform/redact';

const nothing = { secrets: [], texts: [] };

describe('redaction', () => {
  it('a known secret is removed in every spelling that servers use', () => {
    const secret = `pa"ss&wörd <1>/+%`;
    const spellings = [
      secret,
      encodeURIComponent(secret),
      new URLSearchParams({ x: secret }).toString().slice(2),
      JSON.stringify(secret),
      secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;'),
      Buffer.from(secret).toString('base64'),
      encodeURIComponent(secret).toLowerCase(),
      secret.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`),
      secret.replaceAll('ö', '\\u00f6').replaceAll('/', '\\/'),
    ];
    for (const spelling of spellings) {
      const clean = redact(`before ${spelling} after`, { secrets: [secret], texts: [] });
      assert.match(clean, /^before "?•••"? after$/);
    }
  });

  it('a known secret is masked in uppercase and lowercase, with and without encoded text around it', () => {
    const secret = 'Pass-Word 7';
    for (const around of ['around', 'arou%6ed', 'd&ouml;rt', 'l\\u00f6', 'a+b']) {
      for (const spelling of [secret.toLowerCase(), secret.toUpperCase()]) {
        const clean = redact(`${around} ${spelling} ${around}`, { secrets: [secret], texts: [] });
        assert.equal(clean, `${around} ••• ${around}`);
      }
    }
  });

  it('a secret that contains another is removed completely', () => {
    assert.equal(redact('x secret-long y', { secrets: ['secret', 'secret-long'], texts: [] }), 'x ••• y');
  });

  it('a secret too short to be removed hides the whole text', () => {
    assert.equal(redact('the password 1a is wrong', { secrets: ['1a'], texts: [] }), '•••');
    assert.equal(redact('nothing here', { secrets: ['1a', ''], texts: [] }), 'nothing here');
  });

  it('sessions, tokens, and credentials in URLs are recognized by their format', () => {
    const session = 'd0a1xe8d7f8f4bd4d6b5f6ad1f1eb5c2b2c1';
    assert.equal(session.length, 36);
    assert.equal(redact(`session [${session}] expired`, nothing), 'session [•••] expired');
    assert.equal(redact(`token ${'0123456789abcdef'.repeat(3).slice(0, 40)} bad`, nothing), 'token ••• bad');
    assert.equal(redact('fatal: https://me:pw@git.example/x.git', nothing), 'fatal: https://•••@git.example/x.git');
    assert.equal(redact('https://me:p@ss:w@rd@git.example/x@1', nothing), 'https://•••@git.example/x@1');
    assert.equal(
      redact('path /var/www/webroot/ROOT/index.html not exist', nothing),
      'path /var/www/webroot/ROOT/index.html not exist',
    );
  });

  it('the password in a URL that is sent is known as a whole, although it contains an @', () => {
    const values = { url: 'https://me:p@ss:w@rd@git.example/x.git' };
    const { secrets } = confidentialIn(operationsByName.CreateProject, values);
    assert.equal(redact('wrong login: p@ss:w@rd', { secrets, texts: [] }), 'wrong login: •••');
  });

  it('a quotation of a text is removed, both as part of a line and as a whole text', () => {
    const text = 'first line\nDB_PASSWORD=hunter2hunter2\nlast line';
    const clean = redact('cannot parse "DB_PASSWORD=hunter2hunter2" in line 2', { secrets: [], texts: [text] });
    assert.equal(clean, 'cannot parse "•••" in line 2');
    assert.equal(redact('bad: tiny!', { secrets: [], texts: ['tiny!'] }), 'bad: •••');
  });

  it('a quotation is removed wherever it begins and ends, and the surrounding text stays', () => {
    const text = 'the quick brown fox jumps over the lazy dog';
    for (let before = 0; before < 30; before += 1) {
      for (const [start, end] of [
        [0, 12],
        [3, 15],
        [5, 40],
        [31, 43],
      ] as const) {
        const words = `${'-'.repeat(before)}${text.slice(start, end)}${'+'.repeat(30 - before)}`;
        const clean = redact(words, { secrets: [], texts: [text] });
        assert.equal(clean, `${'-'.repeat(before)}•••${'+'.repeat(30 - before)}`);
      }
    }
    assert.equal(redact('the quick b', { secrets: [], texts: [text] }), 'the quick b');
    assert.equal(redact(`${text} or ${text}`, { secrets: [], texts: [text.slice(4, 20), text] }), '••• or •••');
  });

  it('two adjacent quotations are one', () => {
    const texts = ['first sentence of it', 'another one, too long'];
    assert.equal(redact(`<${texts.join('')}>`, { secrets: [], texts }), '<•••>');
  });

  it('a long log keeps its text without its secrets', () => {
    const secrets = [randomUUID(), 'correct horse battery'];
    const line = '[INFO] Downloading https://repo.example/lib-3.12.0.jar (587 kB at 2.1 MB/s), 100% done\n';
    const log = `${line.repeat(20_000)}${secrets.join(' ')}\n${line}`;
    assert.equal(redact(log, { secrets, texts: [] }), `${line.repeat(20_000)}••• •••\n${line}`);
  });

  it('an excerpt is short and has one line', () => {
    assert.equal(excerpt('one\r\n  two\u0000\u001b[31m', nothing), 'one two [31m');
    assert.equal(excerpt('word '.repeat(200), nothing).length, 201);
  });

  it('a secret across the end of an excerpt does not remain in part', () => {
    const secret = 'topsecret-topsecret';
    const shown = excerpt(`${'x '.repeat(95)}${secret}`, { secrets: [secret], texts: [] });
    assert.doesNotMatch(shown, /tops/);
  });

  it('a secret across the end of the examined part does not remain in part', () => {
    const quoted = Array.from({ length: 400 }, (_, word) => `w${word}`).join(' ');
    for (const secret of ['Pa55word!x', 'correct-horse-battery', '0123456789abcdef0123456789abcdef01234567']) {
      for (let length = 950; length < 1_900; length += 3) {
        for (const before of [' '.repeat(length), quoted.slice(0, length)]) {
          const words = `${before}&p=${secret} end`;
          const shown = excerpt(words, { secrets: [secret], texts: [quoted] });
          assert.ok(!shown.includes(secret.slice(0, 4)), `${length}: ${shown}`);
        }
      }
    }
  });

  it("credentials in a URL across the end of the examined part don't remain in part", () => {
    for (let length = 900; length < 2_400; length += 10) {
      const shown = excerpt(`${' '.repeat(length)}//me:${'secret'.repeat(40)}@git.example`, nothing);
      assert.ok(!shown.includes('secret'), `${length}: ${shown}`);
    }
  });

  it('a long text is shown from its beginning', () => {
    const shown = excerpt('word '.repeat(100_000), { secrets: ['correct-horse-battery'], texts: [] });
    assert.equal(shown, `${'word '.repeat(40)}…`);
  });

  it('a known secret is masked in the Base64 form of a login', () => {
    const secret = 'hunter22+';
    for (const user of ['', 'u:', 'me:', 'you:', 'anna:', 'anna@example.com:']) {
      for (const form of ['base64', 'base64url'] as const) {
        for (const after of ['', '\n', '?x', '>>>']) {
          const login = Buffer.from(`${user}${secret}${after}`).toString(form);
          const clean = redact(`Basic ${login}, rejected`, { secrets: [secret], texts: [] });
          assert.equal(clean, 'Basic •••, rejected', `${user}${after} as ${form}`);
        }
      }
    }
  });

  it('a known secret is masked where it is encoded twice or padded', () => {
    const secret = 'pa$$ wörd';
    const spellings = [
      encodeURIComponent(encodeURIComponent(secret)),
      [...Buffer.from(secret)].map((byte) => `%25${byte.toString(16)}`).join(''),
      Array.from(secret, (character) => `&#x00${character.charCodeAt(0).toString(16)};`).join(''),
      Array.from(secret, (character) => `&#00${character.charCodeAt(0)};`).join(''),
    ];
    for (const spelling of spellings) {
      assert.equal(redact(`before ${spelling} after`, { secrets: [secret], texts: [] }), 'before ••• after');
    }
  });
});
