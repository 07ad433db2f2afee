import * as v from 'valibot';
import { setImmediate as letOthersRun } from 'node:timers/promises';
import { answer, flagField, intField, list, record, textField, type AnswerReader, type ReadContext } from './fields';
import { type FileEntry, readFileEntry, withoutTrailingSlash } from './fileEntry';
import { fieldOf, isJsonObject, type JsonObject, readText } from './scalars';

const nodeOutcome = record({
  nodeId: intField,
  name: textField,
  out: textField,
  errOut: textField,
  exitStatus: intField,
  result: intField,
  reason: intField,
  source: textField,
  error: textField,
});

/** A success without further content. */
export const acknowledged = answer(record({}));

export const ranOnNodes = answer(record({ responses: list(nodeOutcome) }));

export const created = answer(
  record({
    isDirectory: flagField,
    path: textField,
    permission: textField,
    user: textField,
    responses: list(nodeOutcome),
  }),
);

/**
 * A file's text. An empty field may be omitted, so a missing one means an empty text; callers that save the file
 * compare its length with the listing first. Only a string is accepted, because a number or flag doesn't preserve the
 * original spelling.
 */
export const fileText = answer(record({ body: v.optional(v.string('is no text'), '') }));

interface WireListing {
  readonly coreRootPath?: string | undefined;
  readonly directoryPathList: readonly string[];
  /** The folder itself, if the platform includes it in its own entries. */
  readonly folder?: FileEntry | undefined;
  readonly entries: readonly FileEntry[];
  /** The response has no list of entries. That may mean an empty folder, and proves nothing. */
  readonly isListMissing: boolean;
}

/** How long reading a listing may block the process. */
const sliceMilliseconds = 10;
const rowsBetweenClockChecks = 200;

/**
 * Reads a listing row by row, because folders can have 100,000 entries, for which a schema takes seconds. The platform
 * groups entries by undocumented keywords, so flattens the groups and drops repeated paths.
 */
export const listing = {
  async read(body, parameters): Promise<ReadContext<WireListing>> {
    const coreRootPath = readText(fieldOf(body, 'coreRootPath'));
    const groups = rowsOf(fieldOf(body, 'keywords'));
    const directories = fieldOf(body, 'directoryPathList') ?? [];
    if (groups === undefined) return { malformed: 'keywords is no map of lists' };
    // Only a listing without a path is one of shortcuts. What the keys of others mean is undocumented.
    const isOfShortcuts = readText(parameters['path']) === undefined;
    if (!Array.isArray(directories)) return { malformed: 'directoryPathList is no list' };
    const asked = readText(parameters['path']) ?? coreRootPath;
    const place = asked === undefined ? undefined : withoutTrailingSlash(asked);
    const found = await readRows(groups, place, isOfShortcuts);
    if (found === undefined) return { malformed: 'an entry has neither a path nor a name' };
    const folder = place === undefined ? undefined : found.get(place);
    if (folder?.isDir === true) found.delete(folder.absolutePath);
    return {
      ok: {
        coreRootPath,
        directoryPathList: directories.map(readText).filter((path) => path !== undefined),
        folder: folder?.isDir === true ? folder : undefined,
        entries: [...found.values()],
        isListMissing: fieldOf(body, 'keywords') === undefined,
      },
    };
  },
} satisfies AnswerReader<WireListing>;

interface Group {
  readonly keyword: string;
  readonly rows: readonly unknown[];
}

async function readRows(
  groups: readonly Group[],
  place: string | undefined,
  isOfShortcuts: boolean,
): Promise<Map<string, FileEntry> | undefined> {
  const found = new Map<string, FileEntry>();
  const pauseIfDue = inSlices();
  for (const { keyword, rows: group } of groups) {
    const isNamed = isOfShortcuts && group.length === 1 && isName(keyword);
    for (const row of group) {
      const entry = isJsonObject(row) ? readFileEntry(row, place) : undefined;
      if (entry === undefined) return undefined;
      // `ls` entries for the folder itself and its parent.
      if (entry.name === '.' || entry.name === '..') continue;
      if (!found.has(entry.absolutePath))
        found.set(entry.absolutePath, isNamed ? { ...entry, shortcut: keyword } : entry);
      const pause = pauseIfDue();
      if (pause !== undefined) await pause;
    }
  }
  return found;
}

function isName(keyword: string): boolean {
  return keyword !== '' && !keyword.includes('/');
}

/** Returns a function to call after each row. It returns a pause to wait for when the process was blocked long enough. */
function inSlices(): () => Promise<void> | undefined {
  let began = performance.now();
  let rows = 0;
  return () => {
    rows += 1;
    if (rows % rowsBetweenClockChecks !== 0 || performance.now() - began <= sliceMilliseconds) return undefined;
    return letOthersRun().then(() => {
      began = performance.now();
    });
  };
}

/** Returns a listing's groups: a map of lists, or a single list. Undefined if it's neither. */
function rowsOf(keywords: unknown): readonly Group[] | undefined {
  if (keywords === undefined) return [];
  if (Array.isArray(keywords)) return [{ keyword: '', rows: keywords }];
  return isJsonObject(keywords) ? groupsOf(keywords) : undefined;
}

function groupsOf(keywords: JsonObject): readonly Group[] | undefined {
  const groups: Group[] = [];
  for (const [keyword, group] of Object.entries(keywords)) {
    if (Array.isArray(group)) groups.push({ keyword, rows: group });
    else if (isJsonObject(group)) groups.push({ keyword, rows: [group] });
    else if (group !== null) return undefined;
  }
  return groups;
}
