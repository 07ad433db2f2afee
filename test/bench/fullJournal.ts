import { randomUUID } from 'node:crypto';
import { mkdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Entry, type KeptText, lineOf, usualLimits } from '../../src/files/journal/entry';
import { digestOfText } from '../../src/files/journal/journalFiles';
import { someAtOnce } from '../../src/storage/stores';
import { fileAt } from '../scene/fileAt';

const day = 86_400_000;
/** Each kind is a tenth beyond its limit, as a window may leave it: 99 MB together. */
const slack = 1.1;
const owner = { window: randomUUID(), host: 'closed' };

/** Writes what windows may have left in a month: saves of configuration files, and replacements in many files. */
export async function fillJournal(folder: string): Promise<void> {
  const { policies, bytes } = usualLimits;
  const accounts = ['one', 'other'];
  const saves = policies.save.limits.bytes * slack;
  const deletions = policies.delete.limits.bytes * slack;
  const replaced = (bytes * slack) / accounts.length - saves - deletions;
  for (const account of accounts) {
    const log = new LogToFill(join(folder, account), account);
    // As with a save, the text before is the one after the save before.
    for (let n = 0; log.bytes < saves; n += 1) {
      log.add('save', `/etc/${n % 300}.conf`, [`${n - 300}`, `${n}`], 2_000);
    }
    for (let n = 0; log.bytes < saves + deletions; n += 1) {
      log.add('delete', `/var/www/${n}.php`, [`deleted ${n}`], 50_000);
    }
    for (let n = 0; log.bytes < saves + deletions + replaced; n += 1) {
      const batch = `${Math.floor((log.bytes - saves - deletions) / (replaced / 10))}`;
      log.add('replace', `/var/www/${n}.php`, [`replaced ${n}`, `replacing ${n}`], 20_000, batch);
    }
    await log.write();
  }
}

class LogToFill {
  /** What its texts and records take, as the journal counts it. */
  bytes = 0;
  private readonly texts = new Map<string, string>();
  private readonly entries: Entry[] = [];

  constructor(
    private readonly folder: string,
    private readonly account: string,
  ) {}

  add(cause: Entry['cause'], path: string, names: readonly string[], length: number, batch?: string): void {
    const sides = names.map((name): KeptText => {
      const text = `${this.account} ${name}\n`.padEnd(length, 'worker_processes 4;\n');
      const digest = digestOfText(text);
      const json = JSON.stringify(text);
      this.bytes += this.texts.has(digest) ? 0 : json.length;
      this.texts.set(digest, json);
      return { digest, bytes: json.length };
    });
    const [before, after] = sides;
    this.bytes += 500;
    const place = fileAt(path, { account: this.account });
    this.entries.push({ id: randomUUID(), at: 0, place, cause, state: 'verified', owner, batch, before, after });
  }

  async write(): Promise<void> {
    const texts = join(this.folder, 'texts');
    await mkdir(texts, { recursive: true, mode: 0o700 });
    await someAtOnce([...this.texts], ([digest, json]) => writeFile(join(texts, digest), json, { mode: 0o600 }));
    const { length } = this.entries;
    const dated = this.entries.map((entry, n) => ({ ...entry, at: Date.now() - ((length - n) / length) * 29 * day }));
    const log = join(this.folder, `${owner.window}.log`);
    await writeFile(log, dated.map(lineOf).join(''), { mode: 0o600 });
    // The window was closed on another day, so the next one takes over its log.
    const old = new Date(Date.now() - 2 * day);
    await utimes(log, old, old);
  }
}
