import { FileChangeType } from 'vscode';
import type { Listings } from '../../containers/listings';
import { type FilePlace, parentOf } from '../../containers/place';
import type { ContainerFileSystem } from '../provider/containerFileSystem';
import type { SaveOutcome } from './saveFile';
import type { Saves } from './saves';

/** The text that a file must have, and the one that it gets. */
export interface TextChange {
  readonly before: string;
  readonly text: string;
}

export interface WriteOverDeps {
  readonly saves: Pick<Saves, 'save'>;
  readonly listings: Pick<Listings, 'forget'>;
  readonly fileSystem: Pick<ContainerFileSystem, 'announceOwn' | 'announceSaved'>;
}

/** Writes a text over exactly this other one, without an editor. Call this only in the file's turn in the queue. */
export async function writeOver(
  file: FilePlace,
  { before, text }: TextChange,
  { saves, listings, fileSystem }: WriteOverDeps,
): Promise<SaveOutcome> {
  const base = { kind: 'version', version: { text: before, place: file } } as const;
  const outcome = await saves.save(file, { text, base, accepted: [], reach: 'place' });
  if (outcome.kind === 'saved' || outcome.kind === 'unknown') {
    listings.forget(parentOf(file) ?? file);
  }
  if (outcome.kind === 'saved') {
    fileSystem.announceSaved({ place: file, before, isNew: false });
  } else if (outcome.kind === 'unknown') {
    fileSystem.announceOwn([{ place: file, type: FileChangeType.Changed }]);
  }
  return outcome;
}
