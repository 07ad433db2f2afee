import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import type { Account } from '../../../src/accounts/accounts';
import type { FilePlace } from '../../../src/containers/place';
import type { Parts } from '../../integration/support/parts';
import { FolderSearch, type SearchDeps } from '../../../src/features/search/folderSearch';
import { RequestPace } from '../../../src/features/search/folderWalk';
import { gantry, signedIn } from '../../integration/support/gantry';
import { longestChain, median } from '../chain';
import { benchSurroundings, reportFigure } from '../figure';
import { DistantPlatform } from './distantPlatform';
import { withoutWatching } from './measure';

const searched = '/var/www/webroot/searched';
const [folderCount, fileCount] = [48, 1_000];
const turns = 3;
const delay = 50;
/** As the settings are by default. */
const [perSecond, atOnce] = [100, 8];

/** The folder itself, and those below it, up to three levels deep. */
const folders = Array.from({ length: folderCount }, (_, n) =>
  n === 0 ? searched : join(searched, ...(n < 8 ? [`part-${n}`] : [`part-${(n % 7) + 1}`, `deep-${n}`])),
);

/** Every tenth file has a match. */
async function layOutFiles(nodeFolder: string): Promise<void> {
  await rm(join(nodeFolder, searched), { recursive: true, force: true });
  for (let n = 0; n < fileCount; n += 1) {
    const file = join(nodeFolder, folders[n % folderCount] ?? searched, `file-${n}.conf`);
    await mkdir(dirname(file), { recursive: true });
    const text = Array.from({ length: 60 }, (_, line) => `setting_${line} = ${n * line};\n`).join('');
    await writeFile(file, n % 10 === 9 ? `${text}needle here\n` : text);
  }
}

describe('search performance', () => {
  const { results, origin, sample, node } = benchSurroundings();
  const platform = new DistantPlatform(origin);
  let parts: Parts;
  let account: Account;
  let folder: FilePlace;

  before(async () => {
    parts = await gantry();
    account = await signedIn({ origin, sample });
    withoutWatching(parts);
    await layOutFiles(node.folder);
    const target = { nodeGroup: 'cp', nodeId: node.id };
    folder = { kind: 'file', account: account.slug, environment: 'shop', target, path: searched };
    await platform.setDelay(delay);
  });

  after(() => platform.clearFaults());

  const deps = (): SearchDeps => ({
    knownListing: (place) => parts.listings.known(place),
    list: (place, signal) => parts.listings.list(place, signal),
    knownText: (file, entry) => parts.files.edits.knownText(file, entry),
    read: (file, signal) => parts.containers.read(file, { signal }),
    measure: (file) => parts.listings.lookUp(file),
    pace: new RequestPace(() => perSecond, atOnce),
  });

  async function searchAll() {
    parts.listings.forgetAll();
    await platform.forgetJournal();
    const begun = performance.now();
    let firstHit = Number.NaN;
    const query = { text: 'needle', isRegex: false, matchCase: false, wholeWord: false, include: '', exclude: '' };
    const search: FolderSearch = new FolderSearch(
      { folder, query, exclude: ['.git', 'node_modules', 'vendor'], largestFile: 1024 * 1024 },
      deps(),
      () => {
        if (Number.isNaN(firstHit) && search.matchCount > 0) firstHit = performance.now() - begun;
      },
    );
    await search.run();
    const milliseconds = performance.now() - begun;
    assert.deepEqual([search.state.kind, search.matchCount], ['done', fileCount / 10]);
    const requests = await platform.requests();
    return { firstHit, milliseconds, requests: requests.length, sequential: longestChain(requests) };
  }

  it('searchFolder', async () => {
    const seen: Awaited<ReturnType<typeof searchAll>>[] = [];
    for (let turn = 0; turn < turns; turn += 1) seen.push(await searchAll());
    await reportFigure(results, 'searchFolder', {
      requests: Math.max(...seen.map(({ requests }) => requests)),
      sequential: Math.max(...seen.map(({ sequential }) => sequential)),
      firstHit: median(seen.map(({ firstHit }) => firstHit)),
      milliseconds: median(seen.map(({ milliseconds }) => milliseconds)),
    });
  });
});
