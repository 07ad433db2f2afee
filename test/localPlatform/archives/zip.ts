import { inflateRawSync } from 'node:zlib';
import { badArchive, mostBytes, safeName, type ArchiveEntry } from './archiveEntry';

const endSignature = 0x06054b50;
const entrySignature = 0x02014b50;
const headerSignature = 0x04034b50;
const endLength = 22;
const fileTypeMask = 0o170000;
const linkType = 0o120000;

interface Directory {
  readonly count: number;
  readonly start: number;
}

const findDirectory = (bytes: Buffer): Directory => {
  for (let at = bytes.length - endLength; at >= 0; at -= 1) {
    if (bytes.readUInt32LE(at) !== endSignature) continue;
    return { count: bytes.readUInt16LE(at + 10), start: bytes.readUInt32LE(at + 16) };
  }
  throw badArchive('a zip without its directory');
};

interface Row {
  readonly name: string;
  readonly method: number;
  readonly packed: number;
  readonly unpacked: number;
  readonly mode: number;
  readonly header: number;
  readonly isEncrypted: boolean;
  readonly next: number;
}

const readRow = (bytes: Buffer, at: number): Row => {
  if (bytes.readUInt32LE(at) !== entrySignature) throw badArchive('a damaged zip directory');
  const nameLength = bytes.readUInt16LE(at + 28);
  const nameEnd = at + 46 + nameLength;
  return {
    name: bytes.subarray(at + 46, nameEnd).toString('utf8'),
    method: bytes.readUInt16LE(at + 10),
    packed: bytes.readUInt32LE(at + 20),
    unpacked: bytes.readUInt32LE(at + 24),
    mode: bytes.readUInt32LE(at + 38) >>> 16,
    header: bytes.readUInt32LE(at + 42),
    isEncrypted: (bytes.readUInt16LE(at + 8) & 1) === 1,
    next: nameEnd + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32),
  };
};

const contentOf = (bytes: Buffer, row: Row): Buffer => {
  if (row.isEncrypted) throw badArchive(`[${row.name}] is encrypted`);
  if (bytes.readUInt32LE(row.header) !== headerSignature) throw badArchive('a damaged zip header');
  const start = row.header + 30 + bytes.readUInt16LE(row.header + 26) + bytes.readUInt16LE(row.header + 28);
  const packed = bytes.subarray(start, start + row.packed);
  if (packed.length !== row.packed) throw badArchive('it is cut short');
  if (row.method === 0) return packed;
  if (row.method === 8) return inflateRawSync(packed, { maxOutputLength: mostBytes });
  throw badArchive(`[${row.name}] is packed in an unknown way`);
};

const entryOf = (bytes: Buffer, row: Row): ArchiveEntry => {
  const path = safeName(row.name);
  const mode = row.mode & 0o777;
  if (row.name.endsWith('/')) return { kind: 'folder', path, mode: mode === 0 ? 0o755 : mode };
  const content = contentOf(bytes, row);
  if ((row.mode & fileTypeMask) === linkType) return { kind: 'link', path, mode, target: content.toString('utf8') };
  return { kind: 'file', path, mode: mode === 0 ? 0o644 : mode, bytes: content };
};

/** Reads the entries of a zip archive from its central directory. */
export const readZip = (bytes: Buffer): readonly ArchiveEntry[] => {
  const directory = findDirectory(bytes);
  const entries: ArchiveEntry[] = [];
  let total = 0;
  for (let index = 0, at = directory.start; index < directory.count; index += 1) {
    const row = readRow(bytes, at);
    total += row.unpacked;
    if (total > mostBytes) throw badArchive('it is too large');
    entries.push(entryOf(bytes, row));
    at = row.next;
  }
  return entries;
};
