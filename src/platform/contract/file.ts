import {
  content,
  flag,
  int,
  type Operation,
  requiredInt,
  requiredText,
  session,
  text,
  type Parameter,
} from './operation';
import { acknowledged, created, fileText, ranOnNodes, listing } from '../wire/files';
import { crossMount, favorites, mounts } from '../wire/environments';

const filter = { ...text, maximumLength: 255 } as const satisfies Parameter;
const where = { envName: requiredText, session } as const;
/** The nodes that an operation acts on. Here it's spelled `nodeid`, elsewhere `nodeId`. */
const nodes = { nodeType: text, nodeGroup: text, masterOnly: flag, nodeid: int } as const;
const read = { area: 'file', effect: 'read', pace: 'files' } as const;
const write = { area: 'file', effect: 'write', pace: 'files' } as const;
const long = { area: 'file', effect: 'write', pace: 'long' } as const;

export const file = {
  Append: {
    ...write,
    path: 'append',
    parameters: { ...where, path: requiredText, body: content, ...nodes },
    answer: acknowledged,
  },
  Copy: {
    ...long,
    path: 'copy',
    parameters: { ...where, src: requiredText, dest: requiredText, ...nodes },
    answer: acknowledged,
  },
  Create: {
    ...write,
    path: 'create',
    parameters: { ...where, path: requiredText, isdir: flag, ...nodes },
    answer: created,
  },
  Delete: { ...long, path: 'delete', parameters: { ...where, path: requiredText, ...nodes }, answer: ranOnNodes },
  GetList: {
    ...read,
    path: 'getlist',
    parameters: { ...where, path: text, nodeType: text, nodeGroup: text, nodeid: int, filter },
    answer: listing,
  },
  Read: {
    ...read,
    path: 'read',
    parameters: { ...where, path: requiredText, nodeType: text, nodeGroup: text, nodeid: int },
    answer: fileText,
  },
  Rename: {
    ...write,
    path: 'rename',
    parameters: { ...where, oldPath: requiredText, newPath: requiredText, ...nodes },
    answer: ranOnNodes,
  },
  ReplaceInBody: {
    ...write,
    path: 'replaceinbody',
    parameters: {
      ...where,
      path: requiredText,
      pattern: { ...requiredText, carries: 'text' },
      replacement: { ...requiredText, carries: 'text', mayBeEmpty: true },
      nth: int,
      ...nodes,
    },
    answer: acknowledged,
  },
  UnpackById: {
    ...long,
    path: 'unpackbyid',
    parameters: { ...where, nodeId: requiredInt, sourcePath: requiredText, destPath: requiredText },
    answer: acknowledged,
  },
  UnpackByType: {
    ...long,
    path: 'unpackbytype',
    parameters: { ...where, nodeType: requiredText, sourcePath: requiredText, destPath: requiredText },
    answer: acknowledged,
  },
  Upload: {
    ...long,
    path: 'upload',
    parameters: {
      ...where,
      sourcePath: { ...requiredText, carries: 'secret' },
      destPath: requiredText,
      ...nodes,
      overwrite: flag,
    },
    answer: ranOnNodes,
  },
  Write: {
    ...write,
    path: 'write',
    parameters: { ...where, path: requiredText, body: content, isAppendMode: flag, ...nodes },
    answer: acknowledged,
  },
} as const satisfies Record<string, Operation>;

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

/** The operations for favorites, mount points and exports, which belong to the same service. */
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
