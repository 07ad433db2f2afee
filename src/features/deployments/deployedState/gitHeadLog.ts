import { wholeHash } from '../commits';

/** One change of a clone's HEAD: a clone, pull or checkout. */
interface HeadMove {
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
