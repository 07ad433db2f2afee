import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { codes, Refusal } from '../refusal';

const isLink = async (path: string): Promise<boolean> => {
  try {
    return (await lstat(path)).isSymbolicLink();
  } catch {
    // What is not there leads nowhere else.
    return false;
  }
};

/**
 * Where a path of the container is on this machine's disk. Links that the container's user made are its own view of
 * the world; followed here they would lead out of the node, so a link among the parents is refused.
 */
export const placeInNode = async (nodeFolder: string, path: string): Promise<string> => {
  const parts = path.split('/').filter((part) => part !== '');
  for (let depth = 1; depth < parts.length; depth += 1) {
    const parent = parts.slice(0, depth);
    if (await isLink(join(nodeFolder, ...parent))) {
      throw new Refusal(codes.deployFailed, `/${parent.join('/')} is a link; nothing is deployed through it`);
    }
  }
  return join(nodeFolder, ...parts);
};
