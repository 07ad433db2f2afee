import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import type { Account } from '../../../src/accounts/accounts';
import { type FilePlace, placeOnLayer } from '../../../src/containers/place';
import type { Parts } from '../../integration/support/parts';
import { parseNameQuery } from '../../../src/features/search/goToFile/nameSearch';
import { gantry, signedIn } from '../../integration/support/gantry';
import { median } from '../chain';
import { benchSurroundings, reportFigure } from '../figure';
import { DistantPlatform } from './distantPlatform';
import { forceCollection, measureAt, withoutWatching } from './measure';

const root = '/var/www/webroot/bench-names';
const folders = 500;
const namesInFolder = 200;
const turns = 5;
/** As many as the window shows. */
const most = 200;

const nameOf = (n: number) => `${['UserModel', 'index', 'wp-config', 'shop-view'][n % 4]}-${n}.php`;

describe('Go to File performance', () => {
  const { results, origin, sample, node } = benchSurroundings();
  const platform = new DistantPlatform(origin);
  const onDisk = join(node.folder, root);
  let parts: Parts;
  let account: Account;

  before(async () => {
    parts = await gantry();
    account = await signedIn({ origin, sample });
    withoutWatching(parts);
  });

  after(async () => {
    await platform.clearFaults();
    await rm(onDisk, { recursive: true, force: true });
  });

  const place = (path: string): FilePlace => placeOnLayer({ account: account.slug, name: 'shop' }, 'cp', node.id, path);

  it('goToFile', async () => {
    const prepare = async (turn: number) => {
      for (let folder = 0; folder < 48; folder += 1) {
        const path = join(onDisk, `small-${turn}`, `folder-${folder}`);
        await mkdir(path, { recursive: true });
        const names = Array.from({ length: 21 }, (_, n) => join(path, nameOf(n)));
        await Promise.all(names.map((name) => writeFile(name, '')));
      }
    };
    const run = async (turn: number) => {
      const index = parts.nameIndexes.of(place(`${root}/small-${turn}`));
      await index.refresh();
      assert.equal(index.stateBelow(index.root.path).files, 48 * 21);
    };
    const figure = await measureAt(50, { prepare, run }, { platform, turns: 3 });
    await reportFigure(results, 'goToFile', figure);
  });

  it('names100k', async () => {
    const path = `${root}/large`;
    for (let folder = 0; folder < folders; folder += 1) {
      await mkdir(join(node.folder, path, `package-${folder}`), { recursive: true });
    }
    const rows = Array.from({ length: namesInFolder }, (_, n) => ({
      absolutePath: `/${nameOf(n)}`,
      fileType: 'regular file',
      isDir: false,
      lastModified: '2026-03-01 10:20:30',
      length: n,
      name: nameOf(n),
      permission: '-rw-r--r--',
    }));
    const body = JSON.stringify({ result: 0, coreRootPath: '/', directoryPathList: [path], keywords: { many: rows } });
    // The first is the large folder itself.
    await platform.addFault({ operation: 'GetList', nth: 2, times: 'always', fault: { kind: 'answer', body } });
    parts.listings.forgetAll();
    forceCollection();
    const before = process.memoryUsage().heapUsed;
    const index = parts.nameIndexes.of(place(path));
    await index.refresh();
    const { files } = index.stateBelow(path);
    forceCollection();
    const withListings = (process.memoryUsage().heapUsed - before) / 1024 / 1024;
    parts.listings.forgetAll();
    forceCollection();
    const megabytes = (process.memoryUsage().heapUsed - before) / 1024 / 1024;
    const typed = ['i', 'in', 'ind', 'model', 'wpc', 'package', 'package shop', 'pckshp', 'package-499/index', 'zzz'];
    const times = typed.map((text) =>
      median(
        Array.from({ length: turns }, () => {
          const begun = performance.now();
          index.search(path, parseNameQuery(text), most);
          return performance.now() - begun;
        }),
      ),
    );
    await reportFigure(results, 'names100k', { files, keystroke: Math.max(...times), megabytes, withListings });
  });
});
