import { gunzipSync } from 'node:zlib';
import { badArchive, mostBytes, type ArchiveEntry } from './archiveEntry';
import { unpackBzip2 } from './bzip2';
import { readTar } from './tar';
import { readZip } from './zip';

const startsWith = (bytes: Buffer, ...start: readonly number[]): boolean =>
  start.every((byte, index) => bytes[index] === byte);

const read = (bytes: Buffer): readonly ArchiveEntry[] => {
  if (startsWith(bytes, 0x50, 0x4b)) return readZip(bytes);
  if (startsWith(bytes, 0x1f, 0x8b)) return readTar(gunzipSync(bytes, { maxOutputLength: mostBytes }));
  if (startsWith(bytes, 0x42, 0x5a, 0x68)) return readTar(unpackBzip2(bytes));
  if (bytes.subarray(257, 262).toString('latin1') === 'ustar') return readTar(bytes);
  throw badArchive('it is no zip, tar, tar.gz or tar.bz2');
};

/**
 * Reads all entries of an archive before anything is written. Detects the format from the first bytes, not from the
 * name.
 */
export const readArchive = (bytes: Buffer): readonly ArchiveEntry[] => {
  try {
    return read(bytes);
  } catch (error) {
    // Errors of zlib and reads beyond the end mean that the archive is damaged.
    if (error instanceof RangeError || (error instanceof Error && 'errno' in error)) throw badArchive('it is damaged');
    throw error;
  }
};
