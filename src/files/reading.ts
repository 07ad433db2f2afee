import { type Disposable, EventEmitter, FileSystemError, l10n, Uri } from 'vscode';
import { PlatformError } from '../platform/errors';
import type { FileEntry } from '../platform/wire/fileEntry';
import type { Containers } from '../remote/containers';
import type { Listings } from '../remote/listings';
import { type FilePlace, keyOf, nameOf, uriParts } from '../remote/place';
import type { Edits } from './edits';
import type { LargeFiles } from './largeFiles';
import type { ReadOnlyFiles } from './readOnlyFiles';
import { flawOf, type TextFlaw, utf8Length } from './text';
import { mayNotBeListed, UnlistedFiles } from './unlistedFiles';

export interface ReadingAround {
  readonly containers: Containers;
  readonly listings: Listings;
  readonly edits: Edits;
  readonly readOnly: ReadOnlyFiles;
  readonly large: LargeFiles;
}

/** A file of which the platform returned a damaged text. */
export interface InexactFile {
  readonly place: FilePlace;
  readonly length: number | undefined;
}

/** Reads texts. A text that isn't the file's bytes is never returned: VS Code and other extensions would write it down as the file. */
export class Reading implements Disposable {
  private readonly underway = new Map<string, Promise<unknown>>();
  private readonly inexact = new EventEmitter<InexactFile>();
  /** A file couldn't be read, since the platform's text isn't exactly what the file holds. */
  readonly onDidFindInexact = this.inexact.event;

  /** A save changes what is known of them. */
  readonly unlisted = new UnlistedFiles((file) => this.around.containers.read(file));

  constructor(private readonly around: ReadingAround) {}

  read(place: FilePlace): Promise<string> {
    const key = keyOf(place);
    const reading = this.readNow(place);
    // Whoever waits for it learns of its failure; this only says that it is over.
    const over = reading.then(
      () => undefined,
      () => undefined,
    );
    this.underway.set(key, over);
    void over.then(() => {
      if (this.underway.get(key) === over) {
        this.underway.delete(key);
      }
    });
    return reading;
  }

  /** An editor asks for text and rights at the same time, and only the text tells whether it may be edited. */
  async settled(place: FilePlace): Promise<void> {
    await this.underway.get(keyOf(place));
  }

  /** `undefined` where nothing of this name is there. Where its folder may not be listed, a file that can be read is there. */
  async entry(place: FilePlace): Promise<FileEntry | undefined> {
    await this.settled(place);
    try {
      return await this.around.listings.entry(place);
    } catch (refusal) {
      if (!mayNotBeListed(refusal)) {
        throw refusal;
      }
      // An editor that is about to show it may have begun to read it by now.
      await this.settled(place);
      const entry = await this.unlisted.entry(place).catch(() => {
        throw refusal;
      });
      if (entry !== undefined) {
        this.around.readOnly.read(place, 'unmeasured');
      }
      return entry;
    }
  }

  dispose(): void {
    this.inexact.dispose();
  }

  private async readNow(place: FilePlace): Promise<string> {
    const { listings, edits, readOnly } = this.around;
    const glance = await listings.glance(place);
    if (glance.kind === 'absent') {
      throw FileSystemError.FileNotFound(Uri.from(uriParts(place)));
    }
    const { text: first, entry } =
      glance.kind === 'there'
        ? { entry: this.demandWanted(place, glance.entry), text: await this.around.containers.read(place) }
        : await this.readUnlisted(place);
    const { text, flaw } = await this.proven(place, first, entry);
    readOnly.read(place, flaw);
    if (flaw === 'bytes') {
      this.inexact.fire({ place, length: entry?.length });
    }
    if (flaw === 'bytes' || flaw === 'changing') {
      throw inexactText(place, flaw);
    }
    edits.given({ text, place });
    return text;
  }

  private demandWanted(place: FilePlace, entry: FileEntry): FileEntry {
    const readable = demandReadable(place, entry);
    this.around.large.demandRead(place, entry.length);
    return readable;
  }

