import { type Disposable, EventEmitter, FileChangeType, FileSystemError, l10n } from 'vscode';
import { uriOf } from '../../containers/uris';
import { isPlatformError, undefinedIf } from '../../platform/errors';
import { mayHaveHappened } from '../../platform/lostReply';
import type { Containers } from '../../containers/containers';
import type { Listings } from '../../containers/listings';
import { type FilePlace, nameOf, parentOrSelf } from '../../containers/place';
import { escapeLinks } from '../../ui/escapeMarkup';
import { otherPlacesOf, type AnnouncedSave, savedAgain, wasAbsent } from '../saving/serverFiles';
import type { WriteSource } from '../saving/edits/edit';
import type { OpenEdits } from '../saving/edits/openEdits';
import type { ReadOnlyFiles } from './readOnlyFiles';
import { type FailedSave, ownSide, problemIn, saveError, unresolvedError } from '../saving/outcomeTexts';
import { textObstacle } from '../saving/textObstacle';
import type { SaveJob, Saves, FileQueue } from '../saving/saves';
import type { ContainerFolders } from '../transfers/containerFolder';
import type { SaveProblems } from '../saving/saveProblems';
import type { SaveOutcome } from '../saving/saveFile';
import { decodeText, decodeUtf8, unresolvedConflicts } from '../text';

export interface WriteOptions {
  readonly create: boolean;
  readonly overwrite: boolean;
}

interface Written {
  /** The file itself first, then its other URIs. */
  readonly saved: readonly AnnouncedSave[];
  readonly type: FileChangeType;
}

interface StartedSave {
  readonly place: FilePlace;
  readonly job: SaveJob;
  readonly source: WriteSource;
  readonly outcome: Promise<SaveOutcome>;
}

/**
 * Writes files for VS Code. Resolves only after the platform was seen to have the whole text, exactly. Of binary data,
 * which it can't return, only the length is compared.
 */
export class FileWriter implements Disposable {
  private readonly started = new EventEmitter<StartedSave>();
  /** The errors of saves that wrote nothing because of a conflict. */
  private readonly conflicts = new WeakSet<Error>();
  /** The errors of writes that may have been made. */
  private readonly uncertain = new WeakSet<Error>();
  /** Fires with each save that writes a text, once it's that save's turn. */
  readonly onWillSave = this.started.event;

  constructor(
    private readonly deps: {
      readonly containers: Containers;
      readonly listings: Listings;
      readonly edits: OpenEdits;
      readonly saves: Saves;
      readonly queue: FileQueue;
      readonly readOnly: ReadOnlyFiles;
      readonly problems: SaveProblems;
      /** For binary data, which Write doesn't accept. */
      readonly folders: ContainerFolders;
    },
  ) {}

  dispose(): void {
    this.started.dispose();
  }

  /** Whether a write failed because of a conflict, before anything was written, which the user can resolve. */
  isConflict(error: unknown): boolean {
    return error instanceof Error && this.conflicts.has(error);
  }

  /** Whether the file may have the new content although its write failed. */
  mayHaveWritten(error: unknown): boolean {
    return mayHaveHappened(error) || (error instanceof Error && this.uncertain.has(error));
  }

  /** Call this first, while the document still shows the text being written. */
  sourceOf(place: FilePlace, content: Uint8Array): WriteSource {
    const text = decodeText(content);
    return text !== undefined && this.deps.edits.isShown(place, text) ? 'document' : 'others';
  }

  write(place: FilePlace, content: Uint8Array, options: WriteOptions, source: WriteSource): Promise<Written> {
    // Queue before any request: of several writes to a file, the last one must win.
    return this.deps.queue.take([place], async () => {
      if (await this.createEmpty(place, content, options, source)) {
        return unread(place, FileChangeType.Created, true);
      }
      const text = decodeText(content);
      if (text === undefined) {
        refuseUnwritable(place, content);
        this.refuseUnreadable(place, content);
      }
      const { type, isNew = false } = await this.prepare(place, options, source);
      if (text === undefined) {
        const isFirst = isNew || (await this.isMissing(place, type));
        await this.writeBytes(place, content).catch(async (error: unknown) => {
          await this.tidyUp(place, error, isNew);
          throw error;
        });
        return unread(place, type, isFirst);
      }
      return this.save(place, text, source, { type, isNew });
    });
  }

