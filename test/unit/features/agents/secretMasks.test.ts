import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import { isKeyFile } from '../../../../src/containers/secretFiles';
import { gainsMasks } from '../../../../src/files/text';
import { inOriginal, maskSecrets, staysMasked } from '../../../../src/features/agents/secretMasks';
import { namesSecret } from '../../../../src/features/agents/secretNames';
import { projectFolder } from '../../../host/folders';
import { limit } from '../../../host/limits';
import { SeededRandom } from '../../../soak/seededRandom';
import { formatCount, randomSettings } from './randomSettings';

const masked = (path: string, text: string) =>
  maskSecrets(path, text).text.replaceAll(/masked-by-gantry-[0-9a-f]{12}/g, '•');

/** The files in a text that has each below a line with its path. */
function filesIn(name: string): readonly (readonly [path: string, text: string])[] {
  const [, ...parts] = readFileSync(join(projectFolder, 'test/unit/features/agents', name), 'utf8').split(/^=== /m);
  return parts.map((part) => {
    const end = part.indexOf('\n');
    return [part.slice(0, end), part.slice(end + 1).replace(/\n$/, '')] as const;
  });
}

describe('secrets in texts that language models read', () => {
  it('are masked in 3,500 generated files of seven formats, and all else stays', () => {
    for (let seed = 0; seed < 500 * formatCount; seed += 1) {
      const { path, text, secrets, harmless } = randomSettings(new SeededRandom(seed), seed);
      const shown = maskSecrets(path, text);
      const where = `seed ${seed}\n${text}\n---\n${shown.text}`;
      for (const secret of secrets) {
        assert.ok(!shown.text.includes(secret), `${secret} is shown: ${where}`);
      }
      assert.equal(shown.text.split('\n').length, text.split('\n').length, where);
      const lines = new Set(shown.text.split(/\r?\n/));
      for (const line of harmless) {
        assert.ok(lines.has(line), `${line} isn't shown: ${where}`);
      }
      assert.equal(shown.text.includes('\r'), text.includes('\r'), where);
      const [line = ''] = harmless;
      const start = shown.text.indexOf(line);
      if (line !== '' && text.split(line).length === 2) {
        const written =
          inOriginal(shown, [{ start, end: start + line.length, newText: '# gone' }]) ?? assert.fail(where);
        const [{ start: at, end, newText } = assert.fail(where)] = written;
        const after = text.slice(0, at) + newText + text.slice(end);
        assert.equal(
          after,
          text.replace(line, () => newText),
          where,
        );
        assert.ok(staysMasked(shown, maskSecrets(path, after), written), where);
      }
    }
  });

  it('are masked in 456 files as people have them, also with line ends of Windows or a byte order mark', () => {
    for (const [path, unix] of filesIn('secretTexts.txt')) {
      for (const text of [unix, unix.replaceAll('\n', '\r\n'), `\uFEFF${unix}`]) {
        const shown = maskSecrets(path, text).text;
        assert.doesNotMatch(shown, /Zq7xK9pL/, `${path}\n${JSON.stringify(text)}`);
        assert.equal(shown.split('\n').length, text.split('\n').length, path);
      }
    }
  });

  it('are not seen where there are none', () => {
    for (const [path, text] of filesIn('harmlessTexts.txt')) {
      assert.equal(maskSecrets(path, text).text, text, path);
    }
  });

  it('are values of keys that name a secret, and not what is said about one', () => {
    const secret = ['password', 'DB_PASS', 'apiKey', 'x-api-key', 'AUTH_KEY', 'SECURE_AUTH_SALT', '_authToken', 'pwd'];
    const harmless = ['password_file', 'TOKEN_TTL', 'passenger', 'key', 'public_key', 'author', 'compass', 'tokenizer'];
    assert.deepEqual(
      [...secret, ...harmless].filter((key) => namesSecret(key)),
      secret,
    );
  });

  for (const [name, path, text, expected] of [
    ['references to variables stay', '/a/.env', 'PASSWORD=${DB_PASSWORD}\nTOKEN=', 'PASSWORD=${DB_PASSWORD}\nTOKEN='],
    [
      'prose stays',
      '/a/README',
      'To set the password: run this.\n# The token is = 5',
      'To set the password: run this.\n# The token is = 5',
    ],
    ['logins in URLs go', '/a/.env', 'DATABASE=mysql://shop:hunter2@db/shop', 'DATABASE=mysql://•@db/shop'],
    ['Redis', '/etc/redis.conf', 'requirepass hunter2\nport 6379', 'requirepass •\nport 6379'],
    ['npm', '/root/.npmrc', '//npm.example/:_authToken=hunter2', '//npm.example/:_authToken=•'],
    ['PostgreSQL', '/root/.pgpass', 'db:5432:shop:shop:hunter2', 'db:5432:shop:shop:•'],
    ['password files', '/etc/.htpasswd', 'marit:$apr1$hunter2', 'marit:•'],
    ['TOML', '/a/config.toml', '[db]\nhost = "db"\npassword = "hunter2"', '[db]\nhost = "db"\npassword = "•"'],
    [
      'Python',
      '/a/settings.py',
      "DATABASES = {\n  'PASSWORD': 'hunter2',\n  'PORT': '1',\n}",
      "DATABASES = {\n  'PASSWORD': '•',\n  'PORT': '1',\n}",
    ],
    [
      'nginx stays',
      '/etc/nginx/nginx.conf',
      'ssl_certificate_key /etc/a.key;\nauth_basic "Shop";',
      'ssl_certificate_key /etc/a.key;\nauth_basic "Shop";',
    ],
    [
      'Kubernetes',
      '/a/secret.yml',
      'kind: Secret\ndata:\n  a: aHVudGVyMg==\n  b: c2VjcmV0\nname: x',
      'kind: Secret\ndata:\n  a: •\n  b: •\nname: x',
    ],
    [
      'private keys',
      '/a/app.conf',
      'key:\n-----BEGIN RSA PRIVATE KEY-----\nabc\ndef\n-----END RSA PRIVATE KEY-----',
      'key:\n-----BEGIN RSA PRIVATE KEY-----\n•\n•\n-----END RSA PRIVATE KEY-----',
    ],
  ] as const) {
    it(`in known files: ${name}`, () => {
      assert.equal(masked(path, text), expected);
    });
  }

  it('have the same mask if they are the same', () => {
    const [one, other] = maskSecrets('/.env', 'A_PASSWORD=hunter2\nB_PASSWORD=hunter2\nC_PASSWORD=hunter3')
      .text.split('\n')
      .map((line) => line.slice(line.indexOf('=') + 1));
    assert.equal(one, other);
    assert.equal(new Set(maskSecrets('/.env', 'A_TOKEN=hunter1\nB_TOKEN=hunter2').text.match(/masked-\S+/g)).size, 2);
  });

  it('are touched by no edit, and uncovered by none', () => {
    const text = 'HOST=db\nDB_PASSWORD="correct horse battery"\nURL=mysql://shop:hunter2@db/x\n';
    const shown = maskSecrets('/.env', text);
    const edit = (oldText: string, newText: string) => {
      const start = shown.text.indexOf(oldText);
      const written = inOriginal(shown, [{ start, end: start + oldText.length, newText }]);
      const [one] = written ?? [];
      const after = one === undefined ? '' : text.slice(0, one.start) + one.newText + text.slice(one.end);
      return written === undefined ? 'touched' : staysMasked(shown, maskSecrets('/.env', after), written);
    };
    const [mask = ''] = shown.text.match(/masked-by-gantry-\w+/g) ?? [];
    assert.equal(edit(`"${mask}"`, '""'), 'touched');
    assert.equal(edit('HOST=db', 'HOST=other'), true);
    for (const [oldText, newText] of [
      ['DB_PASSWORD', 'DB_TITLE'],
      ['DB_PASSWORD="', 'X=a://b?password='],
      ['mysql://', 'mysql-'],
      ['HOST=db\nDB_PASSWORD="', 'HOST=db\n# The title is "'],
    ] as const) {
      assert.equal(edit(oldText, newText), false, newText);
    }
  });

  it('have masks that are told apart from what only looks like one', () => {
    const { text } = maskSecrets('/.env', 'TOKEN=hunter2');
    assert.equal(gainsMasks(text), true);
    assert.equal(gainsMasks(text, text), false);
    assert.equal(gainsMasks(`${text}\n${text}`, text), true);
    assert.equal(gainsMasks('masked-by-gantry-000000000000 masked-by-gantry- masked-by-gantry-12'), false);
  });

  it('are not read at all in folders of secrets, whatever leads there', () => {
    const file = { kind: 'file', account: 'a', environment: 'shop', target: { nodeGroup: 'cp' } } as const;
    for (const path of ['/run/secrets/db', '/var/run/secrets/kubernetes.io/serviceaccount/token', '/proc/1/environ']) {
      assert.ok(isKeyFile({ ...file, path }), path);
    }
  });

  it('are found in a long text in time', () => {
    const line = 'listen 80; # https://shop.example/a?b=c and "quotes" and password\n';
    for (const path of ['/a.conf', '/a.yaml', '/a.php', '/a.xml', '/a.json', '/a.properties']) {
      const started = process.cpuUsage();
      maskSecrets(path, line.repeat(20_000));
      maskSecrets(path, `<?php ${'"'.repeat(50_000)}${"password='".repeat(2000)}`);
      for (const part of [
        ' ',
        '\r',
        'a',
        'a-',
        "password='a' ",
        '"token":[{',
        'PDO(',
        'value=',
        '{"a":1,"token":"x1y2z3"},',
      ]) {
        maskSecrets(path, part.repeat(20_000 / part.length));
      }
      // Other programs may keep the processor busy.
      assert.ok(process.cpuUsage(started).user < limit(3_000_000), path);
    }
  });

  it('are found in one long line in time', () => {
    const started = process.cpuUsage();
    for (const path of ['/a.conf', '/a.yaml', '/a.php', '/a.xml']) {
      for (const piece of [' ', '\r', 'a', '/']) {
        maskSecrets(path, `${piece.repeat(200_000)}password = x1y2z3`);
        maskSecrets(path, `${piece.repeat(200_000)}=x`);
      }
      maskSecrets(path, `<a b="' ${'a'.repeat(200_000)}">x</a>`);
    }
    assert.ok(process.cpuUsage(started).user < limit(20_000_000));
  }).timeout(limit(60_000));
});
