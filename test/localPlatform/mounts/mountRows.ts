import type { Behaviour } from '../behaviour';
import { enumerated } from '../enumerated';
import type { Answer } from '../operation';
import type { Mount } from './mounts';

const addressNumbers = { IP: 0, DOMAIN: 1, NODE_GROUP: 2 } as const;

/** A mount as responses list it. */
const mountRow = (mount: Mount, form: Behaviour['enums']): Answer => ({
  creator: enumerated(form, 'USER', 0),
  name: mount.name,
  nodeId: mount.nodeId,
  path: mount.path,
  protocol: mount.protocol,
  readOnly: mount.readOnly,
  sourceAddressType: enumerated(form, mount.sourceAddressType, addressNumbers[mount.sourceAddressType]),
  sourceHost: mount.sourceHost,
  sourceNodeId: mount.sourceNodeId,
  sourcePath: mount.sourcePath,
  type: mount.sourceNodeId === mount.nodeId ? enumerated(form, 'LOCAL', 0) : enumerated(form, 'INTERNAL', 1),
});

export const arrayAnswer = (mounts: readonly Mount[], form: Behaviour['enums']): Answer => ({
  className: 'MountPoint',
  array: mounts.map((mount) => mountRow(mount, form)),
  source: 'JEL',
});