  /** Returns all URIs of the saved file. */
  private async save(
    place: FilePlace,
    text: string,
    source: WriteSource,
    { type, isNew }: { readonly type: FileChangeType; readonly isNew: boolean },
  ): Promise<Written> {
    const { edits, problems, saves, listings } = this.deps;
    return edits.during(place, async () => {
      const job = await edits.jobFor(place, text, source);
      const unresolved = source === 'document' ? newConflicts(job) : 0;
      if (unresolved > 0) {
        throw unresolvedError(place, unresolved);
      }
      refuseUnwritable(place, text, job.base.kind === 'version' ? job.base.version.text : undefined);
      const isFirst = isNew || (job.base.kind === 'anything' && (await this.isMissing(place, type)));
      // This write has just created the file, so nothing can be in it yet, whatever its document began with.
      const saving = saves.save(place, isNew ? { ...job, base: { kind: 'anything' } } : job);
      this.started.fire({ place, job, source, outcome: saving });
      const outcome = await saving;
      edits.settled(place, job, outcome, source);
      // A write by another extension doesn't resolve the editor's conflict, and the same one again keeps its ID.
      if (problemIn(outcome) === undefined && edits.mayBeSave(place, source)) {
        problems.delete(place);
      }
      if (outcome.kind === 'failed') {
        await this.tidyUp(place, outcome.cause, isNew);
        if (refusesWriting(outcome.cause)) {
          this.deps.readOnly.refuse(place);
        }
      }
      for (const other of otherPlacesOf(place, 'nodes' in outcome ? outcome.nodes : [])) {
        listings.forget(parentOrSelf(other));
      }
      if (outcome.kind !== 'saved') {
        const isBaseKnown = job.base.kind !== 'unknown';
        const isKept = outcome.isKept === true;
        throw await this.errorOf(
          { place, scope: job.scope, text, isBaseKnown, isKept, isLookedUp: source === 'document' },
          outcome,
        );
      }
      const base = job.base.kind === 'version' ? job.base.version.text : undefined;
      const saved: AnnouncedSave = {
        place,
        isNew: wasAbsent(outcome.before) ?? isFirst,
        base,
        text: base === undefined ? undefined : text,
      };
      return { saved: [saved, ...savedAgain(saved, outcome)], type };
    });
  }

  /**
   * Whether no node has the file, for a write that doesn't look at it before. False if that can't be found out: what counts
   * as new may be deleted later.
   */
  private async isMissing(place: FilePlace, type: FileChangeType): Promise<boolean> {
    const { containers, listings } = this.deps;
    const look = async () => listings.areMissing(await containers.nodes(place));
    return type === FileChangeType.Created && (await undefinedIf('any', look())) === true;
  }

  private async tidyUp(place: FilePlace, failure: unknown, isNew: boolean): Promise<void> {
    if (isNew) {
      await this.deps.containers.removeUnwritten(place, failure);
    }
  }

  /**
   * New File writes an empty file where VS Code expects none, with permission to overwrite. A file may exist by now, so
   * use Create, which fails in that case.
   */
  private async createEmpty(
    place: FilePlace,
    content: Uint8Array,
    options: WriteOptions,
    source: WriteSource,
  ): Promise<boolean> {
    const { containers, listings, edits } = this.deps;
    const mayBeNew = isEmptyFile(content, options) && source === 'others' && !edits.isDirty(place);
    if (!mayBeNew || (await listings.peek(place)).kind !== 'absent') {
      return false;
    }
    try {
      await containers.createFile(place);
    } catch (error) {
      if (isPlatformError(error) && error.kind === 'tokenLacksMethod') {
        return false;
      }
      throw isPlatformError(error) && error.kind === 'exists' ? FileSystemError.FileExists(uriOf(place)) : error;
    }
    const length = (await listings.lookUp(place))?.length;
    if (length !== 0) {
      throw sizeDiffers(place, 0, length);
    }
    return true;
  }

  /**
   * Applies `create` and `overwrite` as VS Code defines them. With both set, an existing file isn't an obstacle.
   *
   * @returns `isNew` if this write certainly created the file
   */
  private async prepare(
    place: FilePlace,
    { create, overwrite }: WriteOptions,
    source: WriteSource,
  ): Promise<{ readonly type: FileChangeType; readonly isNew?: boolean }> {
    if (create && overwrite) {
      return { type: await this.typeOfAnyWrite(place, source) };
    }
    if (!create) {
      await this.ensureExisting(place, { overwrite });
      return { type: FileChangeType.Changed };
    }
    // Create fails if the file exists, so there's no race as with checking first.
    const { isConfirmed } = await this.deps.containers.createFile(place);
    return { type: FileChangeType.Created, isNew: isConfirmed };
  }

