import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { excerpt, redact } from '../../../src/platform/redact';

const nothing = { secrets: [], texts: [] };

describe('what may be shown', () => {
  it('a known secret is taken out in every spelling that servers give it', () => {
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

  it('texts are masked fast enough for every failure in a busy window', () => {
    const begin = process.cpuUsage();
    for (const words of ['environment [shop] not exist', '<title>502 &amp; more</title>']) {
      // Each secret is new, so that a cached pattern doesn't help.
      for (let n = 0; n < 25; n += 1) excerpt(words, { secrets: [randomUUID(), randomUUID()], texts: [] });
    }
    const { user, system } = process.cpuUsage(begin);
    assert.ok(user + system < 800_000, `50 excerpts took ${(user + system) / 1000} ms`);
  });

  it('a secret that holds another is taken out whole', () => {
    assert.equal(redact('x secret-long y', { secrets: ['secret', 'secret-long'], texts: [] }), 'x ••• y');
  });

  it('a secret too short to be cut out takes everything with it', () => {
    assert.equal(redact('the password 1a is wrong', { secrets: ['1a'], texts: [] }), '•••');
    assert.equal(redact('nothing here', { secrets: ['1a', ''], texts: [] }), 'nothing here');
  });

  it('sessions, tokens and logins in addresses are known by their shape', () => {
    const session = 'd0a1xe8d7f8f4bd4d6b5f6ad1f1eb5c2b2c1';
    assert.equal(session.length, 36);
    assert.equal(redact(`session [${session}] expired`, nothing), 'session [•••] expired');
    assert.equal(redact(`token ${'0123456789abcdef'.repeat(3).slice(0, 40)} bad`, nothing), 'token ••• bad');
    assert.equal(redact('fatal: https://me:pw@git.example/x.git', nothing), 'fatal: https://•••@git.example/x.git');
    assert.equal(
      redact('path /var/www/webroot/ROOT/index.html not exist', nothing),
      'path /var/www/webroot/ROOT/index.html not exist',
    );
  });

  it('a quotation of a text is taken out, whether it is part of a line or all of it', () => {
    const text = 'first line\nDB_PASSWORD=hunter2hunter2\nlast line';
    const clean = redact('cannot parse "DB_PASSWORD=hunter2hunter2" in line 2', { secrets: [], texts: [text] });
    assert.equal(clean, 'cannot parse "•••" in line 2');
    assert.equal(redact('bad: tiny!', { secrets: [], texts: ['tiny!'] }), 'bad: •••');
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
});
