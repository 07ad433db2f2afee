import {
  filter,
  flag,
  int,
  type Operation,
  type Parameter,
  requiredInt,
  requiredText,
  session,
  text,
} from './operation';
import { acknowledged } from '../wire/files';
import { crossMount, favorites, mounts } from '../wire/sharing';

const where = { envName: requiredText, session } as const;
const mount = {
  path: requiredText,
  sourcePath: requiredText,
  protocol: { ...text, values: ['NFS', 'NFS3', 'NFS4', 'LOCAL', 'WEBDAV', 'GLUSTER'] },
  sourceHost: text,
  sourceNodeId: int,
  name: text,
  readOnly: flag,
  sourceAddressType: { ...text, values: ['IP', '0', 'DOMAIN', '1', 'NODE_GROUP', '2'] },
} as const satisfies Record<string, Parameter>;
const read = { area: 'file', effect: 'read', pace: 'files' } as const;
const write = { area: 'file', effect: 'write', pace: 'files' } as const;

/** The operations for favorites, mount points and exports. */
export const sharing = {
  AddFavorite: {
    ...write,
    path: 'addfavorite',
    parameters: {
      ...where,
      path: requiredText,
      nodeGroup: text,
      nodeId: int,
      keyword: text,
      filter,
      isDir: flag,
    },
    answer: acknowledged,
  },
  AddMountPointByGroup: {
    ...write,
    path: 'addmountpointbygroup',
    parameters: { ...where, nodeGroup: requiredText, ...mount },
    answer: acknowledged,
  },
  AddMountPointById: {
    ...write,
    path: 'addmountpointbyid',
    parameters: { ...where, nodeId: requiredInt, ...mount },
    answer: acknowledged,
  },
  CheckCrossMount: {
    ...read,
    path: 'checkcrossmount',
    parameters: { ...where, nodeId: requiredInt, sourceNodeId: requiredInt },
    answer: crossMount,
  },
  GetExportedList: {
    ...read,
    path: 'getexportedlist',
    parameters: { ...where, nodeId: requiredInt, path: text },
    answer: mounts,
  },
  GetFavorites: {
    ...read,
    path: 'getfavorites',
    parameters: { ...where, nodeGroup: text, nodeId: int },
    answer: favorites,
  },
  GetMountPoints: {
    ...read,
    path: 'getmountpoints',
    parameters: { ...where, nodeId: int, nodeGroup: text },
    answer: mounts,
  },
  RemoveExport: {
    ...write,
    path: 'removeexport',
    parameters: {
      ...where,
      nodeId: requiredInt,
      path: requiredText,
      clientNodeId: requiredInt,
      clientPath: requiredText,
    },
    answer: acknowledged,
  },
  RemoveFavorite: {
    ...write,
    path: 'removefavorite',
    parameters: { ...where, path: requiredText, nodeGroup: text, nodeId: int },
    answer: acknowledged,
  },
  RemoveMountPointByGroup: {
    ...write,
    path: 'removemountpointbygroup',
    parameters: { ...where, nodeGroup: requiredText, path: requiredText },
    answer: acknowledged,
  },
  RemoveMountPointById: {
    ...write,
    path: 'removemountpointbyid',
    parameters: { ...where, nodeId: requiredInt, path: requiredText },
    answer: acknowledged,
  },
} as const satisfies Record<string, Operation>;
