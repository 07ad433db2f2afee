import type { Node } from '../environments/environment';
import { denied, pathMissing } from './diskErrors';
import type { Place } from './place';

const bits = { read: 0o4, write: 0o2, search: 0o1 } as const;
export type Right = keyof typeof bits;

/** The owner of a path: that of the nearest path above it, or itself, that has one. */
const ownerOf = (node: Node, path: string): 'root' | 'user' => {
  for (let at = path; at !== ''; at = at.slice(0, at.lastIndexOf('/'))) {
    const owner = node.owners[at];
    if (owner !== undefined) return owner;
  }
  return node.owners['/'] ?? 'root';
};

/**
 * Whether the container's user has a right. The server reads the mode bits itself, because it may run as root and the
 * files belong to whoever runs it: the user's bits where the user owns the path, else everyone's.
 */
const allows = ({ node, path, mount, stats, as }: Place, right: Right): boolean => {
  if (as === 'platform') return true;
  if (right === 'write' && mount?.readOnly === true) return false;
  if (node.containerUser === 'root' || stats === undefined) return true;
  const mode = ownerOf(node, path) === 'user' ? stats.mode >> 6 : stats.mode;
  return (mode & bits[right]) !== 0;
};

/** Refuses with 4037 a right the container's user does not have. */
export const demand = (place: Place, right: Right): void => {
  if (!allows(place, right)) throw denied(place.shown);
};

/** Refuses unless entries may be made in and taken from a folder. */
export const demandChange = (folder: Place): void => {
  if (folder.stats === undefined) throw pathMissing(folder.shown);
  demand(folder, 'write');
  demand(folder, 'search');
};

/** Notes that the container's user made a path. */
export const own = (node: Node, path: string): void => {
  if (ownerOf(node, path) !== 'user') node.owners[path] = 'user';
};

const isUnder = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}/`);

export const forgetOwners = ({ node, path }: Place): void => {
  for (const owned of Object.keys(node.owners)) if (isUnder(owned, path)) Reflect.deleteProperty(node.owners, owned);
};

/** Owners go with what they own. */
export const moveOwners = (from: Place, to: Place): void => {
  const owner = ownerOf(from.node, from.path);
  const below = Object.entries(from.node.owners).filter(([path]) => path.startsWith(`${from.path}/`));
  forgetOwners(from);
  if (ownerOf(to.node, to.path) !== owner) to.node.owners[to.path] = owner;
  for (const [path, kept] of below) to.node.owners[to.path + path.slice(from.path.length)] = kept;
};
