import { FileSystemError, l10n } from 'vscode';
import { SharedCalls } from '../../async/sharedCalls';
import { uriOf } from '../../containers/uris';
import { PlatformError, undefinedIf } from '../../platform/errors';
import type { FileEntry } from '../../platform/wire/fileEntry';
import type { Containers } from '../../containers/containers';
import type { Listings } from '../../containers/listings';
import { type FilePlace, keyOf, nameOf } from '../../containers/place';
import type { OpenEdits } from '../saving/edits/openEdits';
import { isSpecial } from '../saving/serverFiles';
import { flawSentence } from '../wholeText';
import type { LargeFiles } from './largeFiles';
import type { ReadOnlyFiles } from './readOnlyFiles';
import { type Alteration, entryOfText, isAlteration, mayNotBeListed, provenText } from '../text';
import { BoundedMap } from '../boundedMap';

/** The platform returned a damaged text. */
export class AlteredTextError extends PlatformError {
  constructor(place: FilePlace, flaw: Alteration) {
    const message = l10n.t("Couldn't read {0}. {1}", nameOf(place), flawSentence(flaw));
    super({ kind: 'invalid', operation: 'Read', message });
  }
}

/** A text for VS Code. */
export interface GivenText {
  readonly text: string;
  /** The file as it was listed with this text, or before; `undefined` if its folder may not be listed. */
  readonly listed: FileEntry | undefined;
}

/** Reads texts. Rejects one that isn't exactly the file, because VS Code or an extension might write it back. */
export class FileReader {
  private readonly reads = new SharedCalls<GivenText>();

  /** Also updated by saves. */
  readonly unlisted = new UnlistedFiles((file) => this.deps.containers.read(file));

  constructor(
    private readonly deps: {
      readonly containers: Containers;
      readonly listings: Listings;
      readonly edits: OpenEdits;
      readonly readOnly: ReadOnlyFiles;
      readonly large: LargeFiles;
    },
  ) {}

  read(place: FilePlace): Promise<GivenText> {
    return this.reads.start(keyOf(place), () => this.readNow(place));
  }

  /** Waits for a running read, because VS Code requests the stat meanwhile and only the text shows its flaws. */
  async settled(place: FilePlace): Promise<void> {
    // Whoever reads it learns of a failure; this only says that it is over.
    await this.reads.get(keyOf(place))?.catch(() => undefined);
  }

  /** Returns `undefined` if it doesn't exist. If its folder may not be listed, a readable file counts as existing. */
  async entry(place: FilePlace): Promise<FileEntry | undefined> {
    await this.settled(place);
    try {
      return await this.deps.listings.entry(place);
    } catch (refusal) {
      if (!mayNotBeListed(refusal)) {
        throw refusal;
      }
      // An editor that is about to open may be reading it by now.
      await this.settled(place);
      const entry = await this.unlisted.entry(place).catch(() => {
        throw refusal;
      });
      if (entry !== undefined) {
        this.deps.readOnly.read(place, 'unmeasured');
      }
      return entry;
    }
  }

  private async readNow(place: FilePlace): Promise<GivenText> {
    const { listings, edits, readOnly } = this.deps;
    const peek = await listings.peek(place);
    if (peek.kind === 'absent') {
      throw FileSystemError.FileNotFound(uriOf(place));
    }
    const { text: first, entry } =
      peek.kind === 'there'
        ? { entry: this.demandWanted(place, peek.entry), text: await this.deps.containers.read(place) }
        : await this.readUnlisted(place);
    const { text, flaw, listed } = await provenText(first, entry, {
      read: () => this.deps.containers.read(place),
      measure: () => this.measuredAgain(place),
    });
    readOnly.read(place, flaw);
    if (isAlteration(flaw)) {
      throw new AlteredTextError(place, flaw);
    }
    if (flaw === 'changing') {
      throw unreadable(l10n.t("Couldn't read {0}: it changed while Gantry was reading it. Try again.", nameOf(place)));
    }
    edits.given({ text, place }, peek.kind === 'there' ? peek.entry : undefined);
    return { text, listed };
  }

  private demandWanted(place: FilePlace, entry: FileEntry): FileEntry {
    const readable = demandReadable(place, entry);
    this.deps.large.demandRead(place, entry.length);
    return readable;
  }

  /** Returns `undefined` if its folder may no longer be listed. */
  private async measuredAgain(place: FilePlace): Promise<FileEntry | undefined> {
    try {
      const entry = await this.deps.listings.lookUp(place);
      if (entry === undefined) {
        throw FileSystemError.FileNotFound(uriOf(place));
      }
      return entry;
    } catch (error) {
      if (mayNotBeListed(error)) {
        return undefined;
      }
      throw error;
    }
  }

  /** Reads and lists in parallel, because the listing only serves to verify the text. */
  private async readUnlisted(
    place: FilePlace,
  ): Promise<{ readonly text: string; readonly entry: FileEntry | undefined }> {
    const reading = new AbortController();
    const [text, entry] = await Promise.allSettled([
      this.deps.containers.read(place, { signal: reading.signal }),
      this.deps.listings.entry(place).then((listed) => {
        try {
          return listed && this.demandWanted(place, listed);
        } catch (error) {
          // The file won't be opened, so stop reading it.
          reading.abort();
          throw error;
        }
      }),
    ]);
    if (entry.status === 'rejected') {
      if (mayNotBeListed(entry.reason) && text.status === 'fulfilled') {
        // Without a listing, nothing proves that the text is the whole file.
        this.unlisted.note(place, text.value);
        return { text: text.value, entry: undefined };
      }
      throw entry.reason;
    }
    if (entry.value === undefined) {
      throw FileSystemError.FileNotFound(uriOf(place));
    }
    if (text.status === 'rejected') {
      throw text.reason;
    }
    return { text: text.value, entry: entry.value };
  }
}

function unreadable(message: string): PlatformError {
  return new PlatformError({ kind: 'invalid', operation: 'Read', message });
}

/** Refuses pipes and devices, because reading them might never end. */
function demandReadable(place: FilePlace, entry: FileEntry): FileEntry {
  if (entry.isDir) {
    throw FileSystemError.FileIsADirectory(uriOf(place));
  }
  if (isSpecial(entry)) {
    throw unreadable(l10n.t("Couldn't open {0}: it's a {1}, not a regular file.", place.path, entry.fileType ?? ''));
  }
  return entry;
}

interface KnownFile {
  readonly entry: FileEntry;
  readonly at: number;
}

/** How long a result may be used, in milliseconds; the same as for a listing. */
const lifetime = 30_000;
const maxKept = 1_000;

/** Knows files whose folder may not be listed by reading them. */
class UnlistedFiles {
  private readonly known = new BoundedMap<string, KnownFile>(maxKept);
  private readonly asked = new SharedCalls<FileEntry | undefined>();

  constructor(private readonly read: (file: FilePlace) => Promise<string>) {}

  /** Records the result of any read. */
  note(place: FilePlace, text: string): FileEntry {
    const key = keyOf(place);
    const entry = entryOfText(place, text);
    this.known.set(key, { entry, at: Date.now() });
    return entry;
  }

  /** Returns `undefined` if the file doesn't exist. Rejects if it can't be read either. */
  async entry(place: FilePlace): Promise<FileEntry | undefined> {
    const key = keyOf(place);
    const known = this.known.get(key);
    if (known !== undefined && Date.now() - known.at < lifetime) {
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
