import { operationsByName } from '../platform/contract';
import { readTimestamp } from '../platform/wire/timestamp';
import { isJsonObject, type JsonObject } from '../platform/wire/scalars';

/** Documented field names of responses. The report shows only these and the names of parameters, because other names may be someone's data. */
const documentedFields = [
  ...'result error reason source debug cpu usage time response responses out errOut exitStatus warnings object'.split(
    ' ',
  ),
  ...'token tokens apiTokens apiList apiListItems tokenTemplate templates description id key createdOn'.split(' '),
  ...'lastUsed expiresAt sessions current host userAgent lastAccess uid behavior roleId tokenPermissions'.split(' '),
  ...'method isCollaborationAccessible isSafe useObjectHash uniqueName name type nodeid nodeId path'.split(' '),
  ...'keywords coreRootPath directoryPathList absolutePath fileType isDir isExported isRoot lastModified'.split(' '),
  ...'length permission protocol sourceHost sourceNodeId sourcePath isDirectory user body'.split(' '),
  ...'favoriteList keyword filter array className creator readOnly sourceAddressType'.split(' '),
  ...'atomicDeploy autoResolveConflict autoupdate branch context hash interval log login project repoHash url'.split(
    ' ',
  ),
  ...'infos env nodes nodeGroups softNodeGroups envName domain shortdomain displayName status right'.split(' '),
  ...'nodeGroup nodeType nodemission ismaster isVcsSupport contextValidatorRegex singleContext deployments'.split(' '),
];
const known = new Set(
  [...documentedFields, ...Object.values(operationsByName).flatMap(({ parameters }) => Object.keys(parameters))].map(
    (name) => name.toLowerCase(),
  ),
);
/** Fields whose keys are data, such as paths. */
const maps = new Set(['keywords', 'object']);
const deepest = 6;

/** Describes a response: field names and kinds of values. Never contains a value, or a name that isn't documented. */
export function shapeOf(value: unknown, depth = 0): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) {
    const shapes = [...new Set(value.slice(0, 50).map((item) => shapeOf(item, depth + 1)))].slice(0, 3);
    return shapes.length === 0 ? 'empty list' : `list of ${shapes.join(' or ')}`;
  }
  if (isJsonObject(value)) return depth >= deepest ? 'object' : shapeOfObject(value, depth);
  if (typeof value === 'string') return shapeOfText(value);
  if (typeof value === 'number') return Number.isInteger(value) ? 'int' : 'number';
  return typeof value;
}

function shapeOfObject(object: JsonObject, depth: number): string {
  const names = Object.keys(object);
  const isShown = (name: string) => known.has(name.toLowerCase());
  const fields = names.filter(isShown).map((name) => {
    const value = object[name];
    const isMap = maps.has(name.toLowerCase()) && isJsonObject(value);
    return `${name}: ${isMap ? shapeOfMap(value, depth) : shapeOf(value, depth + 1)}`;
  });
  const others = names.length - fields.length;
  return `{${[...fields, ...(others === 0 ? [] : [`${others} other`])].join(', ')}}`;
}

function shapeOfMap(map: JsonObject, depth: number): string {
  const keys = Object.keys(map);
  const kinds = new Set(keys.map((key) => (key.startsWith('/') ? 'path' : 'word')));
  const values = new Set(keys.slice(0, 20).map((key) => shapeOf(map[key], depth + 1)));
  return `map of ${[...kinds].join(' and ') || 'nothing'} to ${[...values].slice(0, 3).join(' or ') || 'nothing'}`;
}

function shapeOfText(text: string): string {
  if (text === '') return 'empty text';
  if (/^\d+$/.test(text)) return text.length === 13 ? 'text of 13 digits' : 'text of digits';
  return readTimestamp(text) === undefined ? 'text' : `time as ${text.replace(/\d/g, '9').replace(/[A-Za-z]/g, 'a')}`;
}
