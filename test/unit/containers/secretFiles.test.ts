import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import manifest from '../../../package.json';
import { placeOnLayer } from '../../../src/containers/place';
import { mayHoldSecrets, secretFilePatterns } from '../../../src/containers/secretFiles';

const secret = (path: string, more?: readonly string[]) =>
  mayHoldSecrets(placeOnLayer({ account: 'a', name: 'shop' }, 'cp', 1, path), more);

describe('files that may hold secrets', () => {
  it('are keys, logins, and configuration with passwords, in any folder and in capitals', () => {
    const names = [
      ...['.env', '.env.production', 'wp-config.php', 'wp-config.php.bak', 'tls.key', 'TLS.PEM', 'a.p12', 'a.pfx'],
      ...['a.jks', 'a.keystore', 'a.ppk', 'id_rsa', 'id_dsa', 'id_ecdsa', 'id_ed25519', '.htpasswd', '.npmrc'],
      ...['.pgpass', '.my.cnf', '.netrc', '.git-credentials', '.git/config'],
    ];
    assert.deepEqual(
      names.filter((name) => !secret(`/var/www/webroot/ROOT/${name}`)),
      [],
    );
    assert.ok(secret('/var/lib/jelastic/vcs/ROOT/config'));
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
