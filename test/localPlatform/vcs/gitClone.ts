import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Reads a file in the `.git` folder of a clone if that is enough, to avoid a Git process. */
const readIn = async (clone: string, path: string): Promise<string> => {
  try {
    return await readFile(join(clone, '.git', path), 'utf8');
  } catch {
    // The file doesn't exist. Callers treat the empty text as unknown.
    return '';
  }
};

/** Whether the clone fetches from this URL only. */
export const isCloneOf = async (clone: string, url: string): Promise<boolean> =>
  (await readIn(clone, 'config')).includes(`[remote "origin"]\n\turl = ${url}\n`);

/** Returns the branch that is checked out. */
export const branchIn = async (clone: string): Promise<string | undefined> =>
  /^ref: refs\/heads\/(.+)\n$/u.exec(await readIn(clone, 'HEAD'))?.[1];

/** Returns the commit that is checked out, or `undefined` if only Git can determine it. */
export const commitIn = async (clone: string): Promise<string | undefined> => {
  const branch = await branchIn(clone);
  const tip = await readIn(clone, branch === undefined ? 'HEAD' : `refs/heads/${branch}`);
  return /^[0-9a-f]{40,64}\n$/u.test(tip) ? tip.trim() : undefined;
};
