import { join } from 'node:path';
import type { Backups } from '../../src/files/saving/backups';
import { InterruptedSaves } from '../../src/files/saving/interruptedSaves';
import type { ReadFiles, SavingFiles } from '../../src/files/saving/serverFiles';
import { Saves } from '../../src/files/saving/saves';
import { defaultSaveLimits, type SavedFiles } from '../../src/files/saving/saveFile';
import type { FilePlace } from '../../src/containers/place';
import { FileLocks, WindowPresence } from '../../src/storage/windows';
import type { ConnectedLayer } from '../scene/connectedScene';
import { backupsIn } from '../unit/files/journal/journalSetUp';
import { type Offer, offerOf } from './windowTask';

/**
 * Creates the object that saves as a window does, on a layer with these nodes. A text that can't be kept on this
 * machine's disk fails the save.
 */
export function createTestSaves(
  files: SavingFiles,
  backups: Backups,
  nodeIds: readonly number[],
  more: { readonly onDidVerify?: (saved: SavedFiles) => Promise<unknown> } = {},
): Saves {
  const deps = {
    files,
    backups,
    nodesOf: (place: FilePlace) => placesOnNodes(place, nodeIds),
    isAsking: () => false,
    onSilence: () => undefined,
    ...more,
  };
  // A short pause, so that saves don't wait.
  return new Saves(deps, { ...defaultSaveLimits, pauses: [0] });
}

/** The locks of a window. */
export function createTestLocks(
  folder: string,
  presence: WindowPresence,
  onDidFail = (error: unknown): void => {
    throw error;
  },
): FileLocks {
  const inUse = () => new Error('another window holds the lock');
  return new FileLocks({ folder: join(folder, 'locks'), presence, inUse, onDidFail });
}

/** Finds interrupted saves as a window does when it starts. */
export function createTestRecovery(
  files: ReadFiles,
  backups: Backups,
  window: { readonly presence: WindowPresence; readonly locks: FileLocks },
  nodeIds: readonly number[],
): InterruptedSaves {
  const { presence, locks } = window;
  return new InterruptedSaves({
    backups,
    files,
    isHeldElsewhere: async (entry) => !backups.isOurs(entry) && (await presence.isAlive(entry.owner)),
    isOpen: (owner) => presence.isAlive(owner),
    inTurn: (work) => locks.hold(['offering'], work),
    isBeingEdited: () => false,
    isSignedIn: () => true,
    nodesOf: (place) => placesOnNodes(place, nodeIds),
  });
}

/** Opens two windows at the same time. Returns what both offer, by path. */
export async function offersOfTwoWindows(folder: string, { scene, nodes }: ConnectedLayer): Promise<readonly Offer[]> {
  const offered = [1, 2].map(async () => {
    const presence = new WindowPresence(folder);
    await presence.announce();
    const window = { presence, locks: createTestLocks(folder, presence) };
    const recovery = createTestRecovery(scene.files, backupsIn(folder, presence), window, nodes);
    return { presence, offers: (await recovery.toOffer()).offered.map(offerOf) };
  });
  const windows = await Promise.all(offered);
  await Promise.all(windows.map(({ presence }) => presence.dispose()));
  return windows.flatMap(({ offers }) => offers).sort(byPath);
}

/** For sorting. */
export function byPath(one: { readonly path: string }, other: { readonly path: string }): number {
  return one.path.localeCompare(other.path);
}

/** Returns the same file on each node that a write to the place reaches. */
export function placesOnNodes(place: FilePlace, nodeIds: readonly number[]): Promise<readonly FilePlace[]> {
  const nodes = nodeIds.map((nodeId) => ({ ...place, target: { ...place.target, nodeId } }));
  return Promise.resolve(place.target.nodeId === undefined ? nodes : [place]);
}
