import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { limit } from '../../host/limits';
import manifest from '../../../package.json';
import { placeOnLayer } from '../../../src/containers/place';
import {
  holdsLogin,
  mayHoldSecrets,
  secretFilePatterns,
  shownText,
  withoutLogins,
} from '../../../src/containers/secretFiles';

const place = (path: string) => placeOnLayer({ account: 'a', name: 'shop' }, 'cp', 1, path);
const secret = (path: string, more?: readonly string[]) => mayHoldSecrets(place(path), more);

describe('files that may hold secrets', () => {
  it('are keys, logins, and configuration with passwords, in any folder and in capitals', () => {
    const names = [
      '.env',
      '.env.production',
      'wp-config.php',
      'wp-config.php.bak',
      'tls.key',
      'TLS.PEM',
      'a.p12',
      'a.pfx',
      'a.jks',
      'a.keystore',
      'a.ppk',
      'id_rsa',
      'id_dsa',
      'id_ecdsa',
      'id_ed25519',
      '.htpasswd',
      '.npmrc',
      '.pgpass',
      '.my.cnf',
      '.netrc',
      '.git-credentials',
      '.git/config',
    ];
    assert.deepEqual(
      names.filter((name) => !secret(`/var/www/webroot/ROOT/${name}`)),
      [],
    );
    assert.ok(secret('/var/lib/jelastic/vcs/ROOT/config'));
  });

  it('are what the system keeps secrets in, and all in a folder of keys', () => {
    const paths = [
      '/root/.ssh/authorized_keys',
      '/root/.ssh/config',
      '/root/.gnupg/pubring.kbx',
      '/etc/shadow',
      '/etc/shadow-',
      '/etc/gshadow',
      '/run/secrets/database',
      '/var/run/secrets/database',
      '/proc/1/environ',
      '/etc/varnish/secret',
    ];
    assert.deepEqual(
      paths.filter((path) => !secret(path)),
      [],
    );
  });

  it('are copies of such files and folders, too, as editors and people name them', () => {
    const paths = [
      '/var/www/server.key.bak',
      '/var/www/server.key.old.2',
      '/var/www/.npmrc~',
      '/var/www/.env~',
      '/var/www/.ENV-backup',
      '/var/www/.env copy',
      '/var/www/.env copy 2.production',
      '/var/www/wp-config copy.php',
      '/root/id_rsa_old',
      '/root/id_rsa (1)',
      '/root/.id_rsa.swp',
      '/root/.id_rsa.swo',
      '/root/#id_rsa#',
      '/root/.#.pgpass',
      '/etc/varnish/secret.orig',
      '/root/.ssh.bak/config',
      '/var/www/ROOT copy/.git.old/config',
    ];
    assert.deepEqual(
      paths.filter((path) => !secret(path)),
      [],
    );
    assert.ok(secret('/var/www/passwords.txt~', ['passwords.txt']));
  });

  it("aren't other files, unless the setting names them", () => {
    const names = [
      'nginx.conf',
      'id_rsa.pub',
      'config',
      'wp-config-sample.php',
      'my.cnf',
      'environment.ts',
      'keys.txt',
      'nginx.conf.bak',
      '.htaccess~',
      'id_rsa.pub.old',
      'release-2026/index.php',
      '_old',
      'bak',
    ];
    assert.deepEqual(
      names.filter((name) => secret(`/var/www/${name}`)),
      [],
    );
    assert.ok(secret('/var/www/keys.txt', ['keys.*']));
  });

  it('are the same in the setting as in the code', () => {
    const { default: patterns } = manifest.contributes.configuration.properties['gantry.versionHistory.exclude'];
    assert.deepEqual(patterns, secretFilePatterns);
  });
});

