import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { languagesFor } from '../../../src/files/configurationLanguages';

const first = (path: string) => languagesFor(path)[0];

describe('the language of a configuration file', () => {
  it('is that of the web server it configures', () => {
    for (const path of [
      '/etc/nginx/mime.types',
      '/etc/nginx/sites-enabled/default',
      '/opt/nginx/conf/extra.conf',
      '/usr/local/nginx-custom.conf',
    ]) {
      assert.equal(first(path), 'nginx', path);
    }
    for (const path of [
      '/etc/httpd/conf/magic',
      '/etc/apache2/ports.conf',
      '/opt/httpd/conf/a.conf',
      '/srv/.htaccess',
    ]) {
      assert.equal(first(path), 'apacheconf', path);
    }
  });

  it("isn't set for logs and pages in the folder of a web server", () => {
    for (const path of [
      '/var/log/httpd/access_log',
      '/etc/httpd/logs/error_log',
      '/var/log/nginx/error.log',
      '/usr/share/nginx/html/robots.txt',
      '/var/www/apache2/readme',
    ]) {
      assert.deepEqual(languagesFor(path), [], path);
    }
  });
});
