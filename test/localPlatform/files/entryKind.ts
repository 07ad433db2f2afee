import type { Stats } from 'node:fs';
import type { Behaviour } from '../behaviour';
import { timeText } from '../times';

/** Returns `fileType` in the words of `stat`. */
export const fileTypeOf = (stats: Stats): string | undefined => {
  if (stats.isFile()) return 'regular file';
  if (stats.isDirectory()) return 'directory';
  if (stats.isFIFO()) return 'named pipe';
  if (stats.isSocket()) return 'socket';
  if (stats.isCharacterDevice()) return 'character device';
  if (stats.isBlockDevice()) return 'block device';
  // A broken link has no known type.
  return undefined;
};

const letters = (mode: number): string =>
  Array.from('rwxrwxrwx', (letter, index) => ((mode >> (8 - index)) & 1 ? letter : '-')).join('');

export const permissionText = (stats: Stats, form: Behaviour['permissionForm']): string => {
  if (form === 'octal') return (stats.mode & 0o7777).toString(8);
  return (stats.isDirectory() ? 'd' : '-') + letters(stats.mode);
};

/** Formats `lastModified` as this platform does. */
export const fileTime = (milliseconds: number, form: Behaviour['fileTimes']): string => {
  switch (form) {
    case 'seconds':
      return timeText(milliseconds);
    case 'minutes':
      return timeText(milliseconds).slice(0, 'yyyy-MM-dd hh:mm'.length);
    case 'milliseconds':
      return String(Math.floor(milliseconds));
  }
};
