import { addressOf } from '../containers/containers';
import { childOf, type FilePlace } from '../containers/place';
import type { FileEntry } from '../platform/wire/fileEntry';
import { readTimestamp } from '../platform/wire/timestamp';
import type { Facts } from './facts';
import { clockFact } from './observation';
import { lengthFact } from './replyFacts';
import type { ScratchFiles } from './scratchFiles';

const lineEnds = 'a\r\nb\r\n';
const mark = '\uFEFFa\n';
const nonAscii = 'ä€😀\n';
const longText = 'Gantry checks long texts.\n'.repeat(8_000);
/** In a URL, each piece is a request. */
const longTextInUrl = 'Gantry checks long texts.\n'.repeat(200);

/** Each text goes to a new file, so that nothing depends on how existing files are overwritten. */
export async function probeTexts(files: ScratchFiles): Promise<Facts> {
  const long = files.account.transport === 'query' ? longTextInUrl : longText;
  const texts = { lineEnds, mark, nonAscii, long };
  const seen: { -readonly [K in keyof typeof texts]?: Stored } = {};
  for (const name of ['lineEnds', 'mark', 'nonAscii', 'long'] as const) {
    const stored = await store(files, name, texts[name]);
    if (stored !== undefined) {
      seen[name] = stored;
    }
  }
  const stampedAt = readTimestamp(seen.nonAscii?.entry.lastModified);
  const lengths = seen.nonAscii?.entry.length;
  const altered = (name: keyof typeof texts) => {
    const length = seen[name]?.entry.length;
    if (seen[name] === undefined || length === undefined) {
      return undefined;
    }
    return lengthFact(texts[name], length) === 'other' ? 'altered' : 'exact';
  };
  return {
    readTexts: readFact(seen, texts),
    lengths: lengths === undefined ? undefined : lengthFact(nonAscii, lengths),
    writeLineEnds: altered('lineEnds'),
    writeMark: altered('mark'),
    writeNonAscii: altered('nonAscii'),
    writeLong: seen.long !== undefined && seen.long.text !== long ? 'altered' : altered('long'),
    fileClock: clockFact(stampedAt, Date.now()),
  };
}

async function store(files: ScratchFiles, name: string, text: string): Promise<Stored | undefined> {
  const file = childOf(files.folder, `${name}.txt`);
  const at = { ...addressOf(file), path: file.path };
  const { account } = files;
  const [first = text, ...rest] = account.pieces({ ...at, body: text });
  const isWritten = await files.change(`Write, ${name}`, 'Write', { ...at, body: first, isAppendMode: false });
  for (const piece of rest) {
    await files.change(`Append, ${name}`, 'Append', { ...at, body: piece });
  }
  return isWritten === true ? stored(files, file) : undefined;
}

async function stored(files: ScratchFiles, file: FilePlace): Promise<Stored | undefined> {
  const entry = (await files.entries(files.folder))?.find(({ absolutePath }) => absolutePath === file.path);
  const text = entry === undefined ? undefined : await files.text(file);
  return entry === undefined || text === undefined ? undefined : { text, entry };
}

interface Stored {
  readonly text: string;
  readonly entry: FileEntry;
}

type Texts = Readonly<Record<'lineEnds' | 'mark' | 'nonAscii' | 'long', string>>;

function readFact(seen: { readonly [K in keyof Texts]?: Stored }, texts: Texts): Facts['readTexts'] {
  const { lineEnds: ends, mark: marked, nonAscii: beyond } = seen;
  if (ends === undefined || marked === undefined || beyond === undefined) {
    return undefined;
  }
  if (beyond.text === Buffer.from(texts.nonAscii).toString('latin1')) {
    return 'latin1';
  }
  if (beyond.text !== texts.nonAscii) {
    return 'other';
  }
  const losesEnds = ends.text === texts.lineEnds.replaceAll('\r\n', '\n');
  const losesMark = marked.text === texts.mark.slice(1);
  const isOther = (ends.text !== texts.lineEnds && !losesEnds) || (marked.text !== texts.mark && !losesMark);
  if (isOther) {
    return 'other';
  }
  return losesEnds ? (losesMark ? 'normalized' : 'lineFeeds') : losesMark ? 'withoutMark' : 'exact';
}
