import { badArchive, safeName, type ArchiveEntry } from './archiveEntry';

const block = 512;

const textAt = (bytes: Buffer, start: number, length: number): string => {
  const field = bytes.subarray(start, start + length);
  const end = field.indexOf(0);
  return field.subarray(0, end < 0 ? length : end).toString('utf8');
};

const numberAt = (bytes: Buffer, start: number, length: number): number => {
  const digits = textAt(bytes, start, length).trim();
  if (!/^[0-7]*$/u.test(digits)) throw badArchive('a damaged tar header');
  return digits === '' ? 0 : Number.parseInt(digits, 8);
};

const isHeader = (header: Buffer): boolean => {
  const unsigned = header.reduce((sum, byte, index) => sum + (index >= 148 && index < 156 ? 0x20 : byte), 0);
  return numberAt(header, 148, 8) === unsigned;
};

/** Parses the records of a pax header: `<length> <key>=<value>\n`, where the length is in bytes. */
const paxRecords = (bytes: Buffer): ReadonlyMap<string, string> => {
  const records = new Map<string, string>();
  for (let at = 0; at < bytes.length;) {
    const space = bytes.indexOf(0x20, at);
    const length = Number(bytes.subarray(at, space).toString('latin1'));
    if (space < 0 || !Number.isInteger(length) || length <= 0) throw badArchive('a damaged pax header');
    const record = bytes.subarray(space + 1, at + length - 1).toString('utf8');
    const equals = record.indexOf('=');
    records.set(record.slice(0, equals), record.slice(equals + 1));
    at += length;
  }
  return records;
};

/** Names that are too long for a header are in a separate entry before it. */
interface Ahead {
  path?: string;
  target?: string;
}

const readAhead = (type: string, content: Buffer): Ahead | undefined => {
  const text = (): string => textAt(content, 0, content.length);
  if (type === 'L') return { path: text() };
  if (type === 'K') return { target: text() };
  if (type !== 'x') return undefined;
  const records = paxRecords(content);
  const [path, target] = [records.get('path'), records.get('linkpath')];
  return { ...(path === undefined ? {} : { path }), ...(target === undefined ? {} : { target }) };
};

const entryOf = (header: Buffer, type: string, content: Buffer, ahead: Ahead): ArchiveEntry | undefined => {
  const prefix = textAt(header, 257, 5) === 'ustar' && header[263] === 0x30 ? textAt(header, 345, 155) : '';
  const name = textAt(header, 0, 100);
  const path = safeName(ahead.path ?? (prefix === '' ? name : `${prefix}/${name}`));
  const mode = numberAt(header, 100, 8) & 0o777;
  const target = ahead.target ?? textAt(header, 157, 100);
  switch (type) {
    case '0':
    case '\0':
    case '7':
      return { kind: 'file', path, mode, bytes: content };
    case '1':
      return { kind: 'hardLink', path, mode, target: safeName(target) };
    case '2':
      return { kind: 'link', path, mode, target };
    case '5':
      return { kind: 'folder', path, mode };
    default:
      // A restricted user couldn't create devices.
      return undefined;
  }
};

/** Reads the entries of a tar archive: ustar, GNU, and pax. */
export const readTar = (bytes: Buffer): readonly ArchiveEntry[] => {
  const entries: ArchiveEntry[] = [];
  let ahead: Ahead = {};
  for (let at = 0; at + block <= bytes.length;) {
    const header = bytes.subarray(at, at + block);
    if (header.every((byte) => byte === 0)) return entries;
    if (!isHeader(header)) throw badArchive('a damaged tar header');
    const length = numberAt(header, 124, 12);
    const type = String.fromCharCode(header[156] ?? 0);
    const content = bytes.subarray(at + block, at + block + length);
    if (content.length !== length) throw badArchive('it is cut short');
    const forNext = readAhead(type, content);
    const entry = forNext === undefined && type !== 'g' ? entryOf(header, type, content, ahead) : undefined;
    if (entry !== undefined) entries.push(entry);
    ahead = forNext === undefined ? {} : { ...ahead, ...forNext };
    at += block + Math.ceil(length / block) * block;
  }
  if (entries.length === 0) throw badArchive('it holds nothing');
  return entries;
};
