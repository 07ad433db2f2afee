import { wholeHash } from '../commits';

/** One change of a clone's HEAD: a clone, pull or checkout. */
export interface HeadMove {
  /** `undefined` for the first entry. */
  readonly from: string | undefined;
  readonly to: string;
  readonly at: Date;
  readonly why: string;
}

const line = /^([0-9a-f]{40}|[0-9a-f]{64}) ([0-9a-f]{40}|[0-9a-f]{64}) .*?> (\d{1,12}) [+-]\d{4}(?:\t(.*))?$/;
const nothing = /^0+$/;

/** Parses `.git/logs/HEAD`. Ignores an incomplete last line, because git may still be writing it. */
export function parseHeadLog(text: string): readonly HeadMove[] {
  const complete = text.slice(0, text.lastIndexOf('\n') + 1);
  return complete.split('\n').flatMap((row) => {
    const [, from, to, seconds, why = ''] = line.exec(row) ?? [];
    return from === undefined || to === undefined
      ? []
      : [{ from: nothing.test(from) ? undefined : from, to, at: new Date(Number(seconds) * 1000), why }];
  });
}

/** Parses `.git/HEAD`: a commit, or a reference to a branch. */
export function parseHead(text: string): { readonly commit: string } | { readonly reference: string } | undefined {
  const said = text.trim();
  if (wholeHash.test(said)) {
    return { commit: said };
  }
  const reference = /^ref: (refs\/heads\/\S+)$/.exec(said)?.[1];
  // The file isn't under our control, so its reference must not lead out of the clone.
  return reference === undefined || reference.split('/').includes('..') ? undefined : { reference };
}

/** Finds the commit of a reference in `.git/packed-refs`. After an annotated tag's row, another one has its commit. */
export function packedCommit(text: string, reference: string): string | undefined {
  const rows = text.split('\n');
  const index = rows.findIndex((row) => row.slice(row.indexOf(' ') + 1) === reference);
  const [object = ''] = rows[index]?.split(' ') ?? [];
  const next = rows[index + 1] ?? '';
  const commit = index >= 0 && next.startsWith('^') ? next.slice(1) : object;
  return wholeHash.test(commit) ? commit : undefined;
}

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
