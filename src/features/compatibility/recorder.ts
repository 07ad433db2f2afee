import type { Account } from '../../accounts/accounts';
import type { CheckResult } from '../../compatibility/compatibilityStore';
import type { Reply } from '../../compatibility/fact';
import type { RawReply } from '../../platform/client';
import { operationsByName } from '../../platform/contract';
import { openEnvelope } from '../../platform/readReply';
import { isPlatformError, onPlatformError } from '../../platform/errors';
import { isJsonObject, type JsonObject, readTimestamp } from '../../platform/wire/scalars';

export interface ProbeDeps {
  readonly account: Pick<
    Account,
    'call' | 'inspect' | 'inspectWithoutToken' | 'uploadWithoutToken' | 'transport' | 'pieces'
  >;
  readonly signal: AbortSignal;
}

/** Records what each request of a check got. */
export class Recorder {
  readonly observations: CheckResult['observations'] = [];

  /** Returns undefined if there was no response. Canceling and anything unexpected is thrown. */
  async look(step: string, send: () => Promise<RawReply>): Promise<Reply | undefined> {
    try {
      const { status, json, date } = await send();
      const opened = json === undefined ? undefined : openEnvelope(json, 'boolean');
      const code = opened?.said === 'failure' ? opened.result : opened?.said === 'success' ? 0 : undefined;
      const words = opened?.said === 'failure' ? opened.words : undefined;
      this.observations.push({ step, code, status, shape: json === undefined ? 'not JSON' : shapeOf(json) });
      return { code, words, body: isJsonObject(json) ? json : undefined, date, arrivedAt: Date.now() };
    } catch (error) {
      this.noteFailure(step, error);
      return undefined;
    }
  }

  /** Returns whether the work succeeded, or undefined if that isn't known. */
  async attempt(step: string, work: () => Promise<unknown>): Promise<boolean | undefined> {
    try {
      await work();
      this.observations.push({ step, code: 0 });
      return true;
    } catch (error) {
      this.noteFailure(step, error);
      return isPlatformError(error) && error.result !== undefined ? false : undefined;
    }
  }

  private readonly noteFailure = (step: string, error: unknown): void =>
    onPlatformError(({ kind, result, status }) => {
      this.observations.push({ step, code: result, status, failure: result === undefined ? kind : undefined });
    })(error);
}

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
const knownFieldNames = new Set(
  [...documentedFields, ...Object.values(operationsByName).flatMap(({ parameters }) => Object.keys(parameters))].map(
    (name) => name.toLowerCase(),
  ),
);
/** Fields whose keys are data, such as paths. */
const maps = new Set(['keywords', 'object']);
const deepest = 6;

/** Describes a response: field names and kinds of values. Never contains a value, or a name that isn't documented. */
function shapeOf(value: unknown, depth = 0): string {
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
  const isShown = (name: string) => knownFieldNames.has(name.toLowerCase());
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
