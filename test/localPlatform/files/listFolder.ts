import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { setImmediate as turn } from 'node:timers/promises';
import type { Behaviour } from '../behaviour';
import type { Answer } from '../operation';
import { codes, Refusal } from '../refusal';
import { notFolder, refusalOf } from './diskErrors';
import { fileTime, fileTypeOf, permissionText } from './entryKind';
import { demand } from './permissions';
import { childOf, find, type Container, type FoundPlace } from './place';

/** A row of a listing, before nulls are removed. */
export type Entry = Answer & { readonly absolutePath: string; readonly isDir: boolean };

const atOnce = 200;

export const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

export const entryOf = (container: Container, place: FoundPlace, behaviour: Behaviour): Entry => {
  const mount = place.mount?.path === place.shown ? place.mount : undefined;
  return {
    absolutePath: place.shown,
    fileType: fileTypeOf(place.stats),
    isDir: place.stats.isDirectory(),
    isExported:
      place.mount === undefined &&
      container.mounts.all.some(
        ({ sourceNodeId, sourcePath }) => sourceNodeId === place.node.id && sourcePath === place.path,
      ),
    isRoot: place.shown === '/',
    lastModified: fileTime(place.stats.mtimeMs, behaviour.fileTimes),
    length: lengthOf(place, behaviour),
    name: place.shown === '/' ? '/' : nameOf(place.shown),
    permission: permissionText(place.stats, behaviour.permissionForm),
    protocol: mount?.protocol,
    sourceHost: mount?.sourceHost,
    sourceNodeId: mount?.sourceNodeId,
    sourcePath: mount?.sourcePath,
  };
};

const lengthOf = ({ stats, disk }: FoundPlace, { lengths }: Behaviour): number =>
  lengths === 'bytes' || !stats.isFile() ? stats.size : readFileSync(disk, 'utf8').length;

/** Returns an entry with its own name and the type of its target if it is a link or mount. */
const childEntry = (container: Container, child: FoundPlace, behaviour: Behaviour): Entry => {
  const place = leadsOn(container, child) ? (follow(container, child.shown) ?? child) : child;
  return { ...entryOf(container, place, behaviour), absolutePath: child.shown, name: nameOf(child.shown) };
};

const leadsOn = (container: Container, { shown, stats }: FoundPlace): boolean =>
  stats.isSymbolicLink() || container.mounts.at(container.node.id, shown) !== undefined;

const follow = (container: Container, path: string): FoundPlace | undefined => {
  try {
    return find(container, path, 'followed');
  } catch (error) {
    // A broken link, or one that the user can't follow, is shown as a link.
    if (error instanceof Refusal) return undefined;
    throw error;
  }
};

/** Everything between `\\Q` and `\\E` is literal, as in the real platform's regular expressions. */
const unquoted = (filter: string): string =>
  filter.replace(/\\Q(.*?)(?:\\E|$)/gsu, (_, text: string) => text.replace(/[\\^$.*+?()[\]{}|]/gu, '\\$&'));

const compiled = (source: string): RegExp | undefined => {
  for (const flags of ['su', 's']) {
    try {
      return new RegExp(source, flags);
    } catch {
      // Stricter about needless backslashes with `u`; what neither form takes is refused by the caller.
    }
  }
  return undefined;
};

export const nameTest = (filter: string | undefined, how: Behaviour['filter']): ((name: string) => boolean) => {
  if (filter === undefined || filter === '') return () => true;
  const source = unquoted(filter);
  const expression = compiled(how === 'matches' ? `^(?:${source})$` : source);
  if (expression === undefined) throw new Refusal(codes.invalidParameter, 'invalid parameter [filter]');
  return (name) => expression.test(name);
};

/** Returns the entries of a folder, sorted by name. */
export const listFolder = async (
  container: Container,
  folder: FoundPlace,
  behaviour: Behaviour,
  isWanted: (name: string) => boolean,
): Promise<readonly Entry[]> => {
  if (!folder.stats.isDirectory()) throw notFolder(folder.shown);
  demand(folder, 'read');
  demand(folder, 'search');
  const names = await readNames(folder);
  const wanted = names.filter(isWanted).sort();
  const entries: Entry[] = [];
  for (let start = 0; start < wanted.length; start += atOnce) {
    for (const name of wanted.slice(start, start + atOnce)) {
      const child = childOf(folder, name);
      if (child !== undefined) entries.push(childEntry(container, child, behaviour));
    }
    await turn();
  }
  return entries;
};

const readNames = async (folder: FoundPlace): Promise<string[]> => {
  try {
    return await readdir(folder.disk);
  } catch (error) {
    throw refusalOf(error, folder.shown);
  }
};
