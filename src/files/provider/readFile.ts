import { type Disposable, EventEmitter, FileSystemError, l10n, Uri } from 'vscode';
import { SharedCalls } from '../../async/sharedCalls';
import { PlatformError } from '../../platform/errors';
import type { FileEntry } from '../../platform/wire/fileEntry';
import type { Containers } from '../../containers/containers';
import type { Listings } from '../../containers/listings';
import { type FilePlace, keyOf, nameOf, uriParts } from '../../containers/place';
import type { OpenEdits } from '../saving/edits/openEdits';
import { flawSentence } from './textFlawText';
import type { LargeFiles } from './largeFiles';
import { provenText } from './provenText';
import type { ReadOnlyFiles } from './readOnlyFiles';
import { type Alteration, isAlteration, mayNotBeListed } from '../text';
import { UnlistedFiles } from './unlistedFiles';

export interface FileReaderDeps {
  readonly containers: Containers;
  readonly listings: Listings;
  readonly edits: OpenEdits;
  readonly readOnly: ReadOnlyFiles;
  readonly large: LargeFiles;
}

/** A file of which the platform returned a damaged text. */
export interface InexactFile {
  readonly place: FilePlace;
  readonly length: number | undefined;
  readonly flaw: Alteration;
}

/** Reads texts. A text that isn't the file's bytes is never returned: VS Code and other extensions would write it down as the file. */
export class FileReader implements Disposable {
  private readonly reads = new SharedCalls<string>();
  private readonly inexact = new EventEmitter<InexactFile>();
  /** A file couldn't be read, since the platform's text isn't exactly what the file holds. */
  readonly onDidFindInexact = this.inexact.event;

  /** A save changes what is known of them. */
  readonly unlisted = new UnlistedFiles((file) => this.deps.containers.read(file));

  constructor(private readonly deps: FileReaderDeps) {}

  read(place: FilePlace): Promise<string> {
    return this.reads.start(keyOf(place), () => this.readNow(place));
  }

  /** An editor asks for text and rights at the same time, and only the text tells whether it may be edited. */
  async settled(place: FilePlace): Promise<void> {
    // Whoever reads it learns of a failure; this only says that it is over.
    await this.reads.get(keyOf(place))?.catch(() => undefined);
  }

  /** `undefined` where nothing of this name is there. Where its folder may not be listed, a file that can be read is there. */
  async entry(place: FilePlace): Promise<FileEntry | undefined> {
    await this.settled(place);
    try {
      return await this.deps.listings.entry(place);
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
        this.deps.readOnly.read(place, 'unmeasured');
      }
      return entry;
    }
  }

  dispose(): void {
    this.inexact.dispose();
  }

  private async readNow(place: FilePlace): Promise<string> {
    const { listings, edits, readOnly } = this.deps;
    const glance = await listings.glance(place);
    if (glance.kind === 'absent') {
      throw FileSystemError.FileNotFound(Uri.from(uriParts(place)));
    }
    const { text: first, entry } =
      glance.kind === 'there'
        ? { entry: this.demandWanted(place, glance.entry), text: await this.deps.containers.read(place) }
        : await this.readUnlisted(place);
    const { text, flaw } = await provenText(first, entry, {
      read: () => this.deps.containers.read(place),
      measure: () => this.measuredAgain(place),
    });
    readOnly.read(place, flaw);
    if (isAlteration(flaw)) {
      this.inexact.fire({ place, length: entry?.length, flaw });
      throw inexactText(l10n.t("Couldn't read {0}. {1}", nameOf(place), flawSentence(flaw)));
    }
    if (flaw === 'changing') {
      throw inexactText(l10n.t('{0} changed while Gantry was reading it. Try again.', nameOf(place)));
    }
    edits.given({ text, place });
    return text;
  }

  private demandWanted(place: FilePlace, entry: FileEntry): FileEntry {
    const readable = demandReadable(place, entry);
    this.deps.large.demandRead(place, entry.length);
    return readable;
  }

  /** `undefined` where its folder may not be listed any more. */
  private async measuredAgain(place: FilePlace): Promise<FileEntry | undefined> {
    try {
      const entry = await this.deps.listings.lookUp(place);
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
      this.deps.containers.read(place, { signal: reading.signal }),
      this.deps.listings.entry(place).then((listed) => {
        try {
          return listed && this.demandWanted(place, listed);
        } catch (error) {
          // The text of a file that won't be opened isn't needed.
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

function inexactText(message: string): PlatformError {
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
