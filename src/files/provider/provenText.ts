import type { FileEntry } from '../../platform/wire/fileEntry';
import { alterationOf, textFlawOf, type TextFlaw, utf8Length } from '../text';

export interface ProvenText {
  readonly text: string;
  readonly flaw: TextFlaw | undefined;
}

/** Reads and lists the file again on the platform. */
export interface TextSource {
  readonly read: () => Promise<string>;
  /** Returns `undefined` if its folder may not be listed. */
  readonly measure: () => Promise<FileEntry | undefined>;
}

/** In bytes. A longer file isn't read a second time. */
const longestReadTwice = 1024 * 1024;

/** Finds out why a text's length differs from the listing: lists the file again and, if it's short, reads it again. */
export async function provenText(first: string, listed: FileEntry | undefined, file: TextSource): Promise<ProvenText> {
  const flaw = textFlawOf(first, listed);
  if (flaw !== 'changing') {
    return { text: first, flaw };
  }
  const now = await file.measure();
  const flawNow = textFlawOf(first, now);
  if (flawNow !== 'changing') {
    return { text: first, flaw: flawNow };
  }
  const [before, after] = [listed?.length ?? 0, now?.length ?? 0];
  if (before < after && utf8Length(first) >= before) {
    // The complete log as of one moment.
    return { text: first, flaw: 'growing' };
  }
  if (before === after) {
    // The file didn't change, so the platform altered its text. Files in /proc have no length.
    return { text: first, flaw: after === 0 ? 'growing' : alterationOf(first, after) };
  }
  return after > longestReadTwice ? { text: first, flaw: 'changing' } : readAgain(now, file);
}

async function readAgain(listed: FileEntry | undefined, file: TextSource): Promise<ProvenText> {
  const text = await file.read();
  const flaw = textFlawOf(text, listed);
  if (flaw !== 'changing') {
    return { text, flaw };
  }
  const length = listed?.length ?? 0;
  if ((await file.measure())?.length === length) {
    return { text, flaw: length === 0 ? 'growing' : alterationOf(text, length) };
  }
  return { text, flaw: utf8Length(text) < length ? 'changing' : 'growing' };
}
