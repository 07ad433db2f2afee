import type { FileEntry } from '../platform/wire/fileEntry';
import { alterationOf, flawOf, type TextFlaw, utf8Length } from './text';

export interface ProvenText {
  readonly text: string;
  readonly flaw: TextFlaw | undefined;
}

/** Asks the platform anew. */
export interface TextSource {
  readonly read: () => Promise<string>;
  /** `undefined` where its folder may not be listed. */
  readonly measure: () => Promise<FileEntry | undefined>;
}

/** Where a text isn't as long as the listing says, the file is listed and, if need be, read once more: that tells why. */
export async function provenText(first: string, listed: FileEntry | undefined, file: TextSource): Promise<ProvenText> {
  const flaw = flawOf(first, listed);
  if (flaw !== 'changing') {
    return { text: first, flaw };
  }
  const now = await file.measure();
  const flawNow = flawOf(first, now);
  if (flawNow !== 'changing') {
    return { text: first, flaw: flawNow };
  }
  const text = await file.read();
  const again = flawOf(text, now);
  if (again !== 'changing') {
    return { text, flaw: again };
  }
  const length = now?.length ?? 0;
  const isShorter = utf8Length(text) < length;
  // A file that keeps its length isn't changing if its text is shorter, or stays the same.
  if ((isShorter || text === first) && (await file.measure())?.length === length) {
    return { text, flaw: alterationOf(text, length) };
  }
  // A longer text is all that a log held at one moment.
  return { text, flaw: isShorter ? 'changing' : 'growing' };
}
