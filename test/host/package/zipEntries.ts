export interface ZipEntry {
  readonly name: string;
  readonly size: number;
}

export interface StoredZipEntry extends ZipEntry {
  /** Its record in the directory. */
  readonly record: Buffer;
  readonly isDeflated: boolean;
  /** What the archive holds of it, usually compressed. */
  readonly data: Buffer;
}

const endSignature = 0x06054b50;
const endSize = 22;
const deflated = 8;

/** Lists the files in a zip archive from the directory at its end. */
export function zipEntries(archive: Buffer): StoredZipEntry[] {
  const end = archive.lastIndexOf(signature(endSignature));
  if (end < 0 || end + endSize > archive.length)
    throw new Error('This is no zip archive: it has no directory at its end.');
  const count = archive.readUInt16LE(end + 10);
  const entries: StoredZipEntry[] = [];
  for (let at = archive.readUInt32LE(end + 16); entries.length < count;) {
    const short = (offset: number) => archive.readUInt16LE(at + offset);
    const next = at + 46 + short(28) + short(30) + short(32);
    const local = archive.readUInt32LE(at + 42);
    const start = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28);
    entries.push({
      name: archive.toString('utf8', at + 46, at + 46 + short(28)),
      size: archive.readUInt32LE(at + 24),
      record: archive.subarray(at, next),
      isDeflated: short(10) === deflated,
      data: archive.subarray(start, start + archive.readUInt32LE(at + 20)),
    });
    at = next;
  }
  return entries;
}

function signature(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
