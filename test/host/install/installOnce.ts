import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { cacheFolder } from '../folders';
import { leftovers } from '../leftovers';

const abandonedAfter = 30 * 60_000;

export interface Installation {
  readonly name: string;
  /** Changes whenever the content changes. Folders with other versions are removed. */
  readonly version: string;
  readonly build: (folder: string) => Promise<void>;
  readonly within?: string;
}

/**
 * A complete folder in the cache. It is built under another name and renamed when it is complete, so an interrupted
 * build leaves no usable folder. If two processes build it at once, both use the first one to finish.
 */
export async function installOnce({ name, version, build, within = cacheFolder }: Installation): Promise<string> {
  const place = join(within, `${name}-${version}`);
  if (existsSync(place)) return place;

  const building = join(within, `building-${name}-${version}-${process.pid}-${randomUUID()}`);
  leftovers.folders.add(building);
  await mkdir(building, { recursive: true });
  try {
    await build(building);
    await rename(building, place);
  } catch (error) {
    await rm(building, { recursive: true, force: true });
    // The other build was first. An existing folder is complete.
    if (!existsSync(place)) throw error;
  } finally {
    leftovers.folders.delete(building);
  }
  await removeOutdated(name, version, within);
  return place;
}

async function removeOutdated(name: string, version: string, within: string): Promise<void> {
  for (const entry of await readdir(within)) {
    const outdated = entry.startsWith(`${name}-`) && entry !== `${name}-${version}`;
    const abandoned = entry.startsWith(`building-${name}-`) && (await isOld(join(within, entry)));
    if (outdated || abandoned) await rm(join(within, entry), { recursive: true, force: true });
  }
}

async function isOld(path: string): Promise<boolean> {
  return Date.now() - (await stat(path)).mtimeMs > abandonedAfter;
}
