import { walk } from '../../async/taskPool';
import type { Obstacle } from '../../platform/errors';
import { failed } from '../../platform/failureTexts';
import {
  type ExistingEntry,
  type Source,
  type SourceFile,
  stopIfAborted,
  type TransferFailure,
  type TransferTarget,
} from './transfer';

export interface PlannedFile {
  readonly source: SourceFile;
  readonly into: TransferTarget;
  /** Relative to the transfer's start. */
  readonly path: string;
  /** The file that it would replace. */
  readonly existing: Pick<ExistingEntry, 'version'> | undefined;
}

interface PlannedFolder {
  readonly at: TransferTarget;
  readonly path: string;
}

/** What a transfer will do, known before anything is changed. */
export interface Plan {
  /** The folders to create, parents first. */
  readonly folders: readonly PlannedFolder[];
  readonly files: readonly PlannedFile[];
  /** The paths at which the destination already has something. */
  readonly existing: ReadonlySet<string>;
  /** What can't be transferred, and why. */
  readonly failures: readonly TransferFailure[];
}

/** A plan while it's made. */
interface Draft extends Plan {
  readonly folders: PlannedFolder[];
  readonly files: PlannedFile[];
  readonly existing: Set<string>;
  readonly failures: TransferFailure[];
}

/** A folder of the transfer whose sources are known. */
interface Folder {
  readonly sources: readonly Source[];
  readonly into: TransferTarget;
  readonly path: string;
  readonly isNew: boolean;
}

const foldersAtOnce = 4;

/** Walks the sources and the existing files at the destination. Rejects if the destination itself can't be listed. */
export async function planTransfer(
  sources: readonly Source[],
  destination: TransferTarget,
  signal: AbortSignal,
): Promise<Plan> {
  const plan: Draft = { folders: [], files: [], existing: new Set(), failures: [] };
  await walk<Folder>([{ sources, into: destination, path: '', isNew: false }], {
    enter: async (folder) => {
      const wanted = new Set(folder.sources.map(({ name }) => name));
      const there = folder.isNew ? new Map<string, ExistingEntry>() : await folder.into.contents(signal, wanted);
      const names = new Set<string>();
      const below: Folder[] = [];
      for (const source of folder.sources) {
        if (names.has(source.name)) {
          // They come from different folders, and would end up in the same one.
          const path = pathOf(source, folder);
          plan.failures.push({ path, error: refused(path, 'sameName') });
          continue;
        }
        names.add(source.name);
        below.push(...(await place(source, folder, there.get(source.name), plan, signal)));
      }
      return below;
    },
    atOnce: foldersAtOnce,
    signal,
    onFailure: ({ path }, error) => {
      if (path === '') {
        throw error;
      }
      plan.failures.push({ path, error });
    },
  });
  stopIfAborted(signal);
  return plan;
}

/** Adds a source to the plan. Returns the folder to enter next, if it's one. */
async function place(
  source: Source,
  folder: Folder,
  existingEntry: ExistingEntry | undefined,
  plan: Draft,
  signal: AbortSignal,
): Promise<readonly Folder[]> {
  const { into } = folder;
  const path = pathOf(source, folder);
  if (existingEntry !== undefined) {
    plan.existing.add(path);
  }
  if (source.kind === 'unreadable') {
    plan.failures.push({ path, error: source.reason });
  } else if (existingEntry !== undefined && existingEntry.kind !== source.kind) {
    plan.failures.push({ path, error: refused(path, existingEntry.kind === 'link' ? 'linkInTheWay' : 'otherKind') });
  } else if (source.kind === 'file') {
    plan.files.push({ source, into, path, existing: existingEntry });
  } else {
    try {
      const sources = await source.children(signal);
      const at = into.folder(source.name);
      if (existingEntry === undefined || existingEntry.isOnAllNodes === false) {
        plan.folders.push({ at, path });
      }
      return [{ sources, into: at, path, isNew: existingEntry === undefined }];
    } catch (error) {
      plan.failures.push({ path, error });
    }
  }
  return [];
}

function pathOf({ name }: Source, { path: above }: Folder): string {
  return above === '' ? name : `${above}/${name}`;
}

function refused(path: string, obstacle: Obstacle): Error {
  return failed({ kind: 'invalid', operation: 'Write', target: path, object: { path }, obstacle });
}

interface Search {
  isFound: boolean;
  readonly failures: unknown[];
}

interface ReadableSources {
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
