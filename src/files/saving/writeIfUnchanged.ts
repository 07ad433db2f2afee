import { FileChangeType } from 'vscode';
import type { Containers } from '../../containers/containers';
import type { Listings } from '../../containers/listings';
import { type FilePlace, nameOf, parentOrSelf } from '../../containers/place';
import type { ContainerFileSystem } from '../provider/containerFileSystem';
import { undefinedIf } from '../../platform/errors';
import { hasNotHappened } from '../../platform/lostReply';
import { ExpectedError } from '../../ui/expectedError';
import type { Unsaved } from './outcomeTexts';
import { textObstacle } from './textObstacle';
import { findConflicts, type SaveOutcome, type SaveReason } from './saveFile';
import type { Saves, SaveScope } from './saves';
import { otherPlacesOf, type ReadFiles, type AnnouncedSave, savedAgain } from './serverFiles';

/** The text that a file must have, and the one that it gets. */
export interface TextChange {
  readonly before: string;
  readonly text: string;
  readonly reason?: SaveReason;
  /** By default, only the file's own node. With `layer`, other nodes may have the new text already. */
  readonly scope?: SaveScope;
  /** No person wrote the text, so an interrupted write isn't offered later. */
  readonly isTechnical?: true;
  /** The file was just created for this text. */
  readonly isNew?: true;
}

/** A change that deletes the file if it has no text. */
export interface TextRestoration extends Omit<TextChange, 'text'> {
  readonly text: string | undefined;
}

/** Makes changes without an editor. Call them only in the file's turn in the queue. */
export function changesIfUnchanged(
  saves: Saves,
  files: ReadFiles,
  containers: Pick<Containers, 'shows'>,
  listings: Pick<Listings, 'forget'>,
  fileSystem: Pick<ContainerFileSystem, 'announceOwn' | 'announceSaved' | 'deleteInTurn'>,
) {
  /** Returns why the change can't be made, without changing anything. Rejects if the file can't be read. */
  const findObstacle = async (file: FilePlace, { before, text }: TextRestoration): Promise<Unsaved | undefined> => {
    const accepted = text === undefined ? [{ kind: 'absent' } as const] : [];
    const base = baseOf(file, before);
    const nodes = await findConflicts({ nodes: [file], base, text: text ?? before, accepted }, files);
    return nodes.length > 0 ? { kind: 'conflict', nodes } : undefined;
  };
  /** Deletes a file, and verifies that it's gone. */
  const remove = async (file: FilePlace, { before }: TextRestoration): Promise<SaveOutcome> => {
    const kept = await saves.keepChanges({ place: file, cause: 'restore', base: baseOf(file, before), text: null });
    await undefinedIf('notFound', fileSystem.deleteInTurn(file)).catch(async (error: unknown) => {
      await kept.end(hasNotHappened(error) ? 'over' : 'unknown');
      throw error;
    });
    let isDeleted = false;
    try {
      isDeleted = await containers.shows(file, undefined, (entry) => entry === undefined);
      if (isDeleted) {
        listings.forget(parentOrSelf(file));
        fileSystem.announceOwn([{ place: file, type: FileChangeType.Deleted, gone: { before } }]);
      }
    } finally {
      // Until it's seen to be gone, its text may be needed.
      await kept.end(isDeleted ? 'over' : 'unknown');
    }
    return isDeleted ? { kind: 'saved', nodes: [], before: [] } : { kind: 'failed' };
  };
  const write = async (
    file: FilePlace,
    text: string,
    { before, reason, scope = 'place', isTechnical }: TextRestoration,
  ): Promise<SaveOutcome> => {
    const obstacle = textObstacle(nameOf(file), text, before);
    if (obstacle !== undefined) {
      return { kind: 'failed', cause: new ExpectedError(obstacle) };
    }
    // A replacement in files keeps the texts itself, to undo it.
    const isKept = reason?.cause !== 'replace' && isTechnical !== true;
    const keeping = isKept ? ({ keeping: 'withoutEditor' } as const) : {};
    const job = { text, base: baseOf(file, before), accepted: [], scope, ...(reason && { reason }), ...keeping };
    return saves.save(file, job);
  };
  /** Tells VS Code, and the records of edits, which files a write reached. */
  const announce = (file: FilePlace, { before, text, scope, isNew }: TextRestoration, outcome: SaveOutcome) => {
    for (const place of [file, ...otherPlacesOf(file, 'nodes' in outcome ? outcome.nodes : [])]) {
      listings.forget(parentOrSelf(place));
    }
    if (outcome.kind === 'saved') {
      const saved: AnnouncedSave = { place: file, base: isNew ? undefined : before, text, isNew: isNew === true };
      fileSystem.announceSaved([saved, ...savedAgain(saved, outcome)]);
    } else if (outcome.kind === 'unknown') {
      // Any node may have the text.
      const reached = [file, ...(scope === 'layer' ? otherPlacesOf(file, []) : [])];
      const type = isNew ? FileChangeType.Created : FileChangeType.Changed;
      fileSystem.announceOwn(reached.map((place) => ({ place, type })));
    }
  };
  /** Writes a text if the file still has exactly the other one. Rejects only if it's to delete the file. */
  const writeIfUnchanged = async (file: FilePlace, change: TextRestoration): Promise<SaveOutcome> => {
    const { text } = change;
    if (text === undefined) {
      return (await findObstacle(file, change)) ?? remove(file, change);
    }
    const outcome = await write(file, text, change);
    if (outcome.kind === 'conflict' || outcome.kind === 'failed') {
      return outcome;
    }
    announce(file, change, outcome);
    return outcome;
  };
  return { findObstacle, writeIfUnchanged };
}

function baseOf(place: FilePlace, text: string) {
  return { kind: 'version', version: { text, place } } as const;
}
