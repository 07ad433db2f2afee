import type { FilePlace } from '../containers/place';
import { probeChanges } from './changeProbes';
import { knownFacts } from './facts';
import { probeLayer, probeOneNode } from './layerProbes';
import type { ProbeDeps, Probed } from './observation';
import { ScratchFiles } from './scratchFiles';
import { probeTexts } from './textProbes';

/** Finds out by writing, in an empty folder on each node, which is removed afterwards. */
export async function probeByWriting(deps: ProbeDeps, folders: readonly FilePlace[]): Promise<Probed> {
  const [first, ...others] = folders;
  if (first === undefined) {
    return { facts: {}, observations: [] };
  }
  const files = new ScratchFiles(deps, first, folders);
  const found = {
    ...(await probeTexts(files)),
    ...(await probeChanges(files)),
    ...(others.length > 0 ? { ...(await probeOneNode(files)), ...(await probeLayer(files)) } : {}),
  };
  return { facts: knownFacts(found), observations: files.recorder.observations };
}
