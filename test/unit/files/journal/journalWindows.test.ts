import assert from 'node:assert/strict';
import { readdir, rm, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { after, before, describe, it } from 'mocha';
import { Marks } from '../../../../src/files/journal/marks';
import { isUnfinished } from '../../../../src/files/journal/entry';
import { endSignOuts } from '../../../../src/storage/storageKeys';
import { scratchFolder } from '../../../host/folders';
import { limit } from '../../../host/limits';
import { isNightly } from '../../../host/nightly';
import { ending, spawnGroup } from '../../../host/processes';
import { SeededRandom } from '../../../soak/seededRandom';
import { limitsOf, openJournal } from './journalSetUp';
import type { JournalTask } from './journalWindow';
import { fileAt } from '../../../scene/fileAt';

const kills = isNightly() ? 300 : 40;
const races = isNightly() ? 60 : 6;
const signOuts = isNightly() ? 100 : 12;

describe('windows that share a journal', () => {
  let program: string;
  let folder: string;
  let scratch: string;

  before(async () => {
    scratch = scratchFolder('journal');
    program = join(scratch, 'journalWindow.js');
    await build({
      entryPoints: [join(__dirname, 'journalWindow.ts')],
      outfile: program,
      bundle: true,
      platform: 'node',
      target: 'node22',
      format: 'cjs',
      mainFields: ['module', 'main'],
      logLevel: 'warning',
    });
  });
  let killed = 0;
  after(() => rm(scratch, { recursive: true, force: true }));

  /** Returns what the window said until it ended. */
  const start = (task: Omit<JournalTask, 'folder'>) => {
    const child = spawnGroup(process.execPath, [program, JSON.stringify({ ...task, folder })], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let said = '';
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    return ending(child, 'close').then((end) => {
      if (end === 'SIGKILL') killed += 1;
      return said.split('\n').filter((line) => line !== '');
    });
  };
  const keptOf = (said: readonly string[], state: string) =>
    said.filter((line) => line.startsWith(`kept ${state}`)).map((line) => line.slice(`kept ${state} `.length));
  /** What nobody has touched for two days. */
  const age = async () => {
    const old = new Date(Date.now() - 2 * 86_400_000);
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    await Promise.all(
      entries.filter((one) => one.isFile()).map((one) => utimes(join(one.parentPath, one.name), old, old)),
    );
  };
  /** All unfinished texts are there, and each version that is listed can be read. Then the next window tidies up. */
  const check = async (pending: readonly string[], shown: string) => {
    const look = async (when: string) => {
      const { journal, troubles } = openJournal(folder, { limits: limitsOf({ most: 4 }) });
      const entries = await journal.entries('a');
      const texts = new Map<string, string | undefined>();
      for (const entry of entries) {
        for (const side of [entry.before, entry.after]) {
          if (side) texts.set(`${side.digest}${isUnfinished(entry) ? ' pending' : ''}`, await journal.text('a', side));
        }
      }
      const missing = [...texts].filter(([, text]) => text === undefined);
      assert.deepEqual(missing, [], `${shown}, ${when}: each text that is listed is there`);
      const found = new Set(texts.values());
      const lost = pending.filter((text) => !found.has(text));
      assert.deepEqual(lost, [], `${shown}, ${when}: what was unfinished is there`);
      return { journal, troubles, entries, texts };
    };
    const { troubles } = await look('right after');
    assert.deepEqual(troubles, [], `${shown}: nothing is damaged`);
    await age();
    const next = await look('two days later');
    await next.journal.tidy();
    const last = await look('once it is tidy');
    assert.deepEqual(
      last.entries.map(({ id }) => id).sort(),
      next.entries.map(({ id }) => id).sort(),
      `${shown}: it has what it had`,
    );
    const logs = (await readdir(join(folder, 'a'))).filter((name) => name.endsWith('.log'));
    assert.ok(logs.length <= 1, `${shown}: one log is left: ${logs.join()}`);
    const digests = last.entries.flatMap(({ before: one, after: other }) => [one?.digest, other?.digest]);
    assert.deepEqual(
      (await readdir(join(folder, 'a', 'texts')).catch(() => [])).sort(),
      [...new Set(digests)].filter((digest) => digest !== undefined).sort(),
      `${shown}: no other texts are left`,
    );
  };

  it(`lose nothing if one is killed at any step (${kills} seeds)`, async () => {
    for (let seed = 1; seed <= kills; seed += 1) {
      folder = join(scratch, `kill-${seed}`);
      const random = new SeededRandom(seed);
      // What an earlier window has left, and the killed one moves to its log.
      const earlier = await start({ seed, work: 'append', name: 'earlier', count: 5 });
      await age();
      const kill = { nth: 1 + random.below(400), when: random.pick(['before', 'midway', 'after'] as const) };
      const said = await start({ seed: seed + 1, work: 'append', name: 'killed', count: 10, kill });
      await check([...keptOf(earlier, 'pending'), ...keptOf(said, 'pending')], `seed ${seed}, ${JSON.stringify(kill)}`);
    }
    assert.ok(killed > kills / 2, `only ${killed} were killed`);
  }).timeout(limit(isNightly() ? 600_000 : 60_000));

  it(`lose nothing if they write and tidy up at once (${races} seeds)`, async () => {
    for (let seed = 1; seed <= races; seed += 1) {
      folder = join(scratch, `race-${seed}`);
      await start({ seed, work: 'append', name: 'earlier', count: 5 });
      await age();
      const names = ['one', 'two', 'three'].slice(0, 2 + (seed % 2));
      const said = await Promise.all(
        names.map((name, n) => start({ seed: seed * 10 + n, work: 'append', name, count: 25 })),
      );
      const troubles = said.map((lines) => lines.at(-1));
      assert.deepEqual(
        troubles,
        names.map(() => 'done'),
        `seed ${seed}`,
      );
      await check(
        said.flatMap((lines) => keptOf(lines, 'pending')),
        `seed ${seed}`,
      );
    }
  }).timeout(limit(isNightly() ? 600_000 : 60_000));

  it(`leave nothing of an account that signed out after one was killed in the middle (${signOuts} seeds)`, async () => {
    const left = new Set<string>();
    for (let seed = 1; seed <= signOuts; seed += 1) {
      const storage = join(scratch, `sign-out-${seed}`);
      folder = join(storage, 'journal');
      await start({ seed, work: 'append', name: 'earlier', count: 12 });
      const { journal, troubles } = openJournal(folder);
      await journal.append({
        place: fileAt('/x', { account: 'b' }),
        cause: 'save',
        state: 'verified',
        after: 'of another account',
      });
      await new Marks(journal, 'edited').write({ id: 'x', place: fileAt('/var/www/x') });
      const files = async () => (await readdir(join(folder, 'a'), { recursive: true }).catch(() => [])).sort();
      const all = await files();
      const when = (['before', 'midway', 'after'] as const)[seed % 3] ?? 'midway';
      killed = 0;
      await start({ seed, work: 'signOut', name: 'killed', count: 0, kill: { nth: 1, when } });
      assert.equal(killed, 1);
      const some = await files();
      left.add(some.length === all.length ? 'all' : some.length > 0 ? 'some' : 'none');
      // Signed in again, it's the account's again.
      await endSignOuts(storage, ['a'], () => assert.fail());
      assert.deepEqual(await files(), some);
      await endSignOuts(storage, [], () => assert.fail());
      assert.deepEqual(await readdir(folder), ['b']);
      assert.deepEqual(await openJournal(folder).journal.entries('a'), []);
      assert.equal((await journal.entries('b')).length, 1);
      assert.deepEqual(troubles, []);
    }
    assert.deepEqual([...left].sort(), ['all', 'none', 'some']);
  }).timeout(limit(60_000));
});
