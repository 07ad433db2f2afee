import type { Figure, Figures } from './figure';

/** The limits for one piece of work. */
export interface Budget {
  readonly work: string;
  readonly requests: number;
  /** The longest chain of requests that wait for each other. */
  readonly sequential: number;
  /** The maximum time, as a multiple of the time that the longest chain takes at 200 ms per request. */
  readonly ratio?: number;
  /**
   * The maximum processor time of the extension host without a delay, as a multiple of what the same work takes in a file
   * system in memory, which is VS Code's own, or by the plain client. Other work on the machine hardly changes it.
   */
  readonly processor?: number;
}

const swift = 1.15;

/**
 * The size of the last released package, set with each release. Nothing was released yet: until then, it's the size at
 * commit 1c572ad, and the growth since then is only shown.
 */
export const releasedBytes = 349_068;

/** Limits are numbers of requests, because those don't depend on the machine. */
export const budgets = {
  openWorkspace: { work: 'open a workspace folder in VS Code, until idle', requests: 2, sequential: 2, ratio: swift },
  expandFolder: { work: 'expand a folder', requests: 1, sequential: 1, ratio: swift },
  openFile: { work: 'open a file in a listed folder', requests: 1, sequential: 1, ratio: swift },
  openUnlisted: { work: 'open a file in an unlisted folder', requests: 2, sequential: 1, ratio: swift },
  stats100: {
    work: '100 concurrent stats in one folder, half of them missing',
    requests: 1,
    sequential: 1,
    ratio: swift,
    processor: 4,
  },
  save: { work: 'save on one node, no conflict', requests: 5, sequential: 3, ratio: swift },
  typing: { work: 'type into an open file for a minute, beyond watching', requests: 0, sequential: 0 },
  // VS Code asks for a stat of each file afterwards, without a request.
  renameFolder: { work: 'rename a folder of 1,000 files', requests: 3, sequential: 3, ratio: swift, processor: 3.4 },
  copyFolder: { work: 'copy a folder of 1,000 files', requests: 3, sequential: 3, ratio: swift },
  // The platform's Delete takes along what is in a folder, so a listing right before it shows that it's empty.
  deleteEmpty: { work: 'delete an empty folder, but not with content', requests: 2, sequential: 2, ratio: swift },
  reopen: { work: 'reopen a file and a folder that were just open', requests: 0, sequential: 0 },
  // Compared with a plain client that reads or writes the same files over as many connections, without verifying anything.
  read100: {
    work: 'read 100 files of a listed folder in parallel',
    requests: 100,
    sequential: 8,
    ratio: 0.95,
    processor: 1.1,
  },
  write100: { work: 'write 100 new files in parallel', requests: 201, sequential: 14, ratio: 2, processor: 5.3 },
  // No time limit, because Git's own work takes longer than the requests. On each of two nodes: HEAD and its log, before and
  // after, and where logs of deployments may be, which is two folders for the first redeploy and one later. The listing must
  // come right before the Update, so it waits for the rest.
  redeploy: { work: 'redeploy a project without questions', requests: 14, sequential: 4 },
} as const satisfies Record<string, Budget>;

type BudgetName = keyof typeof budgets;

/** The figures for single pieces of work. */
export const pieces = [
  'expandFolder',
  'openFile',
  'openUnlisted',
  'stats100',
  'save',
  'renameFolder',
  'copyFolder',
  'deleteEmpty',
  'reopen',
] as const satisfies readonly BudgetName[];
/** The figures for many small files at once. */
export const parallel = ['read100', 'write100'] as const satisfies readonly BudgetName[];
export type Parallel = (typeof parallel)[number];
export type Piece = (typeof pieces)[number];
/** Those that are compared with a file system in memory. */
export const compared = ['stats100', 'renameFolder'] as const satisfies readonly Piece[];
export type Compared = (typeof compared)[number];

type Limits = Readonly<Record<string, number>>;

const furtherLimits = {
  /** Compared with the transfer and JSON.parse of the same body. `blockedBeyondParse` is in milliseconds. */
  list100k: { requests: 1, sequential: 1, ratio: 3, blockedBeyondParse: 150 },
  /** The number of cached entries compared with the limit, and their size. */
  cacheMemory: { ratio: 1, megabytes: 250 },
  /** Until the index of 1,000 files in 48 folders is complete, at 50 ms. */
  goToFile: { requests: 49, sequential: 14, milliseconds: 1_000 },
  /** An index of 100,000 names: the slowest of several queries in milliseconds, and its size with and without the listings. */
  names100k: { keystroke: 50, megabytes: 40, withListings: 60 },
  /**
   * An account with 300 environments and 2,000 nodes: opening any view, compared with the transfer and JSON.parse of the
   * listing, which is the only thing that may grow with the account; then the requests for unfolding one environment in
   * each view, and for refreshing Environments with what is unfolded there. The growth is that of an account ten times
   * as big.
   */
  bigAccount: {
    requests: 2,
    sequential: 2,
    ratio: 6,
    unfoldRequests: 60,
    unfoldGrowth: 1,
    unfoldTimeGrowth: 2,
    refreshRequests: 3,
    refreshGrowth: 1,
    goToRequests: 0,
    megabytes: 6,
  },
  /**
   * 1,000 files in 48 folders at 50 ms per request, with the default pace: at most one request for each folder and file,
   * and two more. In milliseconds: until the first match is shown, and until everything is searched.
   */
  searchFolder: { requests: 1_050, firstHit: 1_500, milliseconds: 12_000 },
  /**
   * The end of a log of 60 MB, at 50 ms per request, from the click until it's shown, with the first look for new lines. If
   * it has characters of several bytes, the listing doesn't show the end.
   */
  openLog: { requests: 5, sequential: 4, milliseconds: 1_000, kilobytes: 200 },
  openUnicodeLog: { requests: 37, sequential: 12, milliseconds: 1_000, kilobytes: 200 },
  /** Held against an extension that does nothing, activated in the same VS Code. The first use loads the Environments view. */
  activation: { ratio: 3, firstUseRatio: 12 },
  /** Activation and first use with as much in the journal as it may have, held against the same with nothing in it. */
  fullJournal: { ratio: 1.1, textsRead: 0 },
  /** Compared with the package of the last release, once there is one. Its size has a limit in packageExtension.ts. */
  vsix: { growth: 1.05 },
} as const satisfies Record<string, Limits>;

type FigureName = BudgetName | keyof typeof furtherLimits;

const all: Readonly<Record<FigureName, Readonly<Record<string, number | string>>>> = { ...budgets, ...furtherLimits };

export const figureNames: readonly string[] = Object.keys(all);

/** Returns the maximum of each number in the figure with this name. */
export function limitsOf(name: string): Limits {
  const numbers = Object.entries(Object.entries(all).find(([known]) => known === name)?.[1] ?? {});
  return Object.fromEntries(numbers.flatMap(([key, value]) => (typeof value === 'number' ? [[key, value]] : [])));
}

/** Describes which of the wanted figures exceed their limit or are missing. */
export function overBudget(figures: Figures, wanted: readonly string[]): readonly string[] {
  return wanted.flatMap((name) => {
    const figure = figures[name];
    return figure === undefined ? [`${name} was not measured`] : exceeding(name, figure);
  });
}

function exceeding(name: string, figure: Figure): readonly string[] {
  return Object.entries(limitsOf(name))
    .filter(([key, most]) => !((figure[key] ?? Number.NaN) <= most))
    .map(([key, most]) => `${name}: ${key} ${figure[key]?.toFixed(2) ?? 'unknown'} of at most ${most}`);
}
