import { l10n, type TextDocument, workspace } from 'vscode';
import { type FilePlace, keyOf, nameOf } from '../../../containers/place';
import type { FileQueue } from '../../../files/saving/saves';
import type { Unsaved } from '../../../files/saving/outcomeTexts';
import type { SaveOutcome } from '../../../files/saving/saveFile';
import type { RestoreTexts } from '../../../files/saving/restoreTexts';
import { ensureWritable } from '../../../files/saving/textObstacle';
import type { TextChange } from '../../../files/saving/writeIfUnchanged';
import { mayHaveHappened } from '../../../platform/lostReply';
import { isCanceled, isPlatformError } from '../../../platform/errors';
import { digestOf } from '../../../storage/stores';
import { ExpectedError } from '../../../ui/expectedError';
import { FailureStreak } from '../folderWalk';
import type { FoundFile } from '../folderSearch';
import type { ReplacedText } from '../../../featureApis';
import type { ReplacementStore } from './replacementStore';
import { type MatchReplacement, type NewText, rangeText, replaceMatches } from '../matches';
import type { Matcher } from '../searchQuery';
import { uriOf } from '../../../containers/uris';
import { replaceText } from '../../../files/documents';

export interface ReplaceInFilesDeps {
  /** Reads a file. Rejects if the text isn't exactly the file. */
  readonly read: (file: FilePlace, signal?: AbortSignal) => Promise<string>;
  readonly queue: Pick<FileQueue, 'take'>;
  readonly stored: ReplacementStore;
  /** Changes the text of a document with unsaved changes, and doesn't save it. Returns `false` if there's none. */
  readonly editUnsaved: (file: FilePlace, change: (text: string) => string | Promise<string>) => Promise<boolean>;
  /** Writes a text if the file has exactly another one. */
  readonly writeIfUnchanged: (file: FilePlace, change: TextChange) => Promise<SaveOutcome>;
  readonly restoreTexts: RestoreTexts;
}

export type FileOutcome =
  /** The platform was seen to have the new text. */
  | { readonly kind: 'saved'; readonly count: number }
  /** Replaced in its editor, which had unsaved changes before and still has to be saved. */
  | { readonly kind: 'unsaved'; readonly count: number }
  /** Its editor has unsaved changes that undoing would discard. */
  | { readonly kind: 'edited' }
  | Unsaved
  /** The work was canceled or stopped before. */
  | { readonly kind: 'notTried' };

export interface ReplacedFile {
  readonly file: FilePlace;
  readonly outcome: FileOutcome;
}

interface Replaced {
  /** Identifies the run, to undo it. */
  readonly name: string;
  readonly files: readonly ReplacedFile[];
}

export interface ReplaceRequest {
  readonly files: readonly FoundFile[];
  readonly matcher: Matcher;
  readonly replacement: MatchReplacement;
}

interface RunOptions {
  /** Goes on with this run. */
  readonly name?: string;
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
  const name = options.name ?? deps.stored.begin();
  const byFile = new Map(files.map((found) => [found.file, found]));
  const replaced = await forEachFile([...byFile.keys()], options, (file) => {
    const found = byFile.get(file);
    const change = (text: string) => found && changeOf(text, found, matcher, replacement);
    return replaceIn({ file, change, name, signal: options.signal }, deps);
  });
  return { name, files: replaced };
}

/**
 * Gives the files of a replacement their earlier texts back, except those that have changed since: their earlier texts stay
 * stored. Returns `undefined` if there's nothing to restore.
 * @param name the replacement
 */
