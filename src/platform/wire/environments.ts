import * as v from 'valibot';
import {
  answer,
  enumeration,
  flagField,
  intField,
  list,
  neededInt,
  neededText,
  optionalField,
  optionalRecord,
  record,
  textField,
  texts,
  uniqueList,
} from './fields';
import { fieldOf, isJsonObject, type JsonObject, readEnumeration, readText } from './scalars';

const statuses = {
  running: 1,
  down: 2,
  launching: 3,
  sleeping: 4,
  creating: 6,
  cloning: 7,
  broken: 11,
  updating: 12,
  stopping: 13,
};
/** By its number, or as the platform's own messages name it: `ENV_STATUS_TYPE_SLEEP`. */
const status = optionalField((value) => {
  const said = typeof value === 'string' ? value.trim().replace(/^ENV_STATUS_(?:TYPE_)?/i, '') : value;
  return readEnumeration(statuses, typeof said === 'string' ? said.replace(/^sleep\b/i, 'sleeping') : said);
});

/** A layer's deployment. Every field is optional, because there's no public example with content. */
const deployment = record({ context: textField, name: textField, type: textField, url: textField, branch: textField });
const nodeGroup = record({ name: neededText, displayName: textField, deployments: list(deployment) });
const node = record({
  id: neededInt,
  name: textField,
  nodeGroup: neededText,
  nodeType: textField,
  displayName: textField,
  nodemission: textField,
  ismaster: flagField,
  isVcsSupport: flagField,
  status: intField,
  contextValidatorRegex: textField,
  singleContext: flagField,
  url: textField,
});

const entry = record({
  envName: neededText,
  domain: textField,
  shortdomain: textField,
  displayName: textField,
  sslstate: flagField,
  status,
  right: textField,
  /** The owner's ID. */
  uid: intField,
  nodeGroups: list(nodeGroup),
  nodes: uniqueList(node, ({ id }) => id),
});

const described = v.pipe(v.unknown(), v.transform(flattened), entry);
export const environment = answer(described);

export const environments = answer(
  v.pipe(
    v.unknown(),
    v.transform((body) => (isJsonObject(body) ? { environments: fieldOf(body, 'infos') } : body)),
    record({ environments: uniqueList(described, ({ envName }) => envName) }),
  ),
);

/**
 * Work in progress, by environment. A missing list doesn't count as an empty one, which would mean that nothing is
 * running.
 */
export const currentActions = answer(
  record({ array: v.array(record({ text: optionalRecord({ env: textField }) }), 'is no list') }),
);

/** Merges `env`, where the platform keeps the environment's own fields, with its nodes. */
function flattened(value: unknown): unknown {
  if (!isJsonObject(value)) return value;
  const body: JsonObject = value;
  const env = fieldOf(body, 'env');
  if (!isJsonObject(env)) return body;
  return {
    ...env,
    nodes: fieldOf(body, 'nodes'),
    nodeGroups: layersIn(body, env),
    right: fieldOf(body, 'right'),
  };
}

/** Some releases return the layers as `softNodeGroups`. */
function layersIn(body: JsonObject, env: JsonObject): unknown {
  const listed = [fieldOf(body, 'nodeGroups'), fieldOf(body, 'softNodeGroups'), fieldOf(env, 'softNodeGroups')];
  return listed.find((groups) => !isEmpty(groups));
}

function isEmpty(groups: unknown): boolean {
  return groups === undefined || (Array.isArray(groups) && groups.length === 0);
}

/** The variables of a container: its names and values. Errors don't quote them, because values can be secrets. */
export const containerVariables = answer(
  record({
    object: v.pipe(
      v.unknown(),
      v.transform((object) => (isJsonObject(object) ? namesAndValues(object) : undefined)),
      v.custom<ReadonlyMap<string, string>>((variables) => variables !== undefined, 'is no map of texts'),
    ),
  }),
);

/** Returns undefined if a value isn't a text, because something unreadable must never look like something empty. */
function namesAndValues(object: Readonly<Record<string, unknown>>): ReadonlyMap<string, string> | undefined {
  const values = new Map<string, string>();
  for (const [name, value] of Object.entries(object)) {
    const text = value === null ? '' : readText(value);
    if (text === undefined) return undefined;
    values.set(name, text);
  }
  return values;
}

const favorite = record({ id: intField, path: neededText, keyword: textField, filter: textField, isDir: flagField });
export const favorites = answer(record({ favoriteList: uniqueList(favorite, (one) => one.id ?? JSON.stringify(one)) }));
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
export const mounts = answer(
  record({ array: uniqueList(mount, JSON.stringify), className: textField, name: textField }),
);
export type MountEntry = v.InferOutput<typeof mount>;

/** Whether two nodes may share in this direction. `warnings` explain why not. */
export const crossMount = answer(record({ object: flagField, name: textField, warnings: texts }));
