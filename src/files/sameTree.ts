import type { FileEntry } from '../platform/wire/fileEntry';
import { childOf, type FilePlace } from '../remote/place';
import { bounded } from './transfers/bounded';

interface Tree {
  readonly place: FilePlace;
  readonly entry: FileEntry | undefined;
}

type List = (folder: FilePlace) => Promise<readonly FileEntry[]>;

const atOnce = 4;

/** Whether two files, or all that is in two folders, have the same names and lengths. */
export async function isSameTree(one: Tree, other: Tree, list: List): Promise<boolean> {
  const differing = new AbortController();
  let level: [Tree, Tree][] = [[one, other]];
  while (level.length > 0 && !differing.signal.aborted) {
    const next: [Tree, Tree][] = [];
    await bounded(level, atOnce, differing.signal, async ([left, right]) => {
      const below = await compare(left, right, list);
      if (below === undefined) {
        differing.abort();
      } else {
        next.push(...below);
      }
    });
    level = next;
  }
  return !differing.signal.aborted;
}

/** What is to be compared next, or `undefined` where the two differ. */
async function compare(one: Tree, other: Tree, list: List): Promise<[Tree, Tree][] | undefined> {
  const [before, after] = [one.entry, other.entry];
  if (before?.isDir !== after?.isDir) {
    return undefined;
  }
  if (before?.isDir !== true) {
    return before?.length !== undefined && before.length === after?.length ? [] : undefined;
  }
  const [left, right] = await Promise.all([list(one.place), list(other.place)]);
  if (left.length !== right.length) {
    return undefined;
  }
  const byName = new Map(right.map((entry) => [entry.name, entry]));
  return left.map((entry) => [
    { place: childOf(one.place, entry.name), entry },
    { place: childOf(other.place, entry.name), entry: byName.get(entry.name) },
  ]);
}
