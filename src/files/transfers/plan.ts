import { ExpectedError } from '../../ui/expectedError';
import { workOnAll } from '../../async/taskPool';
import { stopIfAborted } from './stopIfAborted';
import type { TransferTarget, ExistingEntry, Source, SourceFile, TransferFailure } from './transfer';

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
  /** What can't be transferred, and why. */
  readonly failures: readonly TransferFailure[];
}

interface Level {
  readonly sources: readonly Source[];
  readonly into: TransferTarget;
  readonly path: string;
  readonly isNew: boolean;
}

const limit = 4;

/** Walks the sources and the existing files at the destination, level by level. */
export async function planTransfer(
  sources: readonly Source[],
  destination: TransferTarget,
  signal: AbortSignal,
): Promise<Plan> {
  const plan = { folders: [] as PlannedFolder[], files: [] as PlannedFile[], failures: [] as TransferFailure[] };
  let level: Level[] = [{ sources, into: destination, path: '', isNew: false }];
  while (level.length > 0) {
    const next: Level[] = [];
    await workOnAll(level, limit, signal, async (folder) => {
      try {
        const there = folder.isNew ? new Map<string, ExistingEntry>() : await folder.into.contents(signal);
        const names = new Set<string>();
        for (const source of folder.sources) {
          if (names.has(source.name)) {
            plan.failures.push({ path: pathOf(source, folder), error: new DuplicateNameError() });
            continue;
          }
          names.add(source.name);
          await place(source, folder, there.get(source.name), plan, next, signal);
        }
      } catch (error) {
        plan.failures.push({ path: folder.path, error });
      }
    });
    stopIfAborted(signal);
    level = next;
  }
  return plan;
}

async function place(
  source: Source,
  level: Level,
  existingEntry: ExistingEntry | undefined,
  plan: { folders: PlannedFolder[]; files: PlannedFile[]; failures: TransferFailure[] },
  next: Level[],
  signal: AbortSignal,
): Promise<void> {
  const { into } = level;
  const path = pathOf(source, level);
  if (source.kind === 'unreadable') {
    plan.failures.push({ path, error: source.reason });
  } else if (existingEntry !== undefined && existingEntry.kind !== source.kind) {
    plan.failures.push({ path, error: new EntryTypeError(existingEntry.kind) });
  } else if (source.kind === 'file') {
    plan.files.push({ source, into, path, existing: existingEntry });
  } else {
    try {
      const sources = await source.children(signal);
      const at = into.folder(source.name);
      if (existingEntry === undefined || existingEntry.isOnAllNodes === false) {
        plan.folders.push({ at, path });
      }
      next.push({ sources, into: at, path, isNew: existingEntry === undefined });
    } catch (error) {
      plan.failures.push({ path, error });
    }
  }
}

function pathOf({ name }: Source, { path: above }: Level): string {
  return above === '' ? name : `${above}/${name}`;
}

/** Two entries with the same name from different folders would end up in the same folder. */
export class DuplicateNameError extends ExpectedError {
  override readonly name = 'NamedAlike';

  constructor() {
    super('Something else of this name is in the same transfer. Transfer one after the other, under different names.');
  }
}

/** A file exists where a folder is needed, or the other way around. */
export class EntryTypeError extends ExpectedError {
  override readonly name = 'OtherKind';

  constructor(readonly existingEntry: ExistingEntry['kind']) {
    super(`A ${existingEntry} of this name is already there.`);
  }
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
