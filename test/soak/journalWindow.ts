import { writeSync } from 'node:fs';
import promises from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as v from 'valibot';
import { JsonFolder } from '../../src/storage/stores';
import { signedOutFolder, signingOutFolder } from '../../src/storage/storageKeys';
import { fileAt } from '../scene/fileAt';
import { fewVersions, openJournal } from '../unit/files/journal/journalSetUp';
import { type KillOnCall, killAtCall } from './diskCalls';
import { SeededRandom } from './seededRandom';

/** What a window does, in a process of its own that can be killed. */
export interface JournalTask {
  readonly folder: string;
  readonly seed: number;
  readonly work: 'append' | 'signOut';
  /** Texts of this window begin with this. */
  readonly name: string;
  readonly count: number;
  readonly kill?: KillOnCall;
}

/** What a process has written outlives it even if the disk didn't confirm it, which may take long on a busy machine. */
function skipFlushing(): void {
  const { open, writeFile } = promises;
  Object.assign(promises, {
    open: async (...parameters: Parameters<typeof open>) =>
      Object.assign(await open(...parameters), { sync: () => Promise.resolve() }),
    writeFile: (file: string, text: string, options: object) => writeFile(file, text, { ...options, flush: false }),
  });
}

async function run(task: JournalTask): Promise<void> {
  const { folder, seed, work, name, count, kill } = task;
  const random = new SeededRandom(seed);
  const { journal, troubles } = openJournal(folder, { limits: fewVersions });
  const say = (...words: string[]) => writeSync(1, `${words.join(' ')}\n`);
  skipFlushing();
  if (kill !== undefined) killAtCall(dirname(folder), kill);
  if (work === 'signOut') {
    const markersIn = (name: string) => new JsonFolder(join(dirname(folder), name), v.number());
    await markersIn(signingOutFolder).write('a', Date.now());
    // VS Code has removed the account from the secret.
    say('removed');
    await markersIn(signedOutFolder).write('a', Date.now());
    await journal.forgetAccount('a');
    await markersIn(signingOutFolder).remove('a');
    say('done');
    return;
  }
  for (let n = 0; n < count; n += 1) {
    const text = `${name}-${n}-${'x'.repeat(random.below(200))}`;
    const place = fileAt(`/etc/${random.below(3)}.conf`);
    const state = random.pick(['pending', 'verified'] as const);
    // All windows write this one, and their tidying removes it again and again.
    const after = random.chance(0.3) ? 'shared' : text;
    const kept = await journal.append({ place, cause: 'save', state, before: text, after });
    if (kept === 'kept') say('kept', state, text);
    if (random.chance(0.2)) await journal.tidy();
  }
  say('done', ...troubles.map((trouble) => (trouble.kind === 'notWritten' ? String(trouble.error) : trouble.kind)));
}

void run(JSON.parse(process.argv[2] ?? '') as JournalTask);
