import { ExpectedError } from '../../ui/expectedError';
import { walk } from '../../async/taskPool';
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
  /** What can't be transferred, and why. */
  readonly failures: readonly TransferFailure[];
}

/** A folder of the transfer whose sources are known. */
interface Folder {
  readonly sources: readonly Source[];
  readonly into: TransferTarget;
  readonly path: string;
  readonly isNew: boolean;
}

const foldersAtOnce = 4;

/** Walks the sources and the existing files at the destination. */
export async function planTransfer(
  sources: readonly Source[],
  destination: TransferTarget,
  signal: AbortSignal,
): Promise<Plan> {
  const plan = { folders: [] as PlannedFolder[], files: [] as PlannedFile[], failures: [] as TransferFailure[] };
  await walk<Folder>([{ sources, into: destination, path: '', isNew: false }], {
    enter: async (folder) => {
      const there = folder.isNew ? new Map<string, ExistingEntry>() : await folder.into.contents(signal);
      const names = new Set<string>();
      const below: Folder[] = [];
      for (const source of folder.sources) {
        if (names.has(source.name)) {
          plan.failures.push({ path: pathOf(source, folder), error: new DuplicateNameError() });
          continue;
        }
        names.add(source.name);
        below.push(...(await place(source, folder, there.get(source.name), plan, signal)));
      }
      return below;
    },
    atOnce: foldersAtOnce,
    signal,
    onFailure: ({ path }, error) => plan.failures.push({ path, error }),
  });
  stopIfAborted(signal);
  return plan;
}

/** Adds a source to the plan. Returns the folder to enter next, if it's one. */
async function place(
  source: Source,
  folder: Folder,
  existingEntry: ExistingEntry | undefined,
  plan: { folders: PlannedFolder[]; files: PlannedFile[]; failures: TransferFailure[] },
  signal: AbortSignal,
): Promise<readonly Folder[]> {
  const { into } = folder;
  const path = pathOf(source, folder);
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
