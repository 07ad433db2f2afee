/**
 * Whether a clone's index has a path; `undefined` if its text can't show that. Git's index is binary, and the platform only
 * returns text: bytes that aren't UTF-8 are lost, but names in ASCII and the bytes around them stay.
 */
export function isInIndex(index: string, path: string): boolean | undefined {
  if (!isReadable(index) || !/^[\x20-\x7E]+$/.test(path)) {
    return undefined;
  }
  // Before a name is its length, whose second byte isn't ASCII if the name is long.
  const length = path.length < 0x80 ? String.fromCharCode(path.length) : '\uFFFD';
  if (path.length < 0x100 && index.includes(`\0${length}${path}\0`)) {
    return true;
  }
  // The name may be part of a longer one, or have flags that are seldom set.
  return index.includes(`${path}\0`) || index.includes(`${path}/`) ? undefined : false;
}

/**
 * Whether all names are in the text as they are. Version 4 shortens them, and a split or sparse index leaves some out. The
 * list of folders that Git writes after a reset is behind the last name, so the text isn't cut before that.
 */
function isReadable(index: string): boolean {
  return /^DIRC\0\0\0[\x02\x03]/.test(index) && index.includes('\0TREE\0') && !/\0(?:link|sdir)\0/.test(index);
}
