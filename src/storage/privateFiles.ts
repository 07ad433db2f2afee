import { randomUUID } from 'node:crypto';
import { chmod, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

const privateFile = 0o600;
const privateFolder = 0o700;

/** The end of the name of a file that is being written. A crash may leave it. */
export const unfinishedEnd = '.unfinished';

/** Writes a file that only its owner can read: all of it or nothing, whichever windows write it at the same time. */
export async function writePrivateFile(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: privateFolder });
  const unfinished = `${file}.${randomUUID()}${unfinishedEnd}`;
  try {
    await writeFile(unfinished, text, { mode: privateFile });
    await chmod(unfinished, privateFile);
    await rename(unfinished, file);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}

/** Returns the file's content, or `undefined` only if it doesn't exist. Rejects if it can't be read. */
export function readIfThere(file: string): Promise<string | undefined> {
  return unlessMissing(readFile(file, 'utf8'));
}

/** Returns the names in a folder, or none only if the folder doesn't exist. Rejects if it can't be read. */
export async function namesIn(folder: string): Promise<readonly string[]> {
  return (await unlessMissing(readdir(folder))) ?? [];
}

export async function unlessMissing<T>(looking: Promise<T>): Promise<T | undefined> {
  try {
    return await looking;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
      return undefined;
    }
    throw error;
  }
}
