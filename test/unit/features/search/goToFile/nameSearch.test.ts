import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import {
  isNarrower,
  letterMask,
  type NamesInFolder,
  parseNameQuery,
  searchNames,
} from '../../../../../src/features/search/goToFile/nameSearch';

const root = '/var/www';

/** A shop with a blog, as in a container. */
const webPaths: readonly string[] = [
  'index.php',
  '.htaccess',
  'wp-config.php',
  'wp-config-sample.php',
  'wp-login.php',
  'wp-cron.php',
  'xmlrpc.php',
  ...['index', 'admin', 'edit', 'users', 'options', 'upload', 'user-edit', 'edit-comments', 'nav-menus', 'plugins'].map(
    (name) => `wp-admin/${name}.php`,
  ),
  ...['functions', 'user', 'post', 'class-wp-query', 'class-wp-user', 'load', 'option', 'general-template'].map(
    (name) => `wp-includes/${name}.php`,
  ),
  ...['storefront', 'storefront-child', 'twentytwenty'].flatMap((theme) =>
    ['style.css', 'functions.php', 'header.php', 'footer.php', 'index.php', 'single.php', 'assets/css/editor.css'].map(
      (name) => `wp-content/themes/${theme}/${name}`,
    ),
  ),
  ...['shop.php', 'config.php', 'readme.txt', 'includes/class-shop-cart.php', 'includes/class-shop-gateway.php'].map(
    (name) => `wp-content/plugins/shop/${name}`,
  ),
  ...['cache.php', 'config-cache.php', 'readme.txt', 'includes/class-cache.php', 'includes/functions.php'].map(
    (name) => `wp-content/plugins/cache/${name}`,
  ),
  ...['User', 'Order', 'Product', 'Customer', 'Invoice'].flatMap((name) => [
    `app/src/Model/${name}Model.php`,
    `app/src/Controller/${name}Controller.php`,
    `app/src/Repository/${name}Repository.php`,
    `app/tests/${name}ModelTest.php`,
    ...['list', 'edit', 'show'].map((view) => `app/templates/${name.toLowerCase()}/${view}.html.twig`),
  ]),
  ...['.env', '.env.local', 'composer.json', 'composer.lock', 'README.md', 'public/index.php'].map(
    (name) => `app/${name}`,
  ),
  ...['services', 'routes', 'security', 'packages/cache', 'packages/doctrine', 'packages/framework'].map(
    (name) => `app/config/${name}.yaml`,
  ),
  ...['base', 'layout', 'error'].map((name) => `app/templates/${name}.html.twig`),
  ...['nginx.conf', 'mime.types', 'fastcgi_params', 'sites/shop.conf', 'sites/blog.conf', 'sites/default.conf'].map(
    (name) => `conf/nginx/${name}`,
  ),
  ...['php/php.ini', 'php/php-fpm.conf', 'php/conf.d/opcache.ini', 'mysql/my.cnf', 'hosts'].map(
    (name) => `conf/${name}`,
  ),
  ...['error.log', 'access.log', 'access.log.1'].map((name) => `logs/nginx/${name}`),
  ...['deploy.sh', 'backup.sh', 'restore-backup.sh'].map((name) => `scripts/${name}`),
];

function folderWith(path: string, names: readonly string[]): NamesInFolder {
  const lower = names.map((name) => name.toLowerCase());
  return { path, names, lower, masks: lower.map(letterMask) };
}

function foldersWith(paths: readonly string[]): readonly NamesInFolder[] {
  const folders = new Map<string, string[]>();
  for (const path of paths) {
    const whole = path.startsWith('/') ? path : `${root}/${path}`;
    const end = whole.lastIndexOf('/');
    const folder = whole.slice(0, end);
    folders.set(folder, [...(folders.get(folder) ?? []), whole.slice(end + 1)]);
  }
  return [...folders].map(([path, names]) => folderWith(path, names));
}

/** Returns the found paths below the root, best first. */
function found(typed: string, paths: readonly string[], most = 100): readonly string[] {
  const { best } = searchNames(foldersWith(paths), parseNameQuery(typed), { from: root, most });
  return best.map(({ folder, name }) => `${folder}/${name}`.replace(`${root}/`, ''));
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
    ['the starts of several words before the middle of one', 'uc', 'UserController.php', 'product.php'],
    ['letters in a row in the path before scattered ones in a name', 'user', 'user/a.php', 'much_slower.php'],
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

  it('is the same if only the results of the query before are searched', () => {
    for (const typed of ['usermodel', 'src/use', 'conf shop', 'shop/ind', '/var/www/web', 'Wpc']) {
      let before = parseNameQuery(typed.slice(0, 1));
      let { all } = searchNames(foldersWith(webPaths), before, { from: root, most: 5 });
      for (let length = 2; length <= typed.length; length += 1) {
        const query = parseNameQuery(typed.slice(0, length));
        assert.equal(isNarrower(query, before), true);
        const fromAll = searchNames(foldersWith(webPaths), query, { from: root, most: 5 });
        const narrowed = searchNames(all, query, { from: root, most: 5 });
        assert.deepEqual(narrowed.best, fromAll.best, typed.slice(0, length));
        [before, all] = [query, narrowed.all];
      }
    }
    const table = [
      ['', 'a'],
      ['ab', 'a'],
      ['a b', 'a'],
      ['var', '/var'],
    ] as const;
    for (const [before, after] of table) {
      assert.equal(isNarrower(parseNameQuery(after), parseNameQuery(before)), false, `${before}, ${after}`);
    }
  });

  it('finds nothing if nothing is typed', () => {
    assert.deepEqual(found('', ['a/b/c.txt', 'b.txt']), []);
  });
});

