import * as v from 'valibot';
import { type FilePlace, keyOf } from '../../../containers/place';
import { mayHoldSecrets } from '../../../containers/secretFiles';
import { digestOf, JsonFolder, storedPlace } from '../../../storage/jsonFolder';

const texts = { before: v.string(), after: v.string() };
const replacedText = v.object({ place: storedPlace, ...texts });
/** Without texts, which only the window has that replaced them. */
const secretText = v.object({ place: storedPlace, isSecret: v.literal(true) });
const storedText = v.union([replacedText, secretText]);

/** A file's text before and after a replacement. */
export type ReplacedText = v.InferOutput<typeof replacedText>;
/** The same, as far as this window knows it. */
type KnownText = v.InferOutput<typeof storedText>;

/** The most replacements of an account whose texts are kept. */
const maxKept = 5;
/** Ends the keys of texts that couldn't be restored. */
const aside = '-aside';

/**
 * Keeps on this computer what each file had before a replacement in several files, so that all of it can be undone, even
 * after the window was closed. Only the owner can read it, like everything that Gantry stores. The texts of files that may
 * hold secrets stay in the memory of this window. Others learn which files those are, because an undo must not pass over them.
 */
export class ReplacementStore {
  private readonly kept: JsonFolder<KnownText>;
  private readonly inMemory = new Map<string, ReplacedText>();

  constructor(
    folder: string,
    private readonly now: () => number = Date.now,
  ) {
    this.kept = new JsonFolder(folder, storedText);
  }

  /** Starts a new replacement, and drops the oldest ones. Returns its name, which sorts by time. */
  async begin(account: string): Promise<string> {
    const names = new Set((await this.keys(digestOf(account))).map(nameIn));
    for (const oldest of [...names].sort().slice(0, Math.max(0, names.size - maxKept + 1))) {
      await this.removeAll(`${digestOf(account)}/${oldest}`);
    }
    return new Date(this.now()).toISOString().replaceAll(/[:.]/g, '-');
  }

  async keep(name: string, replaced: ReplacedText): Promise<void> {
    await this.write(keyFor(name, replaced.place), replaced);
  }

  /** Keeps a text that couldn't be restored, but doesn't let it hide an older replacement. */
  async setAside(name: string, replaced: ReplacedText): Promise<void> {
    const key = keyFor(name, replaced.place);
    await this.write(key + aside, replaced);
    await this.remove(key);
  }

  async drop(name: string, file: FilePlace): Promise<void> {
    const key = keyFor(name, file);
    await Promise.all([key, key + aside].map((one) => this.remove(one)));
  }

  /** Returns the names of the newest replacement, if there's one, and of those with texts set aside, newest first. */
  async undoable(): Promise<readonly string[]> {
    const keys = await this.keys();
    const namesOf = (some: readonly string[]) => some.map(nameIn).sort().reverse();
    const [newest] = namesOf(keys.filter((key) => !key.endsWith(aside)));
    const others = namesOf(keys.filter((key) => key.endsWith(aside)));
    return [...new Set([...(newest === undefined ? [] : [newest]), ...others])];
  }

  /** When a replacement began, from its name. */
  timeOf(name: string): number {
    return Date.parse(name.replace(/T(\d\d)-(\d\d)-(\d\d)-/, 'T$1:$2:$3.'));
  }

  async texts(name: string): Promise<readonly KnownText[]> {
    const isWanted = (key: string) => nameIn(key) === name;
    // Another window may have dropped what it couldn't restore.
    const known = new Map<string, KnownText>([...(await this.kept.list('', isWanted)), ...this.inMemory]);
    const keys = [...known.keys()].filter(isWanted).sort();
    return keys.flatMap((key) => known.get(key) ?? []);
  }

  forgetAccount(account: string): Promise<void> {
    return this.removeAll(digestOf(account));
  }

  private async keys(under = ''): Promise<readonly string[]> {
    const own = [...this.inMemory.keys()].filter((key) => key.startsWith(under));
    return [...new Set([...(await this.kept.keys(under)), ...own])];
  }

  private async write(key: string, replaced: ReplacedText): Promise<void> {
    const { place } = replaced;
    if (mayHoldSecrets(place)) {
      this.inMemory.set(key, replaced);
      await this.kept.write(key, { place, isSecret: true });
    } else {
      await this.kept.write(key, replaced);
    }
  }

  private async remove(key: string): Promise<void> {
    this.inMemory.delete(key);
    await this.kept.remove(key);
  }

  private async removeAll(under: string): Promise<void> {
    for (const key of [...this.inMemory.keys()].filter((one) => one.startsWith(`${under}/`))) {
      this.inMemory.delete(key);
    }
    await this.kept.removeAll(under);
  }
}

function nameIn(key: string): string {
  return key.split('/')[1] ?? '';
}

function keyFor(name: string, file: FilePlace): string {
  return `${digestOf(file.account)}/${name}/${digestOf(keyOf(file))}`;
}