  /** Where the length isn't what the listing said, the file is listed once more. Only a short text is read once more. */
  private async proven(
    place: FilePlace,
    first: string,
    listed: FileEntry | undefined,
  ): Promise<{ readonly text: string; readonly flaw: TextFlaw | undefined }> {
    const flaw = flawOf(first, listed);
    if (flaw !== 'changing') {
      return { text: first, flaw };
    }
    const now = await this.measuredAgain(place);
    const flawNow = flawOf(first, now);
    if (flawNow !== 'changing') {
      return { text: first, flaw: flawNow };
    }
    const [before, after] = [listed?.length ?? 0, now?.length ?? 0];
    if (isMoment(first, { before, after })) {
      return { text: first, flaw: 'growing' };
    }
    if (before === after) {
      // A file that keeps its length, and whose text is shorter, isn't changing: bytes were left out.
      return { text: first, flaw: 'bytes' };
    }
    if (after > longestReadTwice) {
      return { text: first, flaw: 'changing' };
    }
    const text = await this.around.containers.read(place);
    const again = flawOf(text, now);
    if (again !== 'changing') {
      return { text, flaw: again };
    }
    if (isMoment(text, { before: after, after })) {
      return { text, flaw: 'growing' };
    }
    return { text, flaw: (await this.measuredAgain(place))?.length === after ? 'bytes' : 'changing' };
  }

  /** `undefined` where its folder may not be listed any more. */
  private async measuredAgain(place: FilePlace): Promise<FileEntry | undefined> {
    try {
      const entry = await this.around.listings.lookUp(place);
      if (entry === undefined) {
        throw FileSystemError.FileNotFound(Uri.from(uriParts(place)));
      }
      return entry;
    } catch (error) {
      if (mayNotBeListed(error)) {
        return undefined;
      }
      throw error;
    }
  }

  /** In parallel, since the folder is needed for nothing but the proof. */
  private async readUnlisted(
    place: FilePlace,
  ): Promise<{ readonly text: string; readonly entry: FileEntry | undefined }> {
    const reading = new AbortController();
    const [text, entry] = await Promise.allSettled([
      this.around.containers.read(place, { signal: reading.signal }),
      this.around.listings.entry(place).then((listed) => {
        try {
          return listed && this.demandWanted(place, listed);
        } catch (error) {
          // Nobody waits for the text of a file that isn't to be opened.
          reading.abort();
          throw error;
        }
      }),
    ]);
    if (entry.status === 'rejected') {
      if (mayNotBeListed(entry.reason) && text.status === 'fulfilled') {
        // What the text says of itself is no proof that it is all of the file.
        this.unlisted.note(place, text.value);
        return { text: text.value, entry: undefined };
      }
      throw entry.reason;
    }
    if (entry.value === undefined) {
      throw FileSystemError.FileNotFound(Uri.from(uriParts(place)));
    }
    if (text.status === 'rejected') {
      throw text.reason;
    }
    return { text: text.value, entry: entry.value };
  }
}

/** In bytes. */
const longestReadTwice = 1024 * 1024;

/**
 * Whether a text can be all that the file held at one moment while it grew from one length to the other. So can a text longer
 * than both, such as that of a file of /proc, whose length is 0.
 */
function isMoment(text: string, { before, after }: { readonly before: number; readonly after: number }): boolean {
  const length = utf8Length(text);
  return length >= after || (before < after && length >= before);
}

function inexactText(place: FilePlace, flaw: 'bytes' | 'changing'): PlatformError {
  const name = nameOf(place);
  const message =
    flaw === 'bytes'
      ? l10n.t("{0} isn't UTF-8 text, and the platform can only return UTF-8 text.", name)
      : l10n.t('{0} changed while Gantry was reading it. Try again.', name);
  return new PlatformError({ kind: 'invalid', operation: 'Read', message });
}

/** Reading a pipe or a device would wait for ever, or never end. */
function demandReadable(place: FilePlace, entry: FileEntry): FileEntry {
  if (entry.isDir) {
    throw FileSystemError.FileIsADirectory(Uri.from(uriParts(place)));
  }
  switch (entry.fileType) {
    case 'named pipe':
    case 'socket':
    case 'character device':
    case 'block device':
      throw new PlatformError({
        kind: 'invalid',
        operation: 'Read',
        message: l10n.t('{0} is a {1}: only regular files can be opened.', place.path, entry.fileType),
      });
    default:
      return entry;
  }
}
