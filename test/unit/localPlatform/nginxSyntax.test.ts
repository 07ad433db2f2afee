import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { nginxSyntaxProblem } from '../../localPlatform/environments/nginxSyntax';

const file = (location: string) => `server {\n  listen 80;\n  root /var/www;\n  ${location}\n}\n`;

describe('local platform: the syntax of nginx', () => {
  it('accepts complete files', () => {
    const text = file('location ~ \\.php$ { fastcgi_param NAME "a; b {"; set $x ${y}z; } # } not code');
    assert.equal(nginxSyntaxProblem(text), undefined);
    assert.equal(nginxSyntaxProblem(''), undefined);
  });

  it('rejects a missing semicolon in the words of nginx', () => {
    const without = (line: string) => nginxSyntaxProblem(file('index index.php;').replace(line, line.slice(0, -1)));
    assert.deepEqual(without('index index.php;'), { words: 'unexpected "}"', line: 5 });
    assert.deepEqual(without('root /var/www;'), { words: 'invalid number of arguments in "root" directive', line: 4 });
    assert.deepEqual(nginxSyntaxProblem('root /a\nlocation / {\n}\n'), {
      words: 'directive "root" is not terminated by ";"',
      line: 2,
    });
    assert.deepEqual(nginxSyntaxProblem('root /a'), { words: 'unexpected end of file, expecting ";" or "}"', line: 1 });
  });

  it('rejects braces that do not match', () => {
    assert.deepEqual(nginxSyntaxProblem('server {\n'), { words: 'unexpected end of file, expecting "}"', line: 2 });
    assert.deepEqual(nginxSyntaxProblem('}\n'), { words: 'unexpected "}"', line: 1 });
  });

  const sample = async () => {
    const folder = join(__dirname, '../../localPlatform/sample');
    const names = (await readdir(folder, { recursive: true })).filter((name) => /nginx.*\.conf$/u.test(name));
    assert.notEqual(names.length, 0);
    return Promise.all(names.map(async (name) => [name, await readFile(join(folder, name), 'utf8')] as const));
  };

  it('accepts the configuration files of the sample', async () => {
    for (const [name, text] of await sample()) assert.equal(nginxSyntaxProblem(text), undefined, name);
  });

  it('rejects them if any semicolon is missing, unless nginx takes what follows for arguments', async () => {
    const accepted: string[] = [];
    for (const [, text] of await sample()) {
      text.split('\n').forEach((line, index, lines) => {
        const without = lines.with(index, line.replace(/;$/u, '')).join('\n');
        if (line.endsWith(';') && nginxSyntaxProblem(without) === undefined)
          accepted.push(line.trim().split(/ +/u)[0] ?? '');
      });
    }
    const quoted = accepted.filter((word) => word.startsWith("'"));
    assert.deepEqual(new Set(accepted), new Set([...quoted, 'gzip_types', 'index', 'server_name', 'try_files']));
  });
});
