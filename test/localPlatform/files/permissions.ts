import type { Node } from '../environments/environment';
import { denied, pathMissing } from './diskErrors';
import type { Place } from './place';

const bits = { read: 0o4, write: 0o2, search: 0o1 } as const;
export type Right = keyof typeof bits;

/** Returns the owner of the nearest path that has one. */
const ownerOf = (node: Node, path: string): 'root' | 'user' => {
  for (let at = path; at !== ''; at = at.slice(0, at.lastIndexOf('/'))) {
    const owner = node.owners[at];
    if (owner !== undefined) return owner;
  }
  return node.owners['/'] ?? 'root';
};

/**
 * Whether the container's user has a permission. Checks the mode bits itself, because the server may run as root and
 * its user owns the files: the owner's bits if the user owns the path, and everyone's otherwise.
 */
const allows = ({ node, path, mount, stats, as }: Place, right: Right): boolean => {
  if (as === 'platform') return true;
  if (right === 'write' && mount?.readOnly === true) return false;
  if (node.containerUser === 'root' || stats === undefined) return true;
  const mode = ownerOf(node, path) === 'user' ? stats.mode >> 6 : stats.mode;
  return (mode & bits[right]) !== 0;
};

/** Fails with 4037 if the container's user doesn't have the permission. */
export const demand = (place: Place, right: Right): void => {
  if (!allows(place, right)) throw denied(place.shown);
};

/** Fails unless the user can add and remove entries of a folder. */
export const demandChange = (folder: Place): void => {
  if (folder.stats === undefined) throw pathMissing(folder.shown);
  demand(folder, 'write');
  demand(folder, 'search');
};

/** Records that the container's user created a path. */
export const own = (node: Node, path: string): void => {
  if (ownerOf(node, path) !== 'user') node.owners[path] = 'user';
};

const isUnder = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}/`);

export const forgetOwners = ({ node, path }: Place): void => {
  for (const owned of Object.keys(node.owners)) if (isUnder(owned, path)) Reflect.deleteProperty(node.owners, owned);
};

/** Moves the recorded owners with their paths. */
export const moveOwners = (from: Place, to: Place): void => {
  const owner = ownerOf(from.node, from.path);
  const below = Object.entries(from.node.owners).filter(([path]) => path.startsWith(`${from.path}/`));
  forgetOwners(from);
  if (ownerOf(to.node, to.path) !== owner) to.node.owners[to.path] = owner;
  for (const [path, kept] of below) to.node.owners[to.path + path.slice(from.path.length)] = kept;
};
