import type * as v from 'valibot';
import { answer, enumeration, flagField, intField, list, neededText, record, textField, texts } from './fields';

const favorite = record({ id: intField, path: neededText, keyword: textField, filter: textField, isDir: flagField });
export const favorites = answer(record({ favoriteList: list(favorite) }));
export type FavoriteEntry = v.InferOutput<typeof favorite>;

const mount = record({
  creator: enumeration({ USER: 0, SYSTEM: 1 }),
  name: textField,
  nodeId: intField,
  path: neededText,
  protocol: textField,
  readOnly: flagField,
  sourceAddressType: enumeration({ IP: 0, DOMAIN: 1, NODE_GROUP: 2 }),
  sourceHost: textField,
  sourceNodeId: intField,
  sourcePath: textField,
  type: enumeration({ LOCAL: 0, INTERNAL: 1, EXTERNAL: 2, VIRTUAL: 3 }),
});
export const mounts = answer(record({ array: list(mount), className: textField, name: textField }));
export type MountEntry = v.InferOutput<typeof mount>;

/** Whether two nodes may share in this direction. `warnings` explain why not. */
export const crossMount = answer(record({ object: flagField, name: textField, warnings: texts }));
