import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { limit } from '../../host/limits';
import { PathFilter } from '../../../src/containers/pathFilter';
import { fileAt } from '../../scene/fileAt';

const root = (path = '/var/www') => fileAt(path);

const files = [
  '/var/www/index.php',
  '/var/www/.htaccess',
  '/var/www/a.js',
  '/var/www/b.ts',
  '/var/www/src/main.php',
  '/var/www/src/main.js',
  '/var/www/src/lib/deep/x.php',
  '/var/www/lib/src/y.php',
  '/var/www/srcs/z.txt',
  '/etc/nginx/nginx.conf',
];

/** Returns the files of a folder that the patterns include, relative to it. */
const included = (include: string, exclude: readonly string[] = [], path = '/var/www') => {
  const filter = new PathFilter(root(path), { include, exclude: exclude.join(',') });
  return files
    .filter((file) => path === '/' || file.startsWith(`${path}/`))
    .filter((file) => filter.isIncluded(file) && !filter.isExcluded(file))
    .map((file) => file.slice(path === '/' ? 0 : path.length + 1));
};

const excluded = (...exclude: string[]) => {
  const kept = included('', exclude);
  return included('').filter((file) => !kept.includes(file));
};

const php = ['index.php', 'src/main.php', 'src/lib/deep/x.php', 'lib/src/y.php'];
const inSrc = ['src/main.php', 'src/main.js', 'src/lib/deep/x.php'];

