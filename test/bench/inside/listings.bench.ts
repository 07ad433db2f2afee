import assert from 'node:assert/strict';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { after, before, describe, it } from 'mocha';
import { type Account } from '../../../src/accounts/accounts';
import { uriOf } from '../../../src/containers/uris';
import type { Parts } from '../../integration/support/parts';
import { gantry, signedIn } from '../../integration/support/gantry';
import { median } from '../chain';
import { benchSurroundings, reportFigure } from '../figure';
import { DistantPlatform } from './distantPlatform';
import { forceCollection, withoutWatching } from './measure';

const many = 100_000;
const turns = 5;

const rows = (count: number) =>
  Array.from({ length: count }, (_, n) => ({
    absolutePath: `/var/lib/many/entry-${n}.txt`,
    fileType: 'regular file',
    isDir: false,
    lastModified: '2026-03-01 10:20:30',
    length: n,
    name: `entry-${n}.txt`,
    permission: '-rw-r--r--',
  }));

const listingOf = (count: number) =>
  JSON.stringify({
    result: 0,
    coreRootPath: '/',
    directoryPathList: ['/var/lib/many'],
    keywords: { many: rows(count) },
  });

describe('listing performance', () => {
  const { results, origin, sample, node } = benchSurroundings();
  const platform = new DistantPlatform(origin);
  let parts: Parts;
  let account: Account;

  before(async () => {
    parts = await gantry();
    account = await signedIn({ origin, sample });
    withoutWatching(parts);
  });

  after(() => platform.clearFaults());

  const uri = (path: string) =>
    uriOf({
      kind: 'file',
      account: account.slug,
      environment: 'shop',
      target: { nodeGroup: 'cp', nodeId: node.id },
      path,
    });
  const answerAll = (body: string) =>
    platform.addFault({ operation: 'GetList', times: 'always', fault: { kind: 'answer', body } });
  /** Transfers and parses the same body, without any other work. */
  const plain = async () => {
    const begun = performance.now();
    const response = await fetch(`${origin}/1.0/environment/file/rest/getlist`, { method: 'POST' });
    const text = await response.text();
    const parsing = performance.now();
    JSON.parse(text);
    const end = performance.now();
    return { whole: end - begun, parsing: end - parsing };
  };
  const listed = async (turn: number) => {
    forceCollection();
    const delays = monitorEventLoopDelay({ resolution: 1 });
    delays.enable();
    const begun = performance.now();
    const entries = await parts.files.fileSystem.readDirectory(uri(`/var/lib/many-${turn}`));
    const whole = performance.now() - begun;
    delays.disable();
    assert.equal(entries.length, many);
    return { whole, blocked: delays.max / 1e6 };
  };

  it('list100k', async () => {
    await answerAll(listingOf(many));
    const floors: { whole: number; parsing: number }[] = [];
    const lists: { whole: number; blocked: number }[] = [];
    for (let turn = 0; turn < turns; turn += 1) {
      floors.push(await plain());
      lists.push(await listed(turn));
    }
    const parsing = median(floors.map((one) => one.parsing));
    const figure = {
      requests: 1,
      sequential: 1,
      ratio: median(lists.map(({ whole }) => whole)) / median(floors.map(({ whole }) => whole)),
      milliseconds: median(lists.map(({ whole }) => whole)),
      blockedBeyondParse: median(lists.map(({ blocked }) => blocked)) - parsing,
      parsing,
    };
    await reportFigure(results, 'list100k', figure);
  });

  it('cacheMemory', async () => {
    await platform.clearFaults();
    await answerAll(listingOf(10_000));
    parts.listings.forgetAll();
    forceCollection();
    const before = process.memoryUsage().heapUsed;
    for (let folder = 0; folder < 50; folder += 1) {
      await parts.files.fileSystem.readDirectory(uri(`/var/lib/browsed-${folder}`));
    }
    forceCollection();
    const megabytes = (process.memoryUsage().heapUsed - before) / 1024 / 1024;
    const { size, bound } = parts.listings;
    await reportFigure(results, 'cacheMemory', {
      ratio: size / bound,
      browsed: 500_000,
      entries: size,
      bound,
      megabytes,
    });
  });
});
