import { createHash } from 'node:crypto';
import { mkdtempSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { leftovers } from './leftovers';

export const projectFolder = resolve(__dirname, '..', '..');
export const cacheFolder = join(projectFolder, '.cache');
export const failuresVariable = 'GANTRY_FAILURES';
/**
 * The folder for evidence of failed tests, which a run of tests empties first. Tests of the runner and the parts of
 * `npm run test:all` use others.
 */
export const failuresFolder = resolve(projectFolder, process.env[failuresVariable] ?? join(cacheFolder, 'failures'));

/** In the system's temporary folder, because VS Code's sockets there need short paths. */
export function scratchFolder(purpose: string): string {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), `gantry-${purpose}-`));
  leftovers.folders.add(folder);
  return folder;
}

export function digest(...texts: string[]): string {
  const hash = createHash('sha256');
  for (const text of texts) hash.update(text).update('\0');
  return hash.digest('hex').slice(0, 12);
}
