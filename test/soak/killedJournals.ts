import assert from 'node:assert/strict';
import { readdir, rm, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { isUnfinished } from '../../src/files/journal/entry';
import { Marks } from '../../src/files/journal/marks';
import { endSignOuts } from '../../src/storage/storageKeys';
import { ending, spawnGroup } from '../host/processes';
import { fileAt } from '../scene/fileAt';
import { fewVersions, openJournal } from '../unit/files/journal/journalSetUp';
import type { JournalTask } from './journalWindow';
import { SeededRandom } from './seededRandom';

interface EndedWindow {
  /** The lines that it printed. */
  readonly said: readonly string[];
  readonly isKilled: boolean;
}

/** Runs a window that uses the journal, in a process of its own. */
async function runJournalWindow(program: string, task: JournalTask): Promise<EndedWindow> {
  const child = spawnGroup(process.execPath, [program, JSON.stringify(task)], { stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  const isKilled = (await ending(child, 'close')) === 'SIGKILL';
  return { said: said.split('\n').filter((line) => line !== ''), isKilled };
}

const unfinishedOf = ({ said }: EndedWindow) =>
  said.flatMap((line) => (line.startsWith('kept pending ') ? [line.slice('kept pending '.length)] : []));

/** Makes files look as if nobody had touched them for two days. */
export async function makeOld(folder: string): Promise<void> {
  const old = new Date(Date.now() - 2 * 86_400_000);
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((one) => one.isFile());
  await Promise.all(files.map((one) => utimes(join(one.parentPath, one.name), old, old)));
}

/**
 * Asserts that a journal has all of these unfinished texts, that each text that it lists can be read, and that it still has the
 * same, and nothing else, once the next window tidied up.
 *
 * @param options.areHalvesLeft whether a window may have left half a record, which is said once it's old
 */
export async function assertNothingLost(
  folder: string,
  unfinished: readonly string[],
  shown: string,
  { account = 'a', areHalvesLeft = true } = {},
): Promise<void> {
  const look = async (when: string) => {
    const { journal, troubles } = openJournal(folder, { limits: fewVersions });
    const entries = await journal.entries(account);
    const texts = new Map<string, string | undefined>();
    for (const entry of entries) {
      for (const side of [entry.before, entry.after]) {
        if (side)
          texts.set(`${side.digest}${isUnfinished(entry) ? ' pending' : ''}`, await journal.text(account, side));
      }
    }
    const missing = [...texts].filter(([, text]) => text === undefined);
    assert.deepEqual(missing, [], `${shown}, ${when}: each text that is listed is there`);
    const found = new Set(texts.values());
    const lost = unfinished.filter((text) => !found.has(text));
    assert.deepEqual(lost, [], `${shown}, ${when}: what was unfinished is there`);
    return { journal, troubles, entries };
  };
  const { troubles } = await look('right after');
  assert.deepEqual(troubles, [], `${shown}: nothing is damaged`);
  await makeOld(folder);
  const next = await look('two days later');
  if (!areHalvesLeft) assert.deepEqual(next.troubles, [], `${shown}: no half records are left`);
  await next.journal.tidy();
  const last = await look('once it is tidy');
  assert.deepEqual(
    last.entries.map(({ id }) => id).sort(),
    next.entries.map(({ id }) => id).sort(),
    `${shown}: it has what it had`,
  );
  const logs = (await readdir(join(folder, account))).filter((name) => name.endsWith('.log'));
  assert.ok(logs.length <= 1, `${shown}: one log is left: ${logs.join()}`);
  const digests = last.entries.flatMap(({ before: one, after: other }) => [one?.digest, other?.digest]);
  assert.deepEqual(
    (await readdir(join(folder, account, 'texts')).catch(() => [])).sort(),
    [...new Set(digests)].filter((digest) => digest !== undefined).sort(),
    `${shown}: no other texts are left`,
  );
}

/** Kills a window while it adds entries, removes others, and compacts its log. Returns whether it hadn't finished. */
export async function checkKilledJournal(seed: number, program: string, folder: string): Promise<boolean> {
  const random = new SeededRandom(seed);
  try {
    // What an earlier window has left, and the killed one moves to its log.
    const earlier = await runJournalWindow(program, { folder, seed, work: 'append', name: 'earlier', count: 5 });
    await makeOld(folder);
    const kill = { nth: 1 + random.below(400), when: random.pick(['before', 'midway', 'after'] as const) };
    const task = { folder, seed: seed + 1, work: 'append', name: 'killed', count: 10, kill } as const;
    const killed = await runJournalWindow(program, task);
    const unfinished = [earlier, killed].flatMap(unfinishedOf);
    await assertNothingLost(folder, unfinished, `seed ${seed}, ${JSON.stringify(kill)}`);
    return killed.isKilled;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Lets two or three windows write and tidy up at once. */
export async function checkJournalRace(seed: number, program: string, folder: string): Promise<void> {
  try {
    await runJournalWindow(program, { folder, seed, work: 'append', name: 'earlier', count: 5 });
    await makeOld(folder);
    const names = ['one', 'two', 'three'].slice(0, 2 + (seed % 2));
    const windows = await Promise.all(
      names.map((name, n) =>
        runJournalWindow(program, { folder, seed: seed * 10 + n, work: 'append', name, count: 25 }),
      ),
    );
    assert.deepEqual(
      windows.map(({ said }) => said.at(-1)),
      names.map(() => 'done'),
      `seed ${seed}`,
    );
    await assertNothingLost(folder, windows.flatMap(unfinishedOf), `seed ${seed}`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Kills a window while it signs out: the next start leaves nothing of the account, unless it's still in the secret. Returns how
 * much the killed window left.
 */
export async function checkKilledSignOut(
  seed: number,
  program: string,
  storage: string,
): Promise<'all' | 'some' | 'none'> {
  const random = new SeededRandom(seed);
  const folder = join(storage, 'journal');
  try {
    await runJournalWindow(program, { folder, seed, work: 'append', name: 'earlier', count: 12 });
    const { journal, troubles } = openJournal(folder);
    const other = fileAt('/x', { account: 'b' });
    await journal.append({ place: other, cause: 'save', state: 'verified', after: 'of another account' });
    await new Marks(journal, 'edited').write({ id: 'x', place: fileAt('/var/www/x') });
    const files = async () => (await readdir(join(folder, 'a'), { recursive: true }).catch(() => [])).sort();
    const all = await files();
    const when = (['before', 'midway', 'after'] as const)[seed % 3] ?? 'midway';
    // The one that removes the journal, or any.
    const kill = random.chance(0.5) ? { call: 'rm' as const, nth: 1, when } : { nth: 1 + random.below(10), when };
    const task = { folder, seed, work: 'signOut', name: 'killed', count: 0, kill } as const;
    const { said, isKilled } = await runJournalWindow(program, task);
    const shown = `seed ${seed}, ${JSON.stringify(kill)}`;
    assert.ok(isKilled, shown);
    const some = await files();
    // Before it's removed from the secret, it's the account's, and if someone signs in again.
    await endSignOuts(storage, ['a'], () => assert.fail());
    assert.deepEqual(await files(), some, shown);
    if (said.includes('removed')) {
      await endSignOuts(storage, [], () => undefined);
      assert.deepEqual(await readdir(folder), ['b'], shown);
      assert.deepEqual(await openJournal(folder).journal.entries('a'), [], shown);
    } else {
      assert.deepEqual(some, all, shown);
    }
    assert.equal((await journal.entries('b')).length, 1);
    assert.deepEqual(troubles, []);
    return some.length === all.length ? 'all' : some.length > 0 ? 'some' : 'none';
  } finally {
    await rm(storage, { recursive: true, force: true });
  }
}
