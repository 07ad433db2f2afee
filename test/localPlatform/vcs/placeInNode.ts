import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { codes, Refusal } from '../refusal';

const isLink = async (path: string): Promise<boolean> => {
  try {
    return (await lstat(path)).isSymbolicLink();
  } catch {
    // A missing path leads nowhere else.
    return false;
  }
};

/**
 * Returns where a container path is on this machine's disk. The container's user may have created links that would lead
 * outside the node here, so a link among the parents fails.
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
