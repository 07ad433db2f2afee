import { lstatSync, readlinkSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import type { Node } from '../environments/environment';
import type { Environments } from '../environments/environments';
import type { DiskConditions } from '../faults/diskConditions';
import type { Mount, Mounts } from '../mounts/mounts';
import { codes, Refusal } from '../refusal';
import { codeOf, notFolder, pathMissing, refusalOf } from './diskErrors';
import { demand } from './permissions';

/** A node from the view of an operation. */
export interface Container {
  readonly node: Node;
  readonly environments: Environments;
  readonly mounts: Mounts;
  readonly disk: DiskConditions;
  /** Mode bits apply to the restricted user, but not to the platform's own work, which also ignores mounts. */
  readonly as: 'containerUser' | 'platform';
}

/** The target of a container path: on this node's disk, or on another one's through a mount. */
export interface Place {
  /** The path in the container after resolving links. */
  readonly shown: string;
  /** The node whose disk contains it, and the path there. */
  readonly node: Node;
  readonly path: string;
  readonly disk: string;
  readonly mount: Mount | undefined;
  /** Undefined if the path doesn't exist. Describes the link itself if links aren't followed. */
  readonly stats: Stats | undefined;
  readonly as: Container['as'];
}

export type FoundPlace = Place & { readonly stats: Stats };

const mostLinks = 40;

const namesOf = (path: string): string[] => path.split('/').filter((name) => name !== '' && name !== '.');

const pathOf = (names: readonly string[]): string => `/${names.join('/')}`;

/**
 * Reads synchronously, because scheduling an asynchronous call for each name of each path would take longer than the
 * disk.
 */
const statsOf = (disk: string, shown: string): Stats | undefined => {
  try {
    return lstatSync(disk, { throwIfNoEntry: false });
  } catch (error) {
    if (codeOf(error) === 'ENOTDIR') return undefined;
    throw refusalOf(error, shown);
  }
};

const throughMount = (
  container: Container,
  mount: Mount,
  rest: readonly string[],
): Omit<Place, 'shown' | 'stats' | 'as'> => {
  const node = container.environments.node(mount.sourceNodeId);
  if (node === undefined) throw pathMissing(mount.path);
  // Links in the path to the source are resolved inside the source.
  const source = locate({ ...container, node, as: 'platform' }, mount.sourcePath, 'followed');
  return { node, mount, path: pathOf([...namesOf(source.path), ...rest]), disk: join(source.disk, ...rest) };
};

/** Returns the place of a path whose folders aren't links. */
const placeAt = (container: Container, names: readonly string[]): Place => {
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
      : throughMount(container, mount, names.slice(namesOf(mount.path).length));
  return { ...at, shown, as: container.as, stats: statsOf(at.disk, shown) };
};

/**
 * Resolves a path from the container's root as the kernel would: links are resolved inside the container, `..` at the
 * root stays at the root, and every folder on the way must be searchable. Only the last name can be missing.
 */
export const locate = (container: Container, path: string, last: 'followed' | 'itself'): Place => {
  if (path === '') throw new Refusal(codes.pathNotDefined, 'path is not defined');
  if (!path.startsWith('/') || path.includes('\0'))
    throw new Refusal(codes.invalidParameter, 'invalid parameter [path]');
  const pending = namesOf(path);
  let names: string[] = [];
  let links = 0;
  let place = placeAt(container, names);
  for (let name = pending.shift(); name !== undefined; name = pending.shift()) {
    if (place.stats === undefined) throw pathMissing(path);
    if (!place.stats.isDirectory()) throw notFolder(place.shown);
    demand(place, 'search');
    const next = placeAt(container, name === '..' ? names.slice(0, -1) : [...names, name]);
    if (next.stats?.isSymbolicLink() === true && (pending.length > 0 || last === 'followed')) {
      links += 1;
      if (links > mostLinks) throw new Refusal(codes.unknown, `too many links on the way to [${path}]`);
      const target = readlinkSync(next.disk);
      pending.unshift(...namesOf(target));
      if (target.startsWith('/')) names = [];
      place = placeAt(container, names);
    } else {
      names = name === '..' ? names.slice(0, -1) : [...names, name];
      place = next;
    }
  }
  return place;
};

/** Resolves a path like `locate`, and fails if it doesn't exist. */
export const find = (container: Container, path: string, last: 'followed' | 'itself'): FoundPlace =>
  found(locate(container, path, last));

const found = (place: Place): FoundPlace => {
  const { stats } = place;
  if (stats === undefined) throw pathMissing(place.shown);
  return { ...place, stats };
};

/** Returns the parent folder of a place. */
export const folderOf = (container: Container, place: Place): FoundPlace =>
  found(placeAt(container, namesOf(place.shown).slice(0, -1)));

/**
 * Returns the place of an entry that stays in its folder, so links aren't followed. Returns undefined if it is gone.
 */
export const childOf = (folder: FoundPlace, name: string): FoundPlace | undefined => {
  const below = (path: string): string => (path === '/' ? `/${name}` : `${path}/${name}`);
  const disk = join(folder.disk, name);
  const stats = lstatSync(disk, { throwIfNoEntry: false });
  return stats === undefined
    ? undefined
    : { ...folder, shown: below(folder.shown), path: below(folder.path), disk, stats };
};
