import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { letterMask, parseNameQuery } from '../../../../src/search/goToFile/nameQuery';
import { type NamesInFolder, searchNames } from '../../../../src/search/goToFile/nameSearch';

const root = '/var/www';

function folderWith(path: string, names: readonly string[]): NamesInFolder {
  return { path, names, masks: names.map((name) => letterMask(name.toLowerCase())) };
}

/** Returns the found paths below the root, best first. */
function found(typed: string, paths: readonly string[], most = 100): readonly string[] {
  const folders = new Map<string, string[]>();
  for (const path of paths) {
    const whole = path.startsWith('/') ? path : `${root}/${path}`;
    const end = whole.lastIndexOf('/');
    const folder = whole.slice(0, end);
    folders.set(folder, [...(folders.get(folder) ?? []), whole.slice(end + 1)]);
  }
  const all = [...folders].map(([path, names]) => folderWith(path, names));
  return searchNames(all, parseNameQuery(typed), { from: root, most }).map(({ folder, name }) =>
    `${folder}/${name}`.replace(`${root}/`, ''),
  );
}

describe('the ranking of file names', () => {
  const table: readonly (readonly [because: string, typed: string, best: string, worse: string])[] = [
    ['a name before a path', 'shop', 'a/b/c/workshop.txt', 'shop/a.txt'],
    ['the start of a name before its middle', 'conf', 'config.php', 'shop.conf'],
    ['a shorter name with the same start', 'index', 'index.js', 'index.html.twig'],
    ['the start of a word before its middle', 'log', 'my-log.txt', 'catalog.txt'],
    ['the start of a word after an underscore', 'model', 'user_model.php', 'remodel.php'],
    ['the start of a word in camel case', 'fb', 'myFooBar.ts', 'myfolderbin.ts'],
    ['letters in a row before scattered ones', 'user', 'myuser.php', 'much_slower.php'],
    ['the same case', 'README', 'README.md', 'readme.md'],
    ['the shorter path of the same name', 'index.php', 'index.php', 'a/b/index.php'],
    ['a part of the path that starts a name', 'src/app', 'src/app.ts', 'asrc/b/capp.ts'],
    ['a folder in a row before a scattered one', 'sites/shop', 'sites/shop.conf', 's/i/t/e/s/shop.conf'],
  ];
  for (const [because, typed, best, worse] of table) {
    it(`prefers ${because}`, () => {
      assert.deepEqual(found(typed, [worse, best]), [best, worse]);
      assert.deepEqual(found(typed, [best, worse]), [best, worse]);
    });
  }

  it('needs all letters in their order', () => {
    assert.deepEqual(found('pohs', ['shop.conf']), []);
    assert.deepEqual(found('shcf', ['shop.conf', 'shop.txt']), ['shop.conf']);
  });

  it('needs all parts between spaces, in any order, in the name or the path', () => {
    const paths = ['sites/shop.conf', 'sites/blog.conf', 'shop/a.txt', 'shop/conf.txt'];
    assert.deepEqual(found('conf shop', paths), ['sites/shop.conf', 'shop/conf.txt']);
  });

  it('finds the file of two parts also among hundreds of folders whose names hold one of them', () => {
    const others = Array.from({ length: 900 }, (_, n) => `sites/photos/p${n}/index.php`);
    assert.equal(found('shop/ index', [...others, 'a/b/c/d/shop/index.php'])[0], 'a/b/c/d/shop/index.php');
  });

  it('compares a part with a slash with the path, not with the name', () => {
    assert.deepEqual(found('tes/blo', ['sites/blog.conf', 'blog/sites.conf']), ['sites/blog.conf']);
  });

  it('compares a part that starts with a slash with the path from the root of the container', () => {
    assert.deepEqual(found('/var/www/in', ['index.php', 'var/x.txt']), ['index.php']);
    assert.deepEqual(found('var', ['index.php']), []);
  });

  it('puts the path that was typed first', () => {
    assert.deepEqual(found('/var/www/a/b', ['aa/b', 'a/b', 'a/bb']).at(0), 'a/b');
  });

  it('matches characters other than letters, and capitals of other languages', () => {
    assert.deepEqual(found('é-1', ['É-19.txt', 'e-19.txt']), ['É-19.txt']);
    assert.deepEqual(found('ß', ['straße.txt']), ['straße.txt']);
  });

  it('returns the best if there are many', () => {
    const many = Array.from({ length: 500 }, (_, index) => `x${index}/a-file-${index}.txt`);
    assert.deepEqual(found('file-499', [...many, 'deep/down/file-499'], 2), [
      'deep/down/file-499',
      'x499/a-file-499.txt',
    ]);
  });

  it('finds nothing if nothing is typed', () => {
    assert.deepEqual(found('', ['a/b/c.txt', 'b.txt']), []);
  });
});

describe('a query for a name', () => {
  const table: readonly (readonly [
    typed: string,
    name: string,
    line: number | undefined,
    column: number | undefined,
  ])[] = [
    ['shop.conf', 'shop.conf', undefined, undefined],
    ['shop.conf:12', 'shop.conf', 11, 0],
    ['shop.conf:12:5', 'shop.conf', 11, 4],
    ['shop.conf:', 'shop.conf', undefined, undefined],
    ['shop.conf:12:', 'shop.conf', 11, 0],
    ['/etc/hosts:3', '/etc/hosts', 2, 0],
    ['shop.conf:0', 'shop.conf', 0, 0],
    ['a:b', 'a:b', undefined, undefined],
  ];
  for (const [typed, name, line, column] of table) {
    it(`reads ${typed}`, () => {
      const { parts, position } = parseNameQuery(typed);
      assert.deepEqual(
        parts.map(({ text }) => text),
        [name],
      );
      assert.deepEqual(position, line === undefined ? undefined : { line, column });
    });
  }
});

describe('100,000 names', () => {
  const names = Array.from(
    { length: 50 },
    (_, index) => `${['UserModel', 'index', 'wp-config', 'shop'][index % 4]}-${index}.php`,
  );
  const folders = Array.from({ length: 2_000 }, (_, index) =>
    folderWith(`${root}/vendor-${index % 40}/package/src/${index}`, names),
  );

  // A multiple of the time for the cheapest look at each name, so that the machine doesn't matter.
  const cheapest = () => {
    const began = performance.now();
    let length = 0;
    for (const folder of folders) for (const name of folder.names) length += name.toLowerCase().indexOf('zz');
    assert.equal(length, -100_000);
    return performance.now() - began;
  };
  const fastest = (work: () => unknown) =>
    Math.min(
      ...Array.from({ length: 5 }, () => {
        // The time of the processor, so that other programs on a busy machine don't count.
        const began = process.cpuUsage();
        work();
        const { user, system } = process.cpuUsage(began);
        return (user + system) / 1000;
      }),
    );

  for (const typed of [
    'i',
    'wpc',
    'model',
    'package',
    'vendor src shop',
    'src/1999/ind',
    'vendor-39/package',
    'pcksrc',
    'zzz',
  ]) {
    it(`are searched for ${typed} within 30 times the time of the simplest search`, function () {
      const unit = fastest(cheapest);
      const time = fastest(() => searchNames(folders, parseNameQuery(typed), { from: root, most: 200 }));
      assert.ok(time < 30 * unit, `${time.toFixed(1)} ms, ${(time / unit).toFixed(1)} times ${unit.toFixed(1)}`);
    });
  }
});
