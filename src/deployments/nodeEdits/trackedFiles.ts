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
 * Whether Git ignores an untracked path, as far as the `.gitignore` files say it. False if they can't be understood.
 * @param read returns the text of a file, if it's there
 */
export async function isIgnored(path: string, read: (path: string) => Promise<string | undefined>): Promise<boolean> {
  const names = path.split('/');
  const rules: IgnoreRule[] = [];
  for (const depth of names.keys()) {
    const file = [...names.slice(0, depth), '.gitignore'].join('/');
    rules.push(...((await read(file)) ?? '').split('\n').flatMap((line) => ignoreRule(line, depth)));
    const isFolder = depth < names.length - 1;
    const last = rules.findLast(
      (rule) => (isFolder || !rule.isForFolders) && rule.pattern.test(names.slice(rule.depth, depth + 1).join('/')),
    );
    if (last?.ignores === true) {
      return true;
    }
  }
  return false;
}

interface IgnoreRule {
  /** How deep the folder is that the pattern's paths are relative to. */
  readonly depth: number;
  readonly pattern: RegExp;
  readonly ignores: boolean;
  readonly isForFolders: boolean;
}

/** What a line of `.gitignore` says. The last rule that matches counts. */
function ignoreRule(line: string, depth: number): readonly IgnoreRule[] {
  const [, not = '', rule = '', slash = ''] = /^(!?)(.*?)(\/?) *\r?$/.exec(line) ?? [];
  if (rule === '' || line.startsWith('#')) {
    return [];
  }
  // Classes and backslashes are rare: as if such a rule said that nothing is ignored.
  const isUnclear = /[[\\]/.test(rule);
  const source = rule
    .replace(/^\//, '')
    .replaceAll(/[$()+.^{|}]/g, '\\$&')
    .replaceAll(/(?<=^|\/)(\*\*\/)|(?<=\/)(\*\*)$|(\*+)|\?/g, (_, folders, rest, part) =>
      folders ? '(?:.*/)?' : rest ? '.+' : part ? '[^/]*' : '[^/]',
    );
  const pattern = isUnclear ? /^/ : new RegExp(`^${rule.includes('/') ? '' : '(?:.*/)?'}${source}$`);
  return [{ depth, pattern, ignores: not === '' && !isUnclear, isForFolders: slash !== '' && !isUnclear }];
}

/**
 * Whether all names are in the text as they are. Version 4 shortens them, and a split or sparse index leaves some out. The
 * list of folders that Git writes after a reset is behind the last name, so the text isn't cut before that.
 */
function isReadable(index: string): boolean {
  return /^DIRC\0\0\0[\x02\x03]/.test(index) && index.includes('\0TREE\0') && !/\0(?:link|sdir)\0/.test(index);
}
