import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { languagesFor } from '../../../src/files/configurationLanguages';

describe('the language of a configuration file', () => {
  for (const [path, language] of [
    ['/etc/nginx/nginx.conf', 'nginx'],
    ['/etc/nginx/fastcgi_params', 'nginx'],
    ['/etc/nginx/sites-enabled/shop', 'nginx'],
    ['/usr/local/nginx/conf/sites/shop.conf', 'nginx'],
    ['/etc/httpd/conf.d/ssl.conf', 'apacheconf'],
    ['/etc/apache2/envvars', 'apacheconf'],
    ['/opt/apache2/conf/extra/vhosts.conf', 'apacheconf'],
    ['/var/www/webroot/ROOT/.htaccess', 'apacheconf'],
  ] as const) {
    it(`fits ${path}`, () => assert.equal(languagesFor(path)[0], language));
  }

  for (const path of [
    '/var/log/httpd/access_log',
    '/var/log/nginx/error.log',
    '/etc/httpd/logs/error_log',
    '/usr/share/nginx/html/robots.txt',
    '/var/www/apache2/notes',
    '/etc/nginx-notes/todo',
  ]) {
    it(`isn't chosen for ${path}`, () => assert.deepEqual(languagesFor(path), []));
  }
});
