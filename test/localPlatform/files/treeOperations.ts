import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path/posix';
import type { Mounts } from '../mounts/mounts';
import type { Answer, Call, OperationTable } from '../operation';
import { codes, Refusal } from '../refusal';
import { copyPlace } from './copyPlace';
import { demandEmptying } from './demandEmptying';
import { denied, diskFull, pathExists, refusalOf } from './diskErrors';
import { answerWithRows, onEachNode, plainAnswer, type NodeOutcome } from './eachNode';
import { permissionText } from './entryKind';
import { demandChange, forgetOwners, moveOwners, own } from './permissions';
import { find, folderOf, locate, type Container } from './place';
import { storeFile } from './storeFile';

const busy = (path: string): Refusal => new Refusal(codes.unknown, `[${path}] is a mount point or holds one`);

const create = async (container: Container, path: string, kind: 'folder' | 'file', call: Call): Promise<Answer> => {
  const place = locate(container, path, 'itself');
  if (place.stats !== undefined) throw pathExists(place.shown);
  if (kind === 'file') await storeFile(container, place, Buffer.alloc(0));
  else {
    demandChange(folderOf(container, place));
    if (container.disk.full !== undefined) throw diskFull();
    try {
      await mkdir(place.disk, { mode: 0o755 });
    } catch (error) {
      throw refusalOf(error, place.shown);
    }
    own(place.node, place.path);
  }
  const made = find(container, path, 'itself');
  return { path: made.shown, permission: permissionText(made.stats, call.platform.behaviour.permissionForm) };
};

const remove = async (container: Container, path: string): Promise<Answer> => {
  const place = find(container, path, 'itself');
  if (place.shown === '/') throw denied('/');
  if (container.mounts.isBusy(container.node.id, place.shown)) throw busy(place.shown);
  demandChange(folderOf(container, place));
  await demandEmptying(place);
  try {
    await rm(place.disk, { recursive: true });
  } catch (error) {
    throw refusalOf(error, place.shown);
  }
  forgetOwners(place);
  return {};
};

const move = async (container: Container, oldPath: string, newPath: string, call: Call): Promise<Answer> => {
  const from = find(container, oldPath, 'itself');
  if (from.shown === '/') throw denied('/');
  const to = locate(container, newPath, 'itself');
  const across = dirname(from.shown) !== dirname(to.shown);
  if (across && call.platform.behaviour.renameAcrossFolders === 'refused') {
    throw new Refusal(codes.renameAcrossFolders, 'Pathes are different.');
  }
  const replaces = to.stats?.isFile() === true && call.platform.behaviour.existingTarget === 'overwritten';
  if (to.stats !== undefined && !replaces) throw pathExists(to.shown);
  if (container.mounts.isBusy(container.node.id, from.shown)) throw busy(from.shown);
  demandChange(folderOf(container, from));
  demandChange(folderOf(container, to));
  try {
    await rename(from.disk, to.disk);
  } catch (error) {
    throw refusalOf(error, from.shown);
  }
  moveOwners(from, to);
  return {};
};

const firstFields = (outcomes: readonly NodeOutcome[]): Answer =>
  outcomes.flatMap((outcome) => (outcome.kind === 'done' ? [outcome.fields] : []))[0] ?? {};

/** Creates, moves, and deletes files and folders. */
export const treeOperations = (mounts: Mounts): OperationTable => ({
  Create: async (call) => {
    const kind = call.parameters.flag('isdir') === true ? 'folder' : 'file';
    const nodes = call.nodes();
    const outcomes = await onEachNode(call, mounts, nodes, (container) =>
      create(container, call.parameters.text('path'), kind, call),
    );
    return {
      ...answerWithRows(outcomes, call.platform.behaviour.nodeFailures),
      ...firstFields(outcomes),
      isDirectory: kind === 'folder',
      user: nodes[0]?.containerUser,
    };
  },

  Delete: async (call) => {
    const path = call.parameters.text('path');
    const outcomes = await onEachNode(call, mounts, call.nodes(), (container) => remove(container, path));
    return answerWithRows(outcomes, call.platform.behaviour.nodeFailures);
  },

  Rename: async (call) => {
    const { parameters } = call;
    const outcomes = await onEachNode(call, mounts, call.nodes(), (container) =>
      move(container, parameters.text('oldPath'), parameters.text('newPath'), call),
    );
    return answerWithRows(outcomes, call.platform.behaviour.nodeFailures);
  },

  Copy: async (call) => {
    const { parameters } = call;
    const outcomes = await onEachNode(call, mounts, call.nodes(), (container) =>
      copyPlace(container, parameters.text('src'), parameters.text('dest'), call.platform.behaviour.existingTarget),
    );
    return plainAnswer(outcomes);
  },
});
