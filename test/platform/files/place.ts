import { lstatSync, type Stats } from 'node:fs';
import { lstat, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Node } from '../environments/environment';
import type { Environments } from '../environments/environments';
import type { DiskConditions } from '../faults/diskConditions';
import type { Mount, Mounts } from '../mounts/mounts';
import { codes, Refusal } from '../refusal';
import { codeOf, notFolder, pathMissing, refusalOf } from './diskErrors';
import { demand } from './permissions';

/** One node as an operation sees it. */
export interface Container {
  readonly node: Node;
  readonly environments: Environments;
  readonly mounts: Mounts;
  readonly disk: DiskConditions;
  /** The restricted user obeys the mode bits; the platform's own work does not, and sees no mounts. */
  readonly as: 'containerUser' | 'platform';
}

/** Where a path of a container leads: to this node's disk, or through a mount to another's. */
export interface Place {
  /** The path in the container, free of links. */
  readonly shown: string;
  /** The node whose disk it lies on, and the path there. */
  readonly node: Node;
  readonly path: string;
  readonly disk: string;
  readonly mount: Mount | undefined;
  /** Undefined when nothing is there. A link that is not followed is described itself. */
  readonly stats: Stats | undefined;
  readonly as: Container['as'];
}

export type FoundPlace = Place & { readonly stats: Stats };

const mostLinks = 40;

const namesOf = (path: string): string[] => path.split('/').filter((name) => name !== '' && name !== '.');

const pathOf = (names: readonly string[]): string => `/${names.join('/')}`;

const statsOf = async (disk: string, shown: string): Promise<Stats | undefined> => {
  try {
    return await lstat(disk);
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return undefined;
    throw refusalOf(error, shown);
  }
};

const throughMount = async (
  container: Container,
  mount: Mount,
  rest: readonly string[],
): Promise<Omit<Place, 'shown' | 'stats' | 'as'>> => {
  const node = container.environments.node(mount.sourceNodeId);
  if (node === undefined) throw pathMissing(mount.path);
  // Links on the way to the source are the source's own and stay inside it.
  const source = await locate({ ...container, node, as: 'platform' }, mount.sourcePath, 'followed');
  return { node, mount, path: pathOf([...namesOf(source.path), ...rest]), disk: join(source.disk, ...rest) };
};

/** The place of a path whose folders are known to be no links. */
const placeAt = async (container: Container, names: readonly string[]): Promise<Place> => {
  const shown = pathOf(names);
  const mount = container.as === 'platform' ? undefined : container.mounts.covering(container.node.id, shown);
  const at =
    mount === undefined
      ? {
          node: container.node,
          mount,
          path: shown,
          disk: join(container.environments.folder(container.node.id), ...names),
        }
      : await throughMount(container, mount, names.slice(namesOf(mount.path).length));
  return { ...at, shown, as: container.as, stats: await statsOf(at.disk, shown) };
};

/**
 * Follows a path from the container's root, as the kernel would there: links are resolved inside the container, `..` at
 * the root stays at the root, every folder on the way must be searchable. Only the last name may be missing.
 */
export const locate = async (container: Container, path: string, last: 'followed' | 'itself'): Promise<Place> => {
  if (path === '') throw new Refusal(codes.pathNotDefined, 'path is not defined');
  if (!path.startsWith('/') || path.includes('\0'))
    throw new Refusal(codes.invalidParameter, 'invalid parameter [path]');
  const pending = namesOf(path);
  let names: string[] = [];
  let links = 0;
  let place = await placeAt(container, names);
  for (let name = pending.shift(); name !== undefined; name = pending.shift()) {
    if (place.stats === undefined) throw pathMissing(path);
    if (!place.stats.isDirectory()) throw notFolder(place.shown);
    demand(place, 'search');
    const next = await placeAt(container, name === '..' ? names.slice(0, -1) : [...names, name]);
    if (next.stats?.isSymbolicLink() === true && (pending.length > 0 || last === 'followed')) {
      links += 1;
      if (links > mostLinks) throw new Refusal(codes.unknown, `too many links on the way to [${path}]`);
      const target = await readlink(next.disk);
      pending.unshift(...namesOf(target));
      if (target.startsWith('/')) names = [];
      place = await placeAt(container, names);
    } else {
      names = name === '..' ? names.slice(0, -1) : [...names, name];
      place = next;
    }
  }
  return place;
};

/** The same, where something must be. */
export const find = async (container: Container, path: string, last: 'followed' | 'itself'): Promise<FoundPlace> => {
  const place = await locate(container, path, last);
  return found(place);
};

const found = (place: Place): FoundPlace => {
  const { stats } = place;
  if (stats === undefined) throw pathMissing(place.shown);
  return { ...place, stats };
};

/** The folder a place stands in. */
export const folderOf = async (container: Container, place: Place): Promise<FoundPlace> =>
  found(await placeAt(container, namesOf(place.shown).slice(0, -1)));

/**
 * The place of an entry of a folder that is not left through it: links in there are entries like others. Undefined when
 * it has gone meanwhile. Asks the disk at once: a hundred thousand entries would wait longer for their turns than for it.
 */
export const childOf = (folder: FoundPlace, name: string): FoundPlace | undefined => {
  const below = (path: string): string => (path === '/' ? `/${name}` : `${path}/${name}`);
  const disk = join(folder.disk, name);
  const stats = lstatSync(disk, { throwIfNoEntry: false });
  return stats === undefined
    ? undefined
    : { ...folder, shown: below(folder.shown), path: below(folder.path), disk, stats };
};
