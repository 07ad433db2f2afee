import type { FileEntry } from '../platform/wire/fileEntry';
import { type FilePlace, nameOf } from '../remote/place';

/**
 * Why a text that was read can't be edited: the file has `bytes` that aren't UTF-8 text, so the text is damaged; it has a `nul` byte, as
 * most binaries do; it is `changing` while it is read, or only `growing`, as a log does; its length is unknown (`unmeasured`).
 */
export type TextFlaw = 'bytes' | 'nul' | 'changing' | 'growing' | 'unmeasured';

/** A half of a surrogate pair, which no UTF-8 can hold. */
const loneSurrogate = /\p{Surrogate}/u;

export function utf8Length(text: string): number {
  return Buffer.byteLength(text, 'utf8');
}

/** Read gives a JSON string, in which bytes that are no UTF-8 become U+FFFD or vanish: only what has the listed length is the file's whole text. */
export function isWhole(text: string, entry: FileEntry): boolean {
  return entry.length === utf8Length(text) && !loneSurrogate.test(text);
}

/**
 * What a text tells of its file, where the folder may not be listed. Nothing of the length if the text came damaged, or empty: an
 * answer without a text looks the same.
 */
export function entryOfText(place: FilePlace, text: string): FileEntry {
  const length = text === '' || text.includes('\uFFFD') ? undefined : utf8Length(text);
  return { absolutePath: place.path, name: nameOf(place), isDir: false, length };
}

/** `undefined` where the text may be edited and written back without losing a byte. */
export function flawOf(text: string, entry: FileEntry | undefined): Exclude<TextFlaw, 'growing'> | undefined {
  if (text.includes('\uFFFD') || loneSurrogate.test(text)) {
    return 'bytes';
  }
  if (entry?.length !== undefined && !isWhole(text, entry)) {
    return 'changing';
  }
  if (text.includes('\0')) {
    return 'nul';
  }
  return entry?.length === undefined ? 'unmeasured' : undefined;
}

/** The text of bytes, with its byte-order mark if there is one; `undefined` where they are no UTF-8 text or hold a NUL. */
export function decodeText(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) {
    return undefined;
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    // The decoder knows but one failure: these are other bytes.
    return undefined;
  }
}

export function encodeText(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** As an editor holds it: without a byte-order mark, and with one kind of line end. */
export function plain(text: string): string {
  return text.replace(/^\uFEFF/, '').replaceAll(/\r\n?/g, '\n');
}