describe('patterns for files', () => {
  it('include everything if there are none', () => {
    assert.equal(included('').length, 9);
    assert.equal(included(' , ').length, 9);
    assert.deepEqual(excluded(''), []);
  });

  it('match names in any folder', () => {
    assert.deepEqual(included('*.php'), php);
    assert.deepEqual(included('main.*'), ['src/main.php', 'src/main.js']);
    assert.deepEqual(included('?.php'), ['src/lib/deep/x.php', 'lib/src/y.php']);
    assert.deepEqual(excluded('*.php'), php);
    assert.deepEqual(included('*.PHP'), []);
  });

  it('take a typed text that starts with a period as the end of a name, but one from a setting as a whole name', () => {
    assert.deepEqual(included('.php'), php);
    assert.deepEqual(included('.htaccess'), ['.htaccess']);
    const filter = new PathFilter(root(), { excludeSetting: ['.git', '.cache'] });
    const paths = ['/var/www/.git', '/var/www/a/.cache', '/var/www/shop.git', '/var/www/app.cache'];
    assert.deepEqual(
      paths.filter((path) => filter.isExcluded(path)),
      ['/var/www/.git', '/var/www/a/.cache'],
    );
  });

  it('match all that is in a folder', () => {
    assert.deepEqual(included('src'), [...inSrc, 'lib/src/y.php']);
    assert.deepEqual(included('src/'), [...inSrc, 'lib/src/y.php']);
    assert.deepEqual(included('src/**'), [...inSrc, 'lib/src/y.php']);
    assert.deepEqual(included('lib/deep'), ['src/lib/deep/x.php']);
    assert.deepEqual(excluded('src'), [...inSrc, 'lib/src/y.php']);
  });

  it('start at the searched folder after a period and a slash', () => {
    assert.deepEqual(included('./src'), inSrc);
    assert.deepEqual(included('./*.php'), ['index.php']);
    assert.deepEqual(included('./main.php'), []);
    assert.equal(included('./').length, 9);
    assert.deepEqual(included('../www'), []);
  });

  it("start at the container's root after a slash", () => {
    assert.deepEqual(included('/etc/nginx', [], '/'), ['/etc/nginx/nginx.conf']);
    assert.deepEqual(included('/var/www/src'), inSrc);
    assert.deepEqual(included('/src'), []);
    assert.equal(included('/', [], '/').length, files.length);
  });

  it('find any folders with two asterisks', () => {
    assert.deepEqual(included('**/x.php'), ['src/lib/deep/x.php']);
    assert.deepEqual(included('./src/**/*.php'), ['src/main.php', 'src/lib/deep/x.php']);
    assert.deepEqual(included('./**/src/*.php'), ['src/main.php', 'lib/src/y.php']);
    assert.equal(included('**').length, 9);
    assert.equal(included('**/*').length, 9);
    assert.deepEqual(included('ma**n.php'), ['src/main.php']);
  });

  it('take alternatives in braces', () => {
    assert.deepEqual(included('*.{js,ts}'), ['a.js', 'b.ts', 'src/main.js']);
    assert.deepEqual(included('./{src,lib}/{main,src/y}.{php,js}'), ['src/main.php', 'src/main.js', 'lib/src/y.php']);
    assert.deepEqual(included('{a,{b,main}}.{js,{ts,php}}'), ['a.js', 'b.ts', 'src/main.php', 'src/main.js']);
    assert.deepEqual(included('{x'), []);
  });

  it('take characters in brackets', () => {
    assert.deepEqual(included('[ab].[jt]s'), ['a.js', 'b.ts']);
    assert.deepEqual(included('./[!ab].*'), []);
    assert.deepEqual(included('[!x].php'), ['lib/src/y.php']);
    assert.deepEqual(included('[^x].php'), ['lib/src/y.php']);
    assert.deepEqual(included('[a-f].*'), ['a.js', 'b.ts']);
    assert.deepEqual(included('[]'), []);
  });

  it('are separated by commas outside of braces and brackets', () => {
    assert.deepEqual(included('*.ts, ./index.php ,,'), ['index.php', 'b.ts']);
    assert.deepEqual(included('[a,b].{js,ts}'), ['a.js', 'b.ts']);
    assert.deepEqual(excluded('*.js', '*.ts, .htaccess'), ['.htaccess', 'a.js', 'b.ts', 'src/main.js']);
  });

  it('count a character beyond the basic plane as one', () => {
    const filter = new PathFilter(root('/'), { include: '?.txt, [\u{1F600}-\u{1F610}]x' });
    assert.equal(filter.isIncluded('/\u{1F600}.txt'), true);
    assert.equal(filter.isIncluded('/\u{1F605}x'), true);
    assert.equal(filter.isIncluded('/\u{1F620}x'), false);
  });

  it('say which folders may contain an included file', () => {
    const may = (include: string, ...folders: string[]) => {
      const filter = new PathFilter(root(), { include });
      return folders.filter((folder) => filter.mayContain(folder));
    };
    const folders = ['/var/www/src', '/var/www/src/lib', '/var/www/lib', '/var/www/lib/src'];
    assert.deepEqual(may('', ...folders), folders);
    assert.deepEqual(may('*.php', ...folders), folders);
    assert.deepEqual(may('./src', ...folders), folders.slice(0, 2));
    assert.deepEqual(may('./src/*.php', ...folders), folders.slice(0, 1));
    assert.deepEqual(may('./*.php', ...folders), []);
    assert.deepEqual(may('/var/www/lib/src', ...folders), folders.slice(2));
    assert.deepEqual(may('/etc', ...folders), []);
  });

  it('take no long time, however they are written', () => {
    const name = 'a'.repeat(255);
    const path = `/var/www/${Array<string>(8).fill(name).join('/')}`;
    const hostile = [
      `${'*a'.repeat(100)}b`,
      `./${'**/'.repeat(200)}b`,
      `${'**/*a*/'.repeat(100)}b`,
      `{${'a,'.repeat(2_000)}}`,
      '{a,b}'.repeat(50),
      '{'.repeat(5_000),
      `[${'a'.repeat(5_000)}`,
      ','.repeat(20_000),
    ];
    const begun = performance.now();
    for (const pattern of hostile) {
      const filter = new PathFilter(root(), { include: pattern, exclude: pattern, excludeSetting: [pattern] });
      filter.isIncluded(path);
      filter.isExcluded(path);
      filter.mayContain(path);
    }
    assert.ok(performance.now() - begun < limit(1_000), `${performance.now() - begun}`);
  });
});