export async function undoReplacement(
  undone: string,
  deps: ReplaceInFilesDeps,
  options: RunOptions,
): Promise<readonly ReplacedFile[] | undefined> {
  const kept = await deps.stored.texts(undone);
  if (kept.length === 0) {
    return undefined;
  }
  const texts = new Map(kept.map((one) => [one.place, one] as const));
  return forEachFile([...texts.keys()], options, async (file) => {
    const known = texts.get(file);
    if (known === undefined) {
      return changed;
    }
    if ('isSecret' in known) {
      if (await deps.stored.leaveToOther(undone, known)) {
        throw new ExpectedError(
          l10n.t('it may hold secrets, so only another open window has its earlier text. Run Undo Replacement there'),
        );
      }
      // Nothing can bring it back, so it must not stand in the way of older replacements.
      await deps.stored.drop(undone, file);
      throw new ExpectedError(
        l10n.t('it may hold secrets, so only the window that replaced its text kept the earlier one. Check the file'),
      );
    }
    const outcome = await restore(known, deps);
    if (outcome.kind === 'saved') {
      await deps.stored.drop(undone, file);
    } else if (outcome.kind === 'conflict' || outcome.kind === 'unsaved') {
      // Someone may take the change back, and the editor may be closed without saving.
      await deps.stored.setAside(undone, known);
    }
    return outcome;
  });
}

/**
 * Saves on all nodes of their layers what a replacement wrote on one, where each node has the text before or the new one.
 * Undoing the replacement restores the other nodes, too.
 * @param others the same file on the other nodes
 */
export async function replaceOnAllNodes(
  name: string,
  others: ReadonlyMap<string, readonly FilePlace[]>,
  deps: ReplaceInFilesDeps,
  options: RunOptions,
): Promise<readonly ReplacedFile[]> {
  const kept = (await deps.stored.texts(name)).flatMap((one) =>
    'isSecret' in one || !others.has(keyOf(one.place)) ? [] : [one],
  );
  const texts = new Map(kept.map((one) => [one.place, one] as const));
  return forEachFile([...texts.keys()], options, async (file) => {
    const known = texts.get(file);
    const nodes = others.get(keyOf(file)) ?? [];
    return known === undefined
      ? changed
      : deps.queue.take([file, ...nodes], () => writeToAll(name, known, nodes, deps));
  });
}

async function writeToAll(
  name: string,
  known: ReplacedText,
  nodes: readonly FilePlace[],
  { read, stored, writeIfUnchanged }: ReplaceInFilesDeps,
): Promise<FileOutcome> {
  const { place: file, before, after: text } = known;
  // If a node can't be read, the write says why.
  const texts = await Promise.all(nodes.map((place) => read(place).catch(() => undefined)));
  // A node that has the new text already isn't changed, so undoing the replacement must leave it alone.
  const changing = nodes.filter((_, index) => texts[index] !== text);
  for (const place of changing) {
    await stored.keep(name, { ...known, place });
  }
  const reason = { cause: 'replace', batch: name } as const;
  const outcome = await writeIfUnchanged(file, { before, text, scope: 'layer', reason });
  for (const place of changing) {
    const earlier =
      outcome.kind === 'saved' ? outcome.before.find(({ node }) => keyOf(node) === keyOf(place)) : undefined;
    const hadIt = earlier?.found.kind === 'text' && earlier.found.text === text;
    await (hadIt || isUnwritten(outcome)
      ? stored.drop(name, place)
      : stored.settle(name, place, outcome.kind === 'saved' ? 'verified' : 'unknown'));
  }
  return outcomeOf(outcome, 1);
}

/** A write without a response can still arrive, and then the earlier text is needed. */
function isUnwritten(outcome: SaveOutcome): boolean {
  return outcome.kind === 'conflict' || (outcome.kind === 'failed' && !mayHaveHappened(outcome.cause));
}

const changed: FileOutcome = { kind: 'conflict', nodes: [] };
const notTried: FileOutcome = { kind: 'notTried' };

/** Works on one file after the other, and stops if all others would fail, too. */
async function forEachFile(
  files: readonly FilePlace[],
  { signal, onDidFinish }: RunOptions,
  work: (file: FilePlace) => Promise<FileOutcome>,
): Promise<readonly ReplacedFile[]> {
  const done: ReplacedFile[] = [];
  const streak = new FailureStreak();
  let isOver = false;
  for (const file of files) {
    if (isOver || signal.aborted) {
      break;
    }
    const outcome = await work(file).catch((cause: unknown) => ({ kind: 'failed', cause }) as const);
    const cause = 'cause' in outcome ? outcome.cause : undefined;
    if (cause === undefined) {
      streak.broken();
    } else if (isPlatformError(cause)) {
      isOver = streak.endsWith(cause);
    } else if (isCanceled(cause)) {
      isOver = true;
      if (outcome.kind === 'failed' && !cause.isOutcomeUnknown) {
        // Nothing was sent.
        break;
      }
    }
    done.push({ file, outcome });
    onDidFinish?.(done.length);
  }
  return [...done, ...files.slice(done.length).map((file) => ({ file, outcome: notTried }))];
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
  const chosen = new Set(found.lines.flatMap(({ ranges }) => ranges.map(rangeText)));
  return replaceMatches(text, matcher, replacement, (range) => chosen.has(rangeText(range)));
}

