import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { cacheFolder } from '../folders';

const abandonedAfter = 30 * 60_000;

/**
 * A folder in the cache that is there whole or not at all: it is built under another name beside its place and renamed when complete,
 * so an interrupted build leaves nothing that counts, and of two builds at once the first to finish is used by both.
 * `version` changes with whatever the content depends on; folders of other versions are removed.
 */
export async function installOnce(
  name: string,
  version: string,
  build: (folder: string) => Promise<void>,
): Promise<string> {
  const place = join(cacheFolder, `${name}-${version}`);
  if (existsSync(place)) return place;

  const building = join(cacheFolder, `building-${name}-${version}-${process.pid}`);
  await mkdir(building, { recursive: true });
  try {
    await build(building);
    await rename(building, place);
  } catch (error) {
    await rm(building, { recursive: true, force: true });
    // The other build was first: a folder that is there is whole.
    if (!existsSync(place)) throw error;
  }
  await removeOutdated(name, version);
  return place;
}

async function removeOutdated(name: string, version: string): Promise<void> {
  for (const entry of await readdir(cacheFolder)) {
    const outdated = entry.startsWith(`${name}-`) && entry !== `${name}-${version}`;
    const abandoned = entry.startsWith(`building-${name}-`) && (await isOld(join(cacheFolder, entry)));
    if (outdated || abandoned) await rm(join(cacheFolder, entry), { recursive: true, force: true });
  }
}

async function isOld(path: string): Promise<boolean> {
  return Date.now() - (await stat(path)).mtimeMs > abandonedAfter;
}
