import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { demandChange } from './permissions';
import type { FoundPlace } from './place';

/** The place of an entry of a folder that is not left through it: links in there are entries like others. */
export const childOf = async (folder: FoundPlace, name: string): Promise<FoundPlace> => {
  const below = (path: string): string => (path === '/' ? `/${name}` : `${path}/${name}`);
  const disk = join(folder.disk, name);
  return { ...folder, shown: below(folder.shown), path: below(folder.path), disk, stats: await lstat(disk) };
};

/** Refuses, before anything is touched, unless the user may empty a folder and all folders in it. */
export const demandEmptying = async (place: FoundPlace): Promise<void> => {
  if (!place.stats.isDirectory()) return;
  const names = await readdir(place.disk);
  if (names.length > 0) demandChange(place);
  for (const name of names) await demandEmptying(await childOf(place, name));
};
