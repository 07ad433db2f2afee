import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { before, describe, it } from 'mocha';
import { limit } from '../../../host/limits';
import type { FolderSearch, SearchDeps } from '../../../../src/features/search/folderSearch';
import { skipOn } from '../../../host/skipOn';
import { SeededRandom } from '../../../soak/seededRandom';
import { randomLine, randomSearch } from './randomSearch';
import { searchFor } from './searchContainer';
import { ConnectedScene } from '../../../scene/connectedScene';
import { onStage } from '../../../scene/onStage';

const searches = 200;
const files = [
  'a.conf',
  'b.php',
  'c.log',
  'one name.txt',
  'empty.conf',
  'app/a.php',
  'app/bx.conf',
  'app/deep/x.conf',
  'app/deep/er/deepest.php',
  'vendor/lib.php',
  'app/vendor/y.conf',
  'log/access.log',
];

/** GNU grep, the only one that knows `-P`. */
const hasGrep = spawnSync('grep', ['-P', 'a'], { input: 'a' }).status === 0;

describe('searches compared with grep', function () {
  this.timeout(limit(30_000));
  const texts = new Map<string, readonly string[]>();
  const scene = onStage(new ConnectedScene());
  const cp = scene.environment('shop').layer('cp');

  before(async function () {
    if (!hasGrep) {
      skipOn(this, 'darwin', 'win32');
      this.skip();
    }
    const random = new SeededRandom(18);
    for (const file of files) {
      const lines = file.startsWith('empty') ? [] : Array.from({ length: 40 }, () => randomLine(random));
      texts.set(file, lines);
      await cp.put(`/srv/${file}`, lines.map((line) => `${line}\n`).join(''));
    }
  });

  /** Each match as `path:line:text`. */
  const found = ({ files: results }: FolderSearch) =>
    results.flatMap(({ file, lines }) => {
      const path = file.path.slice('/srv/'.length);
      return lines.flatMap(({ line, ranges }) =>
        ranges.map(({ start, end }) => {
          const text = texts.get(path)?.[line]?.slice(start.column, end.column) ?? '';
          return `${path}:${line + 1}:${text}`;
        }),
      );
    });

  /** The same from grep: only what matches (`-o`), which is more exact than whole lines and leaves out empty matches. */
  const grep = (options: readonly string[]) => {
    const { status, stdout, stderr } = spawnSync('grep', ['-r', '-n', '-o', ...options], {
      cwd: cp.onDisk('/srv'),
      encoding: 'utf8',
      env: { ...process.env, LC_ALL: 'C.UTF-8' },
    });
    assert.ok(status === 0 || status === 1, stderr);
    return stdout.split('\n').filter((line) => line !== '');
  };

  it(`find the same in ${searches} random searches`, async () => {
    // Every tenth search reads the files again.
    const known = new Map<string, string>();
    const deps: Partial<SearchDeps> = {
      knownText: ({ path }) => known.get(path),
      read: async (file, signal) => {
        const text = await scene.containers.read(file, { signal });
        known.set(file.path, text);
        return text;
      },
    };
    let fruitful = 0;
    for (let seed = 1; seed <= searches; seed += 1) {
      const { query, options } = randomSearch(new SeededRandom(seed));
      if (seed % 10 === 0) known.clear();
      const search = searchFor(cp, query, { deps });
      await search.run();
      const expected = grep(options);
      const title = `search ${seed}: grep -rno ${options.join(' ')}`;
      assert.equal(search.state.kind, 'done', title);
      assert.deepEqual([...found(search)].sort(), [...expected].sort(), title);
      fruitful += expected.length > 0 ? 1 : 0;
    }
    assert.ok(fruitful > searches / 2, `only ${fruitful} searches found something`);
  });
});
