import type { Answer, Call, OperationTable } from '../operation';
import { codes, Refusal } from '../refusal';
import { addMountPoint } from './addMountPoint';
import { nodeById } from './mountSource';
import { arrayAnswer } from './mountRows';
import type { Mounts } from './mounts';

const plain = (path: string): string => path.replace(/\/+$/u, '') || '/';

const remove = async (call: Call, mounts: Mounts): Promise<Answer> => {
  const ids = call.nodes().map(({ id }) => id);
  const path = plain(call.parameters.text('path'));
  const count = await mounts.remove((mount) => ids.includes(mount.nodeId) && mount.path === path);
  if (count === 0) throw new Refusal(codes.notFound, `mount point [${path}] not found`);
  return { source: 'JEL' };
};

/** Returns a node of the request's environment. */
const ownNode = (call: Call): number => call.nodes()[0]?.id ?? 0;

export const mountOperations = (mounts: Mounts): OperationTable => ({
  AddMountPointByGroup: (call) => addMountPoint(call, mounts),
  AddMountPointById: (call) => addMountPoint(call, mounts),
  RemoveMountPointByGroup: (call) => remove(call, mounts),
  RemoveMountPointById: (call) => remove(call, mounts),

  GetMountPoints: (call) => {
    const all = call.environment().layers.flatMap(({ nodes }) => nodes);
    const narrowed = call.parameters.has('nodeId') || call.parameters.has('nodeGroup');
    const ids = (narrowed ? call.nodes() : all).map(({ id }) => id);
    const rows = mounts.all.filter(({ nodeId }) => ids.includes(nodeId));
    return Promise.resolve(arrayAnswer(rows, call.platform.behaviour.enums));
  },

  GetExportedList: (call) => {
    const path = call.parameters.optionalText('path');
    const id = ownNode(call);
    const rows = mounts.all.filter(
      ({ sourceNodeId, sourcePath }) => sourceNodeId === id && (path === undefined || sourcePath === plain(path)),
    );
    return Promise.resolve(arrayAnswer(rows, call.platform.behaviour.enums));
  },

  RemoveExport: async (call) => {
    const { parameters } = call;
    const id = ownNode(call);
    const client = nodeById(call, parameters.integer('clientNodeId'));
    const [path, clientPath] = [plain(parameters.text('path')), plain(parameters.text('clientPath'))];
    const count = await mounts.remove(
      (mount) =>
        mount.sourceNodeId === id &&
        mount.sourcePath === path &&
        mount.nodeId === client.id &&
        mount.path === clientPath,
    );
    if (count === 0) throw new Refusal(codes.notFound, `export [${path}] to node ${client.id} not found`);
    return { source: 'JEL' };
  },

  // `object` is true if the two nodes are already mounted in the opposite direction, so that a mount would fail.
  CheckCrossMount: (call) => {
    const [id, source] = [ownNode(call), nodeById(call, call.parameters.integer('sourceNodeId'))];
    const crosses = mounts.reaches(id, source.id);
    const warnings = crosses
      ? [`node ${source.id} mounts data of node ${id}: the opposite direction is restricted`]
      : [];
    return Promise.resolve({ object: crosses, warnings, source: 'JEL' });
  },
});