describe("a repository's login", () => {
  it('is in files of Git and of the platform, wherever the repository is', () => {
    const root = '/var/www/webroot/ROOT';
    const files = [
      `${root}/.git/config`,
      `${root}/.GIT/CONFIG`,
      `${root}/.git/modules/tea/config`,
      '/root/.git-credentials',
      '/var/lib/jelastic/vcs/ROOT.properties',
    ];
    assert.deepEqual(
      files.filter((file) => !holdsLogin(place(file))),
      [],
    );
    const others = [`${root}/config`, `${root}/.git/HEAD`, `${root}/.env`, `${root}/.gitignore`];
    assert.deepEqual(
      others.filter((file) => holdsLogin(place(file))),
      [],
    );
  });

  it('is removed from URLs, even if it contains an at sign', () => {
    const said = withoutLogins(
      "fatal: 'https://marit:cold@tea@git.example.com/shop.git' not found, ask me@example.com",
    );
    assert.equal(said, "fatal: 'https://•••@git.example.com/shop.git' not found, ask me@example.com");
  });

  describe('in a log that repeats them', () => {
    for (const [kind, line] of [
      [
        'a password with the characters of a URL',
        'spawn git clone http://marit:cold%3Ftea%2Fwith%26milk@git.example.com/t.git x',
      ],
      ['a password with an @ and a slash', 'spawn git clone http://marit:cold@tea/secret@git.example.com/t.git x'],
      ['a token alone', 'fatal: unable to access https://cold-tea-secret@git.example.com/t.git/'],
      ['a user name with an @', 'fatal: https://cold@tea.com:p/secret@git.example.com/t.git'],
      ['a user name with an apostrophe', "fatal: https://o'cold:tea@git.example.com/t.git"],
      ['a password with quotes', `fatal: 'https://marit:cold"tea'secret@git.example.com/t.git'`],
      ['a password with angle brackets', 'fatal: https://marit:<cold>tea@git.example.com/t.git'],
      ['a password like a port and a path', 'fatal: https://cold:123/tea@git.example.com'],
      ['a user name and a password like an address', 'fatal: https://cold.tea:2026/secret@git.example.com/t.git'],
      ['the second URL of a word', 'fatal: https://example.com/a,https://marit:cold-tea@git.example.com/t.git'],
      ['an option of Subversion', 'spawn svn checkout svn://svn.example.com/t --username marit --password cold-tea x'],
      ['a quoted option', "svn update --password 'cold tea' /var/www"],
      ['a setting', "PASSWORD='cold tea secret'"],
    ] as const) {
      it(`shows nothing of ${kind}`, () => {
        const shown = withoutLogins(`before\r\n${line}\r\nafter`);
        assert.doesNotMatch(shown, /cold|tea|secret/);
        assert.match(shown, /^before\r\n.*•••.*\r\nafter$/);
      });
    }

    it('keeps ports, and addresses without a login', () => {
      const said = 'https://git.example.com:8443/a@b.git http://127.0.0.1:80/x, svn://h/p@12 and marit@example.com';
      assert.equal(withoutLogins(said), said);
      const others =
        'http://localhost:3000/a@b http://[::1]:80/a@b {"url":"https://example.com:8443","by":"marit@example.com"}';
      assert.equal(withoutLogins(others), others);
      assert.equal(withoutLogins('https://marit@example.com:80/t'), 'https://•••@example.com:80/t');
    });

    it('takes no longer for a long line', () => {
      const started = process.cpuUsage();
      for (const part of ['a://b:', 'a://b.c:1/', '"a://b', "--password '", 'a://b@', 'x', ':', '[a:']) {
        for (const isUnfinished of [false, true]) {
          withoutLogins(part.repeat(1_000_000 / part.length), undefined, isUnfinished);
        }
      }
      // Most of it would take minutes if each URL looked at the rest of the line.
      assert.ok(process.cpuUsage(started).user < limit(20_000_000));
    });
  });

  it('is removed from a line that is still being written, before its end shows that it is one', () => {
    const written = (text: string) => withoutLogins(text, undefined, true);
    assert.equal(written('clone https://marit:cold-te'), 'clone https://•••');
    assert.equal(written('clone https://marit:cold@te'), 'clone https://•••');
    assert.equal(written('clone https://cold-te'), 'clone https://•••');
    assert.equal(written("svn --password 'cold te"), 'svn --password •••');
    for (const text of ['see https://git.example.com', 'see http://127.0.0.1:80', 'http://a:80 is up', 'https://a/b']) {
      assert.equal(written(text), text);
    }
  });

  it("keeps its length where positions count, and stays in files that aren't logs", () => {
    const line = 'spawn git clone http://marit:tea@host/x.git\n';
    const masked = 'spawn git clone http://•••••••••@host/x.git\n';
    assert.equal(shownText(place('/var/log/nginx/vcs_update.log'), line), masked);
    assert.equal(shownText(place('/opt/nodejs/logs/vcs_update.log-20261127'), line), masked);
    assert.equal(shownText(place('/var/www/webroot/ROOT/.git/logs/HEAD'), line), masked);
    assert.equal(shownText(place('/var/www/webroot/ROOT/.env'), line), line);
  });
});
