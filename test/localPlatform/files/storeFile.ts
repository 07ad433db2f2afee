import { readFileSync } from 'node:fs';
import { constants, open } from 'node:fs/promises';
import { diskFull, notFile, refusalOf } from './diskErrors';
import { demand, demandChange, own } from './permissions';
import { folderOf, type Container, type FoundPlace, type Place } from './place';

const { O_APPEND, O_CREAT, O_NOFOLLOW, O_TRUNC, O_WRONLY } = constants;
const usualMode = 0o644;

const howToOpen = (bytes: 'replace' | 'append'): number =>
  O_WRONLY | O_CREAT | (bytes === 'append' ? O_APPEND : O_TRUNC) | (process.platform === 'win32' ? 0 : O_NOFOLLOW);

const putBytes = async (place: Place, bytes: Buffer, how: 'replace' | 'append', mode: number): Promise<void> => {
  try {
    const file = await open(place.disk, howToOpen(how), mode);
    try {
      await file.writeFile(bytes);
    } finally {
      await file.close();
    }
  } catch (error) {
    throw refusalOf(error, place.shown);
  }
};

/** Returns what the fault leaves of a file on a full disk. */
const leftByFullDisk = (container: Container, bytes: Buffer): Buffer | undefined => {
  switch (container.disk.full) {
    case 'empty':
      return Buffer.alloc(0);
    case 'partial':
      return bytes.subarray(0, Math.floor(bytes.length / 2));
    default:
      return undefined;
  }
};

interface Storing {
  readonly how?: 'replace' | 'append';
  /** Mode bits of new files. */
  readonly mode?: number;
}

/** Writes a file after the permission check. A new file belongs to the container's user. */
export const putFile = async (container: Container, place: Place, bytes: Buffer, storing: Storing): Promise<void> => {
  const stored = container.disk.full === undefined ? bytes : leftByFullDisk(container, bytes);
  if (stored !== undefined) {
    await putBytes(place, stored, storing.how ?? 'replace', storing.mode ?? usualMode);
    if (place.stats === undefined) own(place.node, place.path);
  }
  if (container.disk.full !== undefined) throw diskFull();
};

/** Writes a file in an existing folder. */
export const storeFile = async (
  container: Container,
  place: Place,
  bytes: Buffer,
  storing: Storing = {},
): Promise<void> => {
  if (place.stats === undefined) demandChange(folderOf(container, place));
  else if (place.stats.isFile()) demand(place, 'write');
  else throw notFile(place.shown);
  await putFile(container, place, bytes, storing);
};

/** Returns the bytes of a regular file that the container's user can read. */
export const loadFile = (place: FoundPlace): Buffer => {
  if (!place.stats.isFile()) throw notFile(place.shown);
  demand(place, 'read');
  try {
    return readFileSync(place.disk);
  } catch (error) {
    throw refusalOf(error, place.shown);
  }
};