  private async typeOfAnyWrite(place: FilePlace, source: WriteSource): Promise<FileChangeType> {
    const { listings } = this.deps;
    if (source === 'document') {
      // The save itself checks the container's version.
      return listings.topmostUnlisted(place) === undefined ? FileChangeType.Changed : FileChangeType.Created;
    }
    const peek = await listings.peek(place);
    if (peek.kind === 'there' && peek.entry.isDir) {
      throw FileSystemError.FileIsADirectory(uriOf(place));
    }
    return peek.kind === 'there' ? FileChangeType.Changed : FileChangeType.Created;
  }

  private async ensureExisting(place: FilePlace, { overwrite }: Omit<WriteOptions, 'create'>): Promise<void> {
    const uri = uriOf(place);
    const entry = await this.deps.listings.lookUp(place);
    if (entry === undefined) {
      throw FileSystemError.FileNotFound(uri);
    }
    if (!overwrite) {
      throw FileSystemError.FileExists(uri);
    }
    if (entry.isDir) {
      throw FileSystemError.FileIsADirectory(uri);
    }
  }

  private async errorOf(
    saved: Omit<FailedSave, 'uri' | 'problem'>,
    outcome: Exclude<SaveOutcome, { kind: 'saved' }>,
  ): Promise<unknown> {
    const { place, scope } = saved;
    const uri = uriOf(place);
    if (outcome.kind === 'failed' && isPlatformError(outcome.cause)) {
      const peek = await this.deps.listings.peek(place).catch(() => undefined);
      if (peek?.kind === 'there' && peek.entry.isDir) {
        return FileSystemError.FileIsADirectory(uri);
      }
    }
    const kind = problemIn(outcome);
    const nodes = 'nodes' in outcome ? outcome.nodes : [];
    const problem = kind && this.deps.problems.add({ kind, place, scope, nodes });
    const error = saveError({ ...saved, uri, problem }, outcome);
    if (error instanceof Error) {
      if (outcome.kind === 'conflict') this.conflicts.add(error);
      else if (outcome.kind !== 'failed' || mayHaveHappened(outcome.cause)) this.uncertain.add(error);
    }
    return error;
  }

  private async writeBytes(place: FilePlace, bytes: Uint8Array): Promise<void> {
    this.refuseUnreadable(place, bytes);
    // It was already decided whether a file may exist.
    await this.deps.folders.putBytes(place, bytes);
    try {
      const length = (await this.deps.listings.lookUp(place))?.length;
      if (length !== bytes.length) throw sizeDiffers(place, bytes.length, length);
    } catch (error) {
      if (error instanceof Error) this.uncertain.add(error);
      throw error;
    }
  }

  /** Saved from an editor like this, the file could no longer be opened for editing. */
  private refuseUnreadable(place: FilePlace, bytes: Uint8Array): void {
    if (this.deps.edits.isDirty(place)) {
      const onlyUtf8 = l10n.t(
        "Couldn't save {0}: the platform supports only UTF-8. Use “Save with Encoding” to save it as UTF-8.",
        place.path,
      );
      throw FileSystemError.Unavailable(escapeLinks(textObstacle(nameOf(place), decodeUtf8(bytes) ?? '') ?? onlyUtf8));
    }
  }
}

/** A written file whose text isn't known, neither from before nor now. */
function unread(place: FilePlace, type: FileChangeType, isNew: boolean): Written {
  return { saved: [{ place, isNew, base: undefined, text: undefined }], type };
}

/** How VS Code creates a file. */
function isEmptyFile(content: Uint8Array, { create, overwrite }: WriteOptions): boolean {
  return create && overwrite && content.byteLength === 0;
}

function sizeDiffers({ path }: FilePlace, sent: number, length: number | undefined): FileSystemError {
  const text = l10n.t(
    "Couldn't verify {1}: {0} bytes were sent, but the file in the container has {2}. Try again.",
    sent,
    path,
    length ?? 0,
  );
  return FileSystemError.Unavailable(escapeLinks(text));
}

function refuseUnwritable(place: FilePlace, now: string | Uint8Array, before?: string): void {
  const obstacle = textObstacle(nameOf(place), now, before);
  if (obstacle !== undefined) {
    throw FileSystemError.Unavailable(escapeLinks(obstacle));
  }
}

/** Counts the conflicts that a merge left in the text, unless the file had such lines before. */
function newConflicts({ text, base }: SaveJob): number {
  const before = base.kind === 'version' ? unresolvedConflicts(base.version.text, ownSide()) : 0;
  return Math.max(0, unresolvedConflicts(text, ownSide()) - before);
}

/** Whether the write itself was forbidden, and not listing the folder or access to the environment. */
function refusesWriting(error: unknown): boolean {
  return (
    isPlatformError(error) && error.kind === 'forbidden' && error.operation === 'Write' && error.obstacle === undefined
  );
}
