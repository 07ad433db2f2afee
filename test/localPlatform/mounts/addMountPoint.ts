import { mkdir } from 'node:fs/promises';
import type { Node } from '../environments/environment';
import { notFolder, pathExists } from '../files/diskErrors';
import { containerOf } from '../files/eachNode';
import { nameOf } from '../files/listFolder';
import { own } from '../files/permissions';
import { find, locate, type Container } from '../files/place';
import type { Answer, Call } from '../operation';
import { codes, Refusal } from '../refusal';
import { mountSource, type MountSource } from './mountSource';
import type { Mount, Mounts } from './mounts';

const refuseLoop = (mounts: Mounts, source: MountSource, node: Node, paths: { source: string; path: string }): void => {
  const within = (inner: string, outer: string): boolean =>
    inner === outer || inner.startsWith(`${outer.replace(/\/$/u, '')}/`);
  const intoItself =
    source.node.id === node.id && (within(paths.path, paths.source) || within(paths.source, paths.path));
  if (intoItself || mounts.reaches(node.id, source.node.id)) {
    throw new Refusal(codes.unknown, `node ${node.id} is mounted on node ${source.node.id} already: a loop is refused`);
  }
};

/** Returns the folder where the data appears. Creates missing folders as the platform, not as the user. */
const mountFolder = async (container: Container, path: string): Promise<string> => {
  const asPlatform: Container = { ...container, as: 'platform' };
  const names = path.split('/').filter((name) => name !== '');
  for (let depth = 1; depth <= names.length; depth += 1) {
    const place = locate(asPlatform, `/${names.slice(0, depth).join('/')}`, 'followed');
    if (place.stats === undefined) {
      await mkdir(place.disk);
      own(place.node, place.path);
    } else if (!place.stats.isDirectory()) throw notFolder(place.shown);
  }
  const { shown } = locate(asPlatform, path, 'followed');
  if (shown === '/') throw new Refusal(codes.invalidParameter, 'invalid parameter [path]');
  return shown;
};

const mountOn = async (call: Call, mounts: Mounts, node: Node, source: MountSource): Promise<Mount> => {
  const { parameters } = call;
  const container = containerOf(call, mounts, node);
  const sourceContainer = { ...containerOf(call, mounts, source.node), as: 'platform' as const };
  const sourcePlace = find(sourceContainer, parameters.text('sourcePath'), 'followed');
  if (!sourcePlace.stats.isDirectory()) throw notFolder(sourcePlace.shown);
  const wanted = parameters.text('path');
  refuseLoop(mounts, source, node, { source: sourcePlace.shown, path: wanted });
  const path = await mountFolder(container, wanted);
  if (mounts.at(node.id, path) !== undefined) throw pathExists(path);
  return {
    nodeId: node.id,
    path,
    name: parameters.optionalText('name') ?? nameOf(path),
    sourceNodeId: source.node.id,
    sourcePath: sourcePlace.shown,
    sourceHost: source.host,
    sourceAddressType: source.addressType,
    protocol: parameters.optionalText('protocol') ?? 'NFS',
    readOnly: parameters.flag('readOnly') ?? false,
  };
};

/** Mounts on all requested nodes, or on none if one fails. */
export const addMountPoint = async (call: Call, mounts: Mounts): Promise<Answer> => {
  const nodes = call.nodes();
  const source = mountSource(call);
  const made: Mount[] = [];
  for (const node of nodes) made.push(await mountOn(call, mounts, node, source));
  await mounts.add(made);
  await call.platform.environments.save();
  return { source: 'JEL' };
};
