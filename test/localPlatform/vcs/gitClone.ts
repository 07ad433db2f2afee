import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Reads a file of Git's if that is enough, to avoid a process. */
const readGit = async (folder: string, path: string): Promise<string> => {
  try {
    return await readFile(join(folder, path), 'utf8');
  } catch {
    // The file doesn't exist. Callers treat the empty text as unknown.
    return '';
  }
};

const readIn = (clone: string, path: string): Promise<string> => readGit(join(clone, '.git'), path);

/** Returns the newest commit of a branch in a `.git` folder or a bare repository, if there's such a branch. */
export const tipIn = async (folder: string, branch: string): Promise<string | undefined> => {
  const tip = await readGit(folder, `refs/heads/${branch}`);
  const packed = tip === '' ? (await readGit(folder, 'packed-refs')).split('\n') : [];
  const line = packed.find((one) => one.endsWith(` refs/heads/${branch}`)) ?? tip;
  return /^[0-9a-f]{40,64}(?=[ \n])/u.exec(line)?.[0];
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
  if (branch !== undefined) return tipIn(join(clone, '.git'), branch);
  const head = await readIn(clone, 'HEAD');
  return /^[0-9a-f]{40,64}\n$/u.test(head) ? head.trim() : undefined;
};
