import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { cacheFolder } from '../folders';
import { leftovers } from '../leftovers';

const abandonedAfter = 30 * 60_000;

export interface Installation {
  readonly name: string;
  /** Changes with whatever the content depends on; folders of other versions are removed. */
  readonly version: string;
  readonly build: (folder: string) => Promise<void>;
  readonly within?: string;
}

/**
 * A folder in the cache that is there whole or not at all: it is built under another name beside its place and renamed when complete,
 * so an interrupted build leaves nothing that counts, and of two builds at once the first to finish is used by both.
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
    // The other build was first: a folder that is there is whole.
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
