import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { digestOf, someAtOnce, unlessMissing, writeWhole } from '../../storage/stores';
import { type Entry, entrySchema, lineOf, type MarkCause, parseLog } from './entry';
import type { Journal } from './journal';

/** Logs and the files of unfinished entries have others, so the journal never reads, moves, or removes marks. */
const ending = '.mark';

/** `id` tells the marks of an account with the same cause from each other. */
type NewMark = Pick<Entry, 'place' | 'before' | 'after' | 'deployed' | 'saves'> & { readonly id: string };

/**
 * The journal's entries of one cause that say something of a file until it's over, for all windows. They have no texts, only
 * their digests: the texts of a window are in its memory, and others are there if another entry has them. So marks need no
 * consent. Each has its own file, so that damage reaches only one, which must not be taken for none.
 */
export class Marks {
  constructor(
    private readonly journal: Journal,
    private readonly cause: MarkCause,
  ) {}

  /** Writes a mark in the place of the one with the same ID, unless its account was signed out. */
  async write({ id, place, ...more }: NewMark): Promise<void> {
    const { journal, cause } = this;
    const { account } = place;
    if (await journal.host.isForgotten(account)) {
      return;
    }
    const mark: Entry = { id, place, cause, state: 'pending', at: journal.now(), owner: { ...journal.owner }, ...more };
    await writeWhole(this.fileOf(account, id), lineOf(mark));
    if (await journal.host.isForgotten(account)) {
      // Signed out meanwhile, and its folder may have been removed before this mark was in it.
      await this.remove(account, id);
    }
  }

  async remove(account: string, id: string): Promise<void> {
    await rm(this.fileOf(account, id), { force: true });
  }

  /** Returns the marks of an account that can be read, and the number of the others, of which it isn't known whose they are. */
  async of(account: string): Promise<{ readonly marks: readonly Entry[]; readonly unreadable: number }> {
    let unreadable = 0;
    const marks = await someAtOnce(await this.files(account), (file) =>
      readMark(file).catch((error: unknown) => {
        unreadable += 1;
        if (error instanceof v.ValiError) {
          this.journal.tell(file, { kind: 'damaged' });
        }
        return undefined;
      }),
    );
    return { marks: marks.filter((mark) => mark !== undefined), unreadable };
  }

  /** Returns those that can be read and aren't older, if missing one isn't dangerous. Removes the others. */
  async readable(account: string, age: number): Promise<readonly Entry[]> {
    const oldest = this.journal.now() - age;
    const marks = await someAtOnce(await this.files(account), async (file) => {
      const mark = await readMark(file).catch(() => 'unreadable' as const);
      const isKept = mark === undefined || (mark !== 'unreadable' && mark.at >= oldest);
      return isKept ? mark : rm(file, { recursive: true, force: true });
    });
    return marks.flatMap((mark) => mark ?? []);
  }

  find(account: string, id: string): Promise<Entry | undefined> {
    return readMark(this.fileOf(account, id));
  }

  private async files(account: string): Promise<readonly string[]> {
    const folder = join(this.journal.folder, account);
    const names = (await unlessMissing(readdir(folder))) ?? [];
    return names
      .filter((name) => name.startsWith(`${this.cause}-`) && name.endsWith(ending))
      .map((name) => join(folder, name));
  }

  private fileOf(account: string, id: string): string {
    return join(this.journal.folder, account, `${this.cause}-${digestOf(id)}${ending}`);
  }
}

/** Returns `undefined` if it isn't there. */
async function readMark(path: string): Promise<Entry | undefined> {
  const text = await unlessMissing(readFile(path, 'utf8'));
  return text === undefined ? undefined : v.parse(entrySchema, parseLog(text).records[0]);
}
