import { SharedCalls } from '../../async/sharedCalls';
import { undefinedIf } from '../../platform/errors';
import type { FileEntry } from '../../platform/wire/fileEntry';
import { type FilePlace, keyOf } from '../../containers/place';
import { setNewest } from '../setNewest';
import { entryOfText } from '../text';

interface Known {
  readonly entry: FileEntry;
  readonly at: number;
}

/** How long a result may be used, in milliseconds; the same as for a listing. */
const lifetime = 30_000;
const mostKept = 1_000;

/** Knows files whose folder may not be listed by reading them. */
export class UnlistedFiles {
  private readonly known = new Map<string, Known>();
  private readonly asked = new SharedCalls<FileEntry | undefined>();

  constructor(
    private readonly read: (file: FilePlace) => Promise<string>,
    private readonly now: () => number = Date.now,
  ) {}

  /** Records the result of any read. */
  note(place: FilePlace, text: string): FileEntry {
    const key = keyOf(place);
    const entry = entryOfText(place, text);
    setNewest(this.known, key, { entry, at: this.now() }, mostKept);
    return entry;
  }

  /** Returns `undefined` if the file doesn't exist. Rejects if it can't be read either. */
  async entry(place: FilePlace): Promise<FileEntry | undefined> {
    const key = keyOf(place);
    const known = this.known.get(key);
    if (known !== undefined && this.now() - known.at < lifetime) {
      return known.entry;
    }
    return this.asked.share(key, () => this.ask(place));
  }

  forget(place: FilePlace): void {
    this.known.delete(keyOf(place));
  }

  private async ask(place: FilePlace): Promise<FileEntry | undefined> {
    const text = await undefinedIf('notFound', this.read(place));
    return text === undefined ? undefined : this.note(place, text);
  }
}
