import type { Source } from './transfer';

interface Search {
  isFound: boolean;
  readonly failures: unknown[];
}

export interface ReadableSources {
  /** The same sources. What was read or listed for the search is used once, so nothing is requested twice. */
  readonly sources: readonly Source[];
  readonly isAnyReadable: boolean;
  readonly failures: readonly unknown[];
}

/** Looks for a file that can be read, in folders too, and stops at the first. An empty folder counts as one. */
export async function findReadable(sources: readonly Source[], signal: AbortSignal): Promise<ReadableSources> {
  const search: Search = { isFound: false, failures: [] };
  const found = await searchAll(sources, search, signal);
  return { sources: found, isAnyReadable: search.isFound, failures: search.failures };
}

async function searchAll(sources: readonly Source[], search: Search, signal: AbortSignal): Promise<readonly Source[]> {
  const found: Source[] = [];
  for (const source of sources) {
    found.push(search.isFound ? source : await searchIn(source, search, signal));
  }
  return found;
}

async function searchIn(source: Source, search: Search, signal: AbortSignal): Promise<Source> {
  if (source.kind === 'unreadable') {
    search.failures.push(source.reason);
    return source;
  }
  try {
    if (source.kind === 'file') {
      const bytes = await source.read(signal);
      search.isFound = true;
      return { ...source, read: firstFrom(Promise.resolve(bytes), (later) => source.read(later)) };
    }
    const children = await source.children(signal);
    search.isFound ||= children.length === 0;
    const below = await searchAll(children, search, signal);
    return { ...source, children: firstFrom(Promise.resolve(below), (later) => source.children(later)) };
  } catch (error) {
    if (signal.aborted) {
      throw error;
    }
    search.failures.push(error);
    return source;
  }
}

/** Returns the known result at the first call, and works at each later one, such as a retry. */
function firstFrom<T>(known: Promise<T>, work: (signal: AbortSignal) => Promise<T>) {
  let first: Promise<T> | undefined = known;
  return (signal: AbortSignal): Promise<T> => {
    const result = first ?? work(signal);
    first = undefined;
    return result;
  };
}
