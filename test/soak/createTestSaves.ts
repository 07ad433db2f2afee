import type { SavingFiles } from '../../src/files/saving/serverFiles';
import { type Backups, Saves } from '../../src/files/saving/saves';
import { defaultSaveLimits } from '../../src/files/saving/saveFile';
import type { FilePlace } from '../../src/containers/place';

/**
 * Creates the object that saves as a window does, on a layer with these nodes. A text that can't be kept on this
 * machine's disk fails the save.
 */
export function createTestSaves(
  files: SavingFiles,
  backups: Backups,
  nodeIds: readonly number[],
  more: { readonly onDidVerify?: () => Promise<unknown> } = {},
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

/** Returns the same file on each node that a write to the place reaches. */
export function placesOnNodes(place: FilePlace, nodeIds: readonly number[]): Promise<readonly FilePlace[]> {
  const nodes = nodeIds.map((nodeId) => ({ ...place, target: { ...place.target, nodeId } }));
  return Promise.resolve(place.target.nodeId === undefined ? nodes : [place]);
}
