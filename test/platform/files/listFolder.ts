import { readdir } from 'node:fs/promises';
import type { Behaviour } from '../behaviour';
import type { Answer } from '../operation';
import { codes, Refusal } from '../refusal';
import { notFolder, refusalOf } from './diskErrors';
import { fileTime, fileTypeOf, permissionText } from './entryKind';
import { demand } from './permissions';
import { locate, type Container, type FoundPlace, type Place } from './place';

/** One row of a listing, before nulls are dropped. */
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
    length: place.stats.size,
    name: place.shown === '/' ? '/' : nameOf(place.shown),
    permission: permissionText(place.stats, behaviour.permissionForm),
    protocol: mount?.protocol,
    sourceHost: mount?.sourceHost,
    sourceNodeId: mount?.sourceNodeId,
    sourcePath: mount?.sourcePath,
  };
};

/** An entry under its own name; what it is, is what a link leads to. */
const childEntry = async (container: Container, path: string, behaviour: Behaviour): Promise<Entry | undefined> => {
  const place = (await follow(container, path)) ?? (await locate(container, path, 'itself'));
  // Gone between the reading of the folder and this: it is not in the listing then.
  if (place.stats === undefined) return undefined;
  return { ...entryOf(container, { ...place, stats: place.stats }, behaviour), absolutePath: path, name: nameOf(path) };
};

const follow = async (container: Container, path: string): Promise<Place | undefined> => {
  try {
    const place = await locate(container, path, 'followed');
    return place.stats === undefined ? undefined : place;
  } catch (error) {
    // A link that leads nowhere, or where the user may not look, is shown as the link it is.
    if (error instanceof Refusal) return undefined;
    throw error;
  }
};

export const nameTest = (filter: string | undefined, how: Behaviour['filter']): ((name: string) => boolean) => {
  if (filter === undefined || filter === '') return () => true;
  try {
    const expression = new RegExp(how === 'matches' ? `^(?:${filter})$` : filter, 'su');
    return (name) => expression.test(name);
  } catch {
    // An expression that does not compile is the request's mistake.
    throw new Refusal(codes.invalidParameter, 'invalid parameter [filter]');
  }
};

/** The entries of a folder, sorted by name. */
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
  const prefix = folder.shown === '/' ? '/' : `${folder.shown}/`;
  for (let start = 0; start < wanted.length; start += atOnce) {
    const some = wanted.slice(start, start + atOnce).map((name) => childEntry(container, prefix + name, behaviour));
    entries.push(...(await Promise.all(some)).filter((entry) => entry !== undefined));
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
