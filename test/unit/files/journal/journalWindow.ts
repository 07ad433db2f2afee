import { writeSync } from 'node:fs';
import promises, { type FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as v from 'valibot';
import { JsonFolder } from '../../../../src/storage/jsonFolder';
import { signedOutFolder } from '../../../../src/storage/storageKeys';
import { SeededRandom } from '../../../soak/seededRandom';
import { limitsOf, openJournal } from './journalSetUp';
import { fileAt } from '../../../scene/fileAt';

/** What a window does, in a process of its own that can be killed. */
export interface JournalTask {
  readonly folder: string;
  readonly seed: number;
  readonly work: 'append' | 'signOut';
  /** Texts of this window begin with this. */
  readonly name: string;
  readonly count: number;
  /** It kills itself at this call to the disk, before or after it, or after half of what it writes. */
  readonly kill?: { readonly nth: number; readonly when: 'before' | 'midway' | 'after' };
}

type Call = (...parameters: unknown[]) => Promise<unknown>;
const { readdir, rm } = promises;
const die = () => process.kill(process.pid, 'SIGKILL');

/** What a process has written outlives it even if the disk didn't confirm it, which may take long on a busy machine. */
function skipFlushing(): void {
  const { open, writeFile } = promises;
  Object.assign(promises, {
    open: async (...parameters: Parameters<typeof open>) =>
      Object.assign(await open(...parameters), { sync: () => Promise.resolve() }),
    writeFile: (file: string, text: string, options: object) => writeFile(file, text, { ...options, flush: false }),
  });
}

/** What a removal of a folder has done when it's cut short. */
async function removeHalf(path: string): Promise<void> {
  const found = await readdir(path, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = found.filter((entry) => entry.isFile());
  await Promise.all(files.slice(files.length / 2).map(({ parentPath, name }) => rm(join(parentPath, name))));
}

function killAtCall({ nth, when }: NonNullable<JournalTask['kill']>): void {
  let count = 0;
  const watched =
    (name: string, call: Call): Call =>
    async (...parameters) => {
      count += 1;
      if (count !== nth) return call(...parameters);
      if (when === 'before') die();
      if (when === 'midway' && name === 'rm') {
        await removeHalf(String(parameters[0]));
        die();
      }
      const index = name === 'appendFile' ? 0 : 1;
      const text = parameters[index];
      const isHalf = when === 'midway' && ['appendFile', 'writeFile'].includes(name) && typeof text === 'string';
      if (isHalf) parameters[index] = text.slice(0, text.length / 2);
      const result = await call(...parameters);
      die();
      return result;
    };
  for (const name of ['mkdir', 'writeFile', 'chmod', 'rename', 'rm', 'stat', 'readFile', 'readdir'] as const) {
    Object.assign(promises, { [name]: watched(name, (promises[name] as Call).bind(promises)) });
  }
  const open = promises.open.bind(promises);
  const openWatched = async (...parameters: Parameters<typeof open>): Promise<FileHandle> => {
    const file = await open(...parameters);
    for (const name of ['appendFile', 'sync', 'close'] as const) {
      Object.assign(file, { [name]: watched(name, (file[name] as Call).bind(file)) });
    }
    return file;
  };
  Object.assign(promises, { open: openWatched });
}

async function run(task: JournalTask): Promise<void> {
  const { folder, seed, work, name, count, kill } = task;
  const random = new SeededRandom(seed);
  // Versions are removed all the time, and unfinished texts never.
  const { journal, troubles } = openJournal(folder, { limits: limitsOf({ most: 4 }) });
  const say = (...words: string[]) => writeSync(1, `${words.join(' ')}\n`);
  skipFlushing();
  if (work === 'signOut') {
    // The marker is what a sign-out begins with.
    await new JsonFolder(join(dirname(folder), signedOutFolder), v.number()).write('a', Date.now());
  }
  if (kill !== undefined) killAtCall(kill);
  if (work === 'signOut') {
    await journal.forgetAccount('a');
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
