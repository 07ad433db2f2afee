export interface ZipEntry {
  readonly name: string;
  readonly size: number;
}

const endSignature = 0x06054b50;
const endSize = 22;

/** Lists the files in a zip archive from the directory at its end. */
export function zipEntries(archive: Buffer): ZipEntry[] {
  const end = archive.lastIndexOf(signature(endSignature));
  if (end < 0 || end + endSize > archive.length)
    throw new Error('This is no zip archive: it has no directory at its end.');
  const count = archive.readUInt16LE(end + 10);
  const entries: ZipEntry[] = [];
  for (let at = archive.readUInt32LE(end + 16); entries.length < count;) {
    const [name, extra, comment] = [28, 30, 32].map((offset) => archive.readUInt16LE(at + offset)) as [
      number,
      number,
      number,
    ];
    entries.push({ name: archive.toString('utf8', at + 46, at + 46 + name), size: archive.readUInt32LE(at + 24) });
    at += 46 + name + extra + comment;
  }
  return entries;
}

function signature(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
