import { formatPatch, structuredPatch } from 'diff';

export interface PatchedFile {
  /** Relative to the repository's root, with `/`. */
  readonly path: string;
  /** `undefined` if the file didn't exist, or its earlier text is unknown. */
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** Comparing long texts that have little in common would block all extensions. After this many milliseconds, give up. */
const timeout = 1000;

/** Formats the changes for `git apply`. Empty if no file changed. */
export function patchOf(files: readonly PatchedFile[]): string {
  return files.map(patchOfFile).join('');
}

function patchOfFile({ path, before, after }: PatchedFile): string {
  if (before === after) {
    return '';
  }
  return formatPatch({
    oldFileName: before === undefined ? '/dev/null' : `a/${path}`,
    newFileName: after === undefined ? '/dev/null' : `b/${path}`,
    oldHeader: undefined,
    newHeader: undefined,
    isGit: true,
    isCreate: before === undefined,
    isDelete: after === undefined,
    hunks: hunksOf(before ?? '', after ?? ''),
  });
}

function hunksOf(before: string, after: string) {
  const compare = (one: string, other: string) => structuredPatch('', '', one, other, '', '', { context: 3, timeout });
  const hunks = compare(before, after)?.hunks;
  if (hunks !== undefined) {
    return hunks;
  }
  const [removal, addition] = [compare(before, '')?.hunks[0], compare('', after)?.hunks[0]];
  return removal === undefined || addition === undefined
    ? []
    : [{ ...removal, newStart: 1, newLines: addition.newLines, lines: [...removal.lines, ...addition.lines] }];
}