describe('what a person means', () => {
  const table: readonly (readonly [typed: string, meant: string])[] = [
    ['index', 'index.php'],
    ['index.php', 'index.php'],
    ['config', 'wp-content/plugins/shop/config.php'],
    ['wpconfig', 'wp-config.php'],
    ['wp-config', 'wp-config.php'],
    ['wpc', 'wp-config.php'],
    ['wpl', 'wp-login.php'],
    ['login', 'wp-login.php'],
    ['htaccess', '.htaccess'],
    ['.hta', '.htaccess'],
    ['.env', 'app/.env'],
    ['env', 'app/.env'],
    ['functions', 'wp-content/themes/storefront/functions.php'],
    ['style', 'wp-content/themes/storefront/style.css'],
    ['style child', 'wp-content/themes/storefront-child/style.css'],
    ['child/style', 'wp-content/themes/storefront-child/style.css'],
    ['child func', 'wp-content/themes/storefront-child/functions.php'],
    ['storefront/fun', 'wp-content/themes/storefront/functions.php'],
    ['header', 'wp-content/themes/storefront/header.php'],
    ['themes/header', 'wp-content/themes/storefront/header.php'],
    ['um', 'app/src/Model/UserModel.php'],
    ['user', 'wp-includes/user.php'],
    ['usermodel', 'app/src/Model/UserModel.php'],
    ['UserModel', 'app/src/Model/UserModel.php'],
    ['usmod', 'app/src/Model/UserModel.php'],
    ['model user', 'app/src/Model/UserModel.php'],
    ['uc', 'app/src/Controller/UserController.php'],
    ['usercont', 'app/src/Controller/UserController.php'],
    ['controller/order', 'app/src/Controller/OrderController.php'],
    ['order cont', 'app/src/Controller/OrderController.php'],
    ['oc', 'app/src/Controller/OrderController.php'],
    ['ordermodel', 'app/src/Model/OrderModel.php'],
    ['src/model/o', 'app/src/Model/OrderModel.php'],
    ['services', 'app/config/services.yaml'],
    ['services.y', 'app/config/services.yaml'],
    ['serviceyaml', 'app/config/services.yaml'],
    ['routes', 'app/config/routes.yaml'],
    ['config/rou', 'app/config/routes.yaml'],
    ['app route', 'app/config/routes.yaml'],
    ['composer', 'app/composer.json'],
    ['compj', 'app/composer.json'],
    ['composer.lock', 'app/composer.lock'],
    ['lock', 'app/composer.lock'],
    ['base.html', 'app/templates/base.html.twig'],
    ['twig base', 'app/templates/base.html.twig'],
    ['user/list', 'app/templates/user/list.html.twig'],
    ['list user', 'app/templates/user/list.html.twig'],
    ['user edit', 'app/templates/user/edit.html.twig'],
    ['edit', 'wp-admin/edit.php'],
    ['nginx', 'conf/nginx/nginx.conf'],
    ['nginx.conf', 'conf/nginx/nginx.conf'],
    ['shop.conf', 'conf/nginx/sites/shop.conf'],
    ['sites/shop', 'conf/nginx/sites/shop.conf'],
    ['conf shop', 'conf/nginx/sites/shop.conf'],
    ['blog.conf', 'conf/nginx/sites/blog.conf'],
    ['php.ini', 'conf/php/php.ini'],
    ['ini', 'conf/php/php.ini'],
    ['mycnf', 'conf/mysql/my.cnf'],
    ['error log', 'logs/nginx/error.log'],
    ['acclog', 'logs/nginx/access.log'],
    ['README', 'app/README.md'],
    ['readme', 'app/README.md'],
    ['deploy', 'scripts/deploy.sh'],
    ['scr dep', 'scripts/deploy.sh'],
    ['shopcart', 'wp-content/plugins/shop/includes/class-shop-cart.php'],
    ['class-shop', 'wp-content/plugins/shop/includes/class-shop-cart.php'],
    ['cart', 'wp-content/plugins/shop/includes/class-shop-cart.php'],
    ['csg', 'wp-content/plugins/shop/includes/class-shop-gateway.php'],
    ['/var/www/conf/php/php', 'conf/php/php.ini'],
  ];
  assert.ok(table.length >= 60);
  for (const [typed, meant] of table) {
    it(`is among the first three for ${typed}`, () => {
      const first = found(typed, webPaths, 3);
      assert.ok(first.includes(meant), first.join(', '));
    });
  }
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
    it(`are searched for ${typed} within 18 times the time of the simplest search`, function () {
      const unit = fastest(cheapest);
      const time = fastest(() => searchNames(folders, parseNameQuery(typed), { from: root, most: 200 }));
      assert.ok(time < 18 * unit, `${time.toFixed(1)} ms, ${(time / unit).toFixed(1)} times ${unit.toFixed(1)}`);
    });
  }
});
