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
  for (const [depth, name] of names.entries()) {
    const folder = names
      .slice(0, depth)
      .map((one) => `${one}/`)
      .join('');
    rules.push(...ignoreRules(folder, (await read(`${folder}.gitignore`)) ?? ''));
    const isFolder = depth < names.length - 1;
    const last = rules.findLast(
      ({ pattern, isForFolders }) => (isFolder || !isForFolders) && pattern.test(folder + name),
    );
    if (last?.ignores === true) {
      return true;
    }
  }
  return false;
}

interface IgnoreRule {
  readonly pattern: RegExp;
  readonly ignores: boolean;
  readonly isForFolders: boolean;
}

/** What `.gitignore` in a folder says, in order: the last rule that matches counts. Paths are relative to the root. */
function ignoreRules(folder: string, text: string): readonly IgnoreRule[] {
  return text.split('\n').flatMap((line) => {
    const [, not = '', rule = '', slash = ''] = /^(!?)(.*?)(\/?) *\r?$/.exec(line) ?? [];
    if (rule === '' || line.startsWith('#')) {
      return [];
    }
    const isForFolders = slash !== '';
    if (/[[\\]/.test(rule)) {
      // Such rules are rare. As if it said that nothing is ignored.
      return [{ pattern: /^/, ignores: false, isForFolders: false }];
    }
    const place = rule.includes('/') ? '' : '(?:.*/)?';
    const source = rule
      .replace(/^\//, '')
      .replaceAll(/[$()+.^{|}]/g, '\\$&')
      .replaceAll(/(?<=^|\/)(\*\*\/)|(?<=\/)(\*\*)$|(\*+)|\?/g, (_, folders, rest, part) =>
        folders ? '(?:.*/)?' : rest ? '.+' : part ? '[^/]*' : '[^/]',
      );
    const at = folder.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&');
    return [{ pattern: new RegExp(`^${at}${place}${source}$`), ignores: not === '', isForFolders }];
  });
}

/**
 * Whether all names are in the text as they are. Version 4 shortens them, and a split or sparse index leaves some out. The
 * list of folders that Git writes after a reset is behind the last name, so the text isn't cut before that.
 */
function isReadable(index: string): boolean {
  return /^DIRC\0\0\0[\x02\x03]/.test(index) && index.includes('\0TREE\0') && !/\0(?:link|sdir)\0/.test(index);
}
