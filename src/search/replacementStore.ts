import * as v from 'valibot';
import { type FilePlace, keyOf } from '../containers/place';
import { storedPlace } from '../files/saving/backups';
import { digestOf, JsonFolder } from '../storage/jsonFolder';

const replacedText = v.object({ place: storedPlace, before: v.string(), after: v.string() });

/** A file's text before and after a replacement. */
export type ReplacedText = v.InferOutput<typeof replacedText>;

/** The most replacements of an account whose texts are kept. */
const mostKept = 5;

/**
 * Keeps on this computer what each file had before a replacement in several files, so that all of it can be undone, even
 * after the window was closed. Only the owner can read it, like everything that Gantry stores.
 */
export class ReplacementStore {
  private readonly texts: JsonFolder<ReplacedText>;

  constructor(
    folder: string,
    private readonly now: () => number = Date.now,
  ) {
    this.texts = new JsonFolder(folder, replacedText);
  }

  /** Starts a new replacement, and drops the oldest ones. Returns its name, which sorts by time. */
  async begin(account: string): Promise<string> {
    const names = new Set((await this.texts.keys(digestOf(account))).map((key) => key.split('/')[1] ?? ''));
    for (const oldest of [...names].sort().slice(0, Math.max(0, names.size - mostKept + 1))) {
      await this.texts.removeAll(`${digestOf(account)}/${oldest}`);
    }
    return new Date(this.now()).toISOString().replaceAll(/[:.]/g, '-');
  }

  keep(name: string, replaced: ReplacedText): Promise<void> {
    return this.texts.write(keyFor(name, replaced.place), replaced);
  }

  drop(name: string, file: FilePlace): Promise<void> {
    return this.texts.remove(keyFor(name, file));
  }

  /** Returns the texts of the newest replacement of any account, or `undefined` if there's none. */
  async newest(): Promise<{ readonly name: string; readonly texts: readonly ReplacedText[] } | undefined> {
    const keys = await this.texts.keys();
    const name = keys
      .map((key) => key.split('/')[1] ?? '')
      .sort()
      .at(-1);
    if (name === undefined) {
      return undefined;
    }
    const texts = await this.texts.list('', (key) => key.split('/')[1] === name);
    return { name, texts: [...texts.values()] };
  }

  forgetAccount(account: string): Promise<void> {
    return this.texts.removeAll(digestOf(account));
  }
}

function keyFor(name: string, file: FilePlace): string {
  return `${digestOf(file.account)}/${name}/${digestOf(keyOf(file))}`;
}
