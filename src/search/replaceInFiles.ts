import { FileChangeType } from 'vscode';
import type { FilePlace } from '../containers/place';
import type { FileChange } from '../files/provider/containerFileSystem';
import type { FileQueue } from '../files/saving/fileQueue';
import type { SaveOutcome } from '../files/saving/saveFile';
import type { Saves } from '../files/saving/saves';
import { digestOf } from '../storage/jsonFolder';
import type { FoundFile } from './folderSearch';
import { type NewText, replaceMatches, type MatchReplacement } from './replacement';
import type { ReplacementStore, ReplacedText } from './replacementStore';
import type { Matcher, TextRange } from './searchQuery';

export interface ReplaceInFilesDeps {
  /** Reads a file. Rejects if the text isn't exactly the file. */
  readonly read: (file: FilePlace) => Promise<string>;
  readonly queue: Pick<FileQueue, 'take'>;
  readonly saves: Pick<Saves, 'save'>;
  readonly stored: ReplacementStore;
  /** Changes the text of a document with unsaved changes, and doesn't save it. Returns `false` if there's none. */
  readonly editUnsaved: (file: FilePlace, change: (text: string) => string) => Promise<boolean>;
  readonly announce: (changes: readonly FileChange[]) => void;
}

/** What became of one file. */
export type FileOutcome =
  /** The platform was seen to have the new text. */
  | { readonly kind: 'saved'; readonly count: number }
  /** Replaced in its editor, which had unsaved changes before and still has to be saved. */
  | { readonly kind: 'unsaved'; readonly count: number }
  /** It changed in the meantime, so nothing was written. */
  | { readonly kind: 'conflict' }
  | { readonly kind: 'failed'; readonly error: unknown }
  /** It may have been written, completely or in part. */
  | { readonly kind: 'unknown'; readonly error: unknown };

export interface ReplacedFile {
  readonly file: FilePlace;
  readonly outcome: FileOutcome;
}

export interface Replaced {
  /** Identifies the run, to undo it. */
  readonly name: string;
  readonly files: readonly ReplacedFile[];
}

/** The matches to replace, and by what. */
export interface ReplaceRequest {
  readonly files: readonly FoundFile[];
  readonly matcher: Matcher;
  readonly replacement: MatchReplacement;
}

interface RunOptions {
  /** Files that weren't started when it's aborted stay as they are. */
  readonly signal: AbortSignal;
  readonly onDidFinish?: (count: number) => void;
}

/**
 * Replaces the found matches, file by file. A file is written only if it still has the text that was searched. What it
 * had before is stored first, for `undoReplacement`.
 */
export async function replaceInFiles(
  { files, matcher, replacement }: ReplaceRequest,
  deps: ReplaceInFilesDeps,
  options: RunOptions,
): Promise<Replaced> {
  const [first] = files;
  const name = first === undefined ? '' : await deps.stored.begin(first.file.account);
  const byFile = new Map(files.map((found) => [found.file, found]));
  const replaced = await forEachFile([...byFile.keys()], options, (file) => {
    const found = byFile.get(file);
    const change = (text: string) => found && changeOf(text, found, matcher, replacement);
    return replaceIn(file, change, name, deps);
  });
  return { name, files: replaced };
}

/**
 * Gives the files of a replacement their earlier texts back, except those that have changed since. Returns `undefined` if
 * there's nothing to restore.
 * @param name the replacement; otherwise the newest of all windows
 */
export async function undoReplacement(
  name: string | undefined,
  deps: ReplaceInFilesDeps,
  options: RunOptions,
): Promise<{ readonly files: readonly ReplacedFile[]; readonly total: number } | undefined> {
  const undone = name ?? (await deps.stored.newest());
  const kept = undone === undefined ? [] : await deps.stored.texts(undone);
  if (undone === undefined || kept.length === 0) {
    return undefined;
  }
  const texts = new Map(kept.map((one) => [one.place, one] as const));
  const files = await forEachFile([...texts.keys()], options, async (file) => {
    const known = texts.get(file);
    const outcome = await deps.queue.take([file], async () => (known === undefined ? changed : restore(known, deps)));
    if (outcome.kind === 'saved') {
      await deps.stored.drop(undone, file);
    }
    return outcome;
  });
  return { files, total: kept.length };
}

const changed: FileOutcome = { kind: 'conflict' };

async function forEachFile(
  files: readonly FilePlace[],
  { signal, onDidFinish }: RunOptions,
  work: (file: FilePlace) => Promise<FileOutcome>,
): Promise<readonly ReplacedFile[]> {
  const done: ReplacedFile[] = [];
  for (const file of files) {
    if (signal.aborted) {
      break;
    }
    const outcome = await work(file).catch((error: unknown) => ({ kind: 'failed', error }) as const);
    done.push({ file, outcome });
    onDidFinish?.(done.length);
  }
  return done;
}

/** Returns `undefined` if the text isn't the one that was searched. */
export function changeOf(
  text: string,
  found: FoundFile,
  matcher: Matcher,
  replacement: MatchReplacement,
): NewText | undefined {
  if (digestOf(text) !== found.digest) {
    return undefined;
  }
  const chosen = new Set(found.lines.flatMap(({ ranges }) => ranges.map(positionText)));
  return replaceMatches(text, matcher, replacement, (range) => chosen.has(positionText(range)));
}

function positionText({ start }: TextRange): string {
  return `${start.line}:${start.column}`;
}

async function replaceIn(
  file: FilePlace,
  change: (text: string) => NewText | undefined,
  name: string,
  deps: ReplaceInFilesDeps,
): Promise<FileOutcome> {
  const edited: { change?: NewText | undefined } = {};
  const isUnsaved = await deps.editUnsaved(file, (text) => {
    edited.change = change(text);
    return edited.change?.text ?? text;
  });
  if (isUnsaved) {
    return edited.change === undefined ? changed : { kind: 'unsaved', count: edited.change.count };
  }
  return deps.queue.take([file], async () => {
    const before = await deps.read(file);
    const after = change(before);
    if (after === undefined) {
      return changed;
    }
    await deps.stored.keep(name, { place: file, before, after: after.text });
    const outcome = await write(file, before, after.text, deps);
    if (outcome.kind === 'conflict' || outcome.kind === 'failed') {
      await deps.stored.drop(name, file);
    }
    return outcome.kind === 'saved' ? { kind: 'saved', count: after.count } : outcome;
  });
}

async function restore({ place, before, after }: ReplacedText, deps: ReplaceInFilesDeps): Promise<FileOutcome> {
  const outcome = await write(place, after, before, deps);
  return outcome.kind === 'saved' ? { kind: 'saved', count: 1 } : outcome;
}

type WriteOutcome = { readonly kind: 'saved' } | Extract<FileOutcome, { kind: 'conflict' | 'failed' | 'unknown' }>;

/** Writes a text over exactly this other one. */
async function write(
  file: FilePlace,
  before: string,
  text: string,
  { saves, announce }: ReplaceInFilesDeps,
): Promise<WriteOutcome> {
  const base = { kind: 'version', version: { text: before, place: file } } as const;
  try {
    return outcomeOf(await saves.save(file, { text, base, accepted: [], reach: 'place' }));
  } finally {
    announce([{ place: file, type: FileChangeType.Changed }]);
  }
}

function outcomeOf(outcome: SaveOutcome): WriteOutcome {
  switch (outcome.kind) {
    case 'saved':
      return { kind: 'saved' };
    case 'conflict':
      return { kind: 'conflict' };
    case 'failed':
      return { kind: 'failed', error: outcome.cause };
    default:
      return { kind: 'unknown', error: outcome.cause };
  }
}
