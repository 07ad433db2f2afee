import { inflateRawSync } from 'node:zlib';
import { type StoredZipEntry, zipEntries } from './zipEntries';

/** A flag for sizes that follow the data, because the archive's writer didn't know them before. */
const sizesFollow = 0x08;
const endSize = 22;

/** Returns an archive of the same files in fewer bytes. Everything that reads zip archives can read it. */
export async function recompressZip(archive: Buffer): Promise<Buffer> {
  const entries = zipEntries(archive);
  const files: Buffer[] = [];
  const records: Buffer[] = [];
  let offset = 0;
  for (const entry of entries) {
    const data = await smallest(entry);
    const record = recordFor(entry, data.length, offset);
    const file = Buffer.concat([localHeader(record), Buffer.from(entry.name), data]);
    files.push(file);
    records.push(record);
    offset += file.length;
  }
  const directory = Buffer.concat(records);
  const end = Buffer.alloc(endSize);
  end.write('PK\u0005\u0006', 'latin1');
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...files, directory, end]);
}

/** Loads the compressor without its handlers, which would end this process at a rejection that is handled a bit later. */
async function loadCompressor() {
  const events = ['unhandledRejection', 'uncaughtException'] as const;
  const before = events.map((event) => new Set(process.rawListeners(event)));
  const loaded = await import('@gfx/zopfli');
  for (const [index, event] of events.entries()) {
    for (const listener of process.rawListeners(event)) {
      if (before[index]?.has(listener) === false) process.removeListener(event, listener as () => void);
    }
  }
  return loaded;
}

async function smallest({ isDeflated, data }: StoredZipEntry): Promise<Buffer> {
  if (!isDeflated) return data;
  const { deflateAsync } = await loadCompressor();
  const packed = Buffer.from(await deflateAsync(inflateRawSync(data), { numiterations: 15 }));
  return packed.length < data.length ? packed : data;
}

function recordFor({ record }: StoredZipEntry, packedSize: number, offset: number): Buffer {
  const changed = Buffer.from(record);
  changed.writeUInt16LE(record.readUInt16LE(8) & ~sizesFollow, 8);
  changed.writeUInt32LE(packedSize, 20);
  changed.writeUInt32LE(offset, 42);
  return changed;
}

/** The local header repeats what the directory says from the version to the length of the name. */
function localHeader(record: Buffer): Buffer {
  const header = Buffer.alloc(30);
  header.write('PK\u0003\u0004', 'latin1');
  record.copy(header, 4, 6, 30);
  return header;
}
