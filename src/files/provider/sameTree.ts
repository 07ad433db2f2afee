import { type FileEntry, isReadableType } from '../../platform/wire/fileEntry';
import { childOf, type FilePlace } from '../../containers/place';
import { textFlawOf } from '../text';
import { isPlatformError, onPlatformError, type PlatformError } from '../../platform/errors';
import { walk } from '../../async/taskPool';

interface Tree {
  readonly place: FilePlace;
  readonly entry: FileEntry | undefined;
}

type Pair = readonly [Tree, Tree];

/** `unproven`: no difference found, but not everything can be compared byte for byte. */
export type Likeness = 'same' | 'different' | 'unproven';

interface TreeReader {
  readonly list: (folder: FilePlace) => Promise<readonly FileEntry[]>;
  /** If omitted, only names and lengths are compared. */
  readonly read?: (file: FilePlace) => Promise<string>;
}

const atOnce = 4;
/** Longer files aren't read for a comparison, in bytes. */
const longest = 5 * 1024 * 1024;

/** Compares two files or folders. The copy may contain more, because it may have been merged into a folder. */
export async function compareTrees(one: Tree, other: Tree, comparing: TreeReader): Promise<Likeness> {
  const differing = new AbortController();
  const all = new Set<Likeness>();
  await walk<Pair>([[one, other]], {
    enter: async ([left, right]) => {
      const found = await compare(left, right, comparing);
      if (typeof found !== 'string') {
        return found;
      }
      all.add(found);
      if (found === 'different') {
        differing.abort();
      }
      return [];
    },
    atOnce,
    signal: differing.signal,
    onFailure: (_, error) => {
      throw error;
    },
  });
  return (['different', 'unproven'] as const).find((likeness) => all.has(likeness)) ?? 'same';
}

/** Compares two files, or returns the pairs to compare next for two folders. */
async function compare(one: Tree, other: Tree, comparing: TreeReader): Promise<Likeness | readonly Pair[]> {
  const [before, after] = [one.entry, other.entry];
  if (before === undefined || after?.isDir !== before.isDir) {
    return 'different';
  }
  if (!before.isDir) {
    return before.length === undefined || before.length !== after.length
      ? 'different'
      : compareTexts({ ...one, entry: before }, { ...other, entry: after }, comparing);
  }
  const [left, right] = await Promise.all([comparing.list(one.place), comparing.list(other.place)]);
  const byName = new Map(right.map((entry) => [entry.name, entry]));
  return left.map((entry) => [
    { place: childOf(one.place, entry.name), entry },
    { place: childOf(other.place, entry.name), entry: byName.get(entry.name) },
  ]);
}

interface File {
  readonly place: FilePlace;
  readonly entry: FileEntry;
}

async function compareTexts(one: File, other: File, { read }: TreeReader): Promise<Likeness> {
  if (read === undefined) {
    return 'same';
  }
  if (![one, other].every(({ entry }) => isReadable(entry))) {
    return 'unproven';
  }
  const readOrError = ({ place }: File) => read(place).catch(onPlatformError((error) => error));
  const [left, right] = await Promise.all([readOrError(one), readOrError(other)]);
  const [refusal, otherRefusal] = [left, right].filter(isPlatformError);
  if (refusal !== undefined && !(otherRefusal?.result === refusal.result && isContentRefused(refusal))) {
    // What is refused for only one of both isn't the content.
    throw refusal;
  }
  if (typeof left !== 'string' || typeof right !== 'string') {
    return 'unproven';
  }
  if (left !== right) {
    return 'different';
  }
  // Equal texts may not be the whole files: the platform may have altered both in the same way.
  return textFlawOf(left, one.entry) === undefined ? 'same' : 'unproven';
}

function isReadable(entry: FileEntry): boolean {
  return isReadableType(entry) && (entry.length ?? 0) <= longest;
}

/** The platform refuses to return some contents, such as binary ones, with codes of its own. */
function isContentRefused({ kind, result }: PlatformError): boolean {
  return ['platform', 'invalid', 'tooLarge'].includes(kind) && result !== undefined;
}
