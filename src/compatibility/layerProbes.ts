import { addressOf } from '../containers/containers';
import { childOf, type FilePlace, wholeLayer } from '../containers/place';
import { openEnvelope } from '../platform/envelope';
import { fieldOf, readInteger } from '../platform/wire/scalars';
import type { Facts } from './facts';
import type { ScratchFiles } from './scratchFiles';

/** Finds out whether changes of the first node, which all came before this, also reached the other nodes. */
export async function probeOneNode(files: ScratchFiles): Promise<Facts> {
  const others = files.folders.slice(1);
  const found = await Promise.all(others.map((folder) => files.entries(folder)));
  if (found.length === 0 || found.some((entries) => entries === undefined)) {
    return {};
  }
  return { oneNode: found.every((entries) => entries?.length === 0) ? 'honored' : 'everyNode' };
}

/** Finds out which nodes of a layer a change reaches. */
export async function probeLayer(files: ScratchFiles): Promise<Facts> {
  const layer = wholeLayer(files.folder);
  const reach = async (masterOnly: boolean): Promise<number | undefined> => {
    const name = `masterOnly-${masterOnly}.txt`;
    const at = { ...addressOf(layer), path: childOf(layer, name).path, masterOnly };
    const step = `Write, masterOnly=${masterOnly}`;
    const isWritten = await files.change(step, 'Write', { ...at, body: 'layer\n', isAppendMode: false });
    const found = await Promise.all(files.folders.map((folder) => files.entries(folder)));
    if (isWritten !== true || found.some((entries) => entries === undefined)) {
      return undefined;
    }
    return found.filter((entries) => entries?.some((entry) => entry.name === name)).length;
  };
  const [master, all] = [await reach(true), await reach(false)];
  const masterOnly = masterFact(master, all, files.folders.length);
  return { masterOnly, ...(await nodeFailure(files, layer, masterOnly === 'reversed')) };
}

/** Creates a file on all nodes that exists on the second one. */
async function nodeFailure(files: ScratchFiles, layer: FilePlace, masterOnly: boolean): Promise<Facts> {
  const [, second] = files.folders;
  if (second === undefined) {
    return {};
  }
  const name = 'node-failure.txt';
  await files.write(childOf(second, name), 'there\n');
  files.signal.throwIfAborted();
  const at = { ...addressOf(layer), path: childOf(layer, name).path, masterOnly, isdir: false };
  const seen = await files.recorder.look('Create, existing file on one of several nodes', () =>
    files.account.inspect('Create', at),
  );
  const result = seen?.body === undefined ? undefined : readInteger(fieldOf(seen.body, 'result'));
  if (result === undefined || openEnvelope(seen?.body, 'zero').said !== 'failure') {
    return {};
  }
  return { nodeFailures: result === 0 ? 'nested' : 'outer' };
}

function masterFact(master: number | undefined, all: number | undefined, nodes: number): Facts['masterOnly'] {
  if (master === undefined || all === undefined) {
    return undefined;
  }
  if (all === nodes) {
    return master === nodes ? 'ignored' : 'honored';
  }
  return master === nodes ? 'reversed' : 'masterAlways';
}