interface FileRequest {
  readonly file: FilePlace;
  readonly change: (text: string) => NewText | undefined;
  readonly name: string;
  readonly signal: AbortSignal;
}

async function replaceIn({ file, change, name, signal }: FileRequest, deps: ReplaceInFilesDeps): Promise<FileOutcome> {
  const edited: { change?: NewText | undefined; isKept?: boolean } = {};
  const editing = deps.editUnsaved(file, async (before) => {
    edited.change = change(before);
    const after = edited.change?.text;
    if (after !== undefined) {
      ensureWritable(nameOf(file), after, before);
      await deps.stored.keep(name, { place: file, before, after });
      edited.isKept = true;
    }
    return after ?? before;
  });
  const isUnsaved = await editing.catch(async (error: unknown) => {
    await (edited.isKept === true ? deps.stored.drop(name, file) : undefined);
    throw error;
  });
  if (isUnsaved) {
    const { change: made } = edited;
    if (made === undefined) {
      return changed;
    }
    await deps.stored.settle(name, file, 'verified');
    return { kind: 'unsaved', count: made.count };
  }
  return deps.queue.take([file], async () => {
    const before = await deps.read(file, signal);
    const after = change(before);
    if (after === undefined) {
      return changed;
    }
    await deps.stored.keep(name, { place: file, before, after: after.text });
    const reason = { cause: 'replace', batch: name } as const;
    const outcome = await deps.writeIfUnchanged(file, { before, text: after.text, reason });
    if (isUnwritten(outcome)) {
      await deps.stored.drop(name, file);
    } else {
      await deps.stored.settle(name, file, outcome.kind === 'saved' ? 'verified' : 'unknown');
    }
    if (outcome.kind === 'conflict' && file.target.nodeId === undefined) {
      // One node was just read, so the others differ from it.
      throw new ExpectedError(l10n.t('its nodes have different versions. Replace the text on each node'));
    }
    return outcomeOf(outcome, after.count);
  });
}

async function restore({ place, before, after }: ReplacedText, deps: ReplaceInFilesDeps): Promise<FileOutcome> {
  const edited = { isRestored: false };
  const isUnsaved = await deps.editUnsaved(place, (text) => {
    edited.isRestored = text === after;
    return edited.isRestored ? before : text;
  });
  if (isUnsaved) {
    return edited.isRestored ? { kind: 'unsaved', count: 1 } : { kind: 'edited' };
  }
  const { failed } = await deps.restoreTexts([{ place, now: after, earlier: before }]);
  return failed?.outcome ?? { kind: 'saved', count: 1 };
}

function outcomeOf(outcome: SaveOutcome, count: number): FileOutcome {
  return outcome.kind === 'saved' ? { kind: 'saved', count } : outcome;
}

/** Adds what is changed in editors instead of on the platform. */
export function withDocuments(deps: Omit<ReplaceInFilesDeps, 'editUnsaved'>): ReplaceInFilesDeps {
  return {
    ...deps,
    editUnsaved: async (file, change) => {
      const document = unsavedDocument(file);
      if (document === undefined) {
        return false;
      }
      const before = document.getText();
      const after = await change(before);
      if (after !== before) {
        // The person may have typed meanwhile.
        await replaceText(document, after, before);
      }
      return true;
    },
  };
}

export function unsavedDocument(file: FilePlace): TextDocument | undefined {
  const uri = uriOf(file).toString();
  return workspace.textDocuments.find((document) => document.isDirty && document.uri.toString() === uri);
}
