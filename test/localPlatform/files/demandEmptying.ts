import { readdir } from 'node:fs/promises';
import { demandChange } from './permissions';
import { childOf, type FoundPlace } from './place';

/** Fails before any change unless the user can empty a folder and all folders in it. */
export const demandEmptying = async (place: FoundPlace): Promise<void> => {
  if (!place.stats.isDirectory()) return;
  const names = await readdir(place.disk);
  if (names.length > 0) demandChange(place);
  for (const name of names) {
    const child = childOf(place, name);
    if (child !== undefined) await demandEmptying(child);
  }
};
