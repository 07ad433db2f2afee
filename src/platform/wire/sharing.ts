import type * as v from 'valibot';
import { enumeration, flag, int, list, neededText, record, text, texts } from './fields';
import { answer } from './answer';

const favorite = record({ id: int, path: neededText, keyword: text, filter: text, isDir: flag });
export const favorites = answer(record({ favoriteList: list(favorite) }));
export type FavoriteEntry = v.InferOutput<typeof favorite>;

const mount = record({
  creator: enumeration({ USER: 0, SYSTEM: 1 }),
  name: text,
  nodeId: int,
  path: neededText,
  protocol: text,
  readOnly: flag,
  sourceAddressType: enumeration({ IP: 0, DOMAIN: 1, NODE_GROUP: 2 }),
  sourceHost: text,
  sourceNodeId: int,
  sourcePath: text,
  type: enumeration({ LOCAL: 0, INTERNAL: 1, EXTERNAL: 2, VIRTUAL: 3 }),
});
export const mounts = answer(record({ array: list(mount), className: text, name: text }));
export type MountEntry = v.InferOutput<typeof mount>;

/** Whether two nodes may share in this direction; `warnings` say why not. */
export const crossMount = answer(record({ object: flag, name: text, warnings: texts }));
