import type { l10n } from 'vscode';
import type { Account } from '../../accounts/accounts';
import type { CheckResult } from '../../compatibility/compatibilityStore';
import { explain } from '../../compatibility/dangers';
import type { Reply } from '../../compatibility/fact';
import { factNames, foundFacts, hasWrittenFacts, missingFacts } from '../../compatibility/facts';
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

/** l10n-dev finds texts only in files that import `l10n`. */
type Localizer = Pick<typeof l10n, 't'>;

/** A report for the user: what works, what is limited, and what is switched off because it isn't safe. */
export function reportText(check: CheckResult, account: string, l10n: Localizer): string {
  const found = foundFacts(check.facts);
  const section = (title: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : [`## ${title}`, '', ...lines.map((line) => `- ${line}`), ''];
  const at = (level: 'works' | 'limited' | 'unsafe') => found.filter((fact) => fact.level === level);
  return [
    `# ${l10n.t('Platform Compatibility: {0}', account)}`,
    '',
    check.hasWritten
      ? l10n.t('Gantry read from the platform, and wrote to a scratch folder that it created for this.')
      : l10n.t('Gantry only read from the platform and changed nothing.'),
    ...(check.isIncomplete ? [l10n.t('The write check ended early.')] : []),
    ...(hasEarlierFacts(check) ? [l10n.t('What only writing shows is from an earlier check.')] : []),
    '',
    ...section(
      l10n.t('Unsafe and turned off'),
      at('unsafe').map((fact) => explain(fact, l10n)),
    ),
    ...section(
      l10n.t('Limited'),
      at('limited').map((fact) => explain(fact, l10n)),
    ),
    ...section(
      l10n.t('Works'),
      at('works').map(({ label }) => label(l10n)),
    ),
    ...section(
      l10n.t("Couldn't be checked"),
      missingFacts(check.facts).map((label) => label(l10n)),
    ),
  ].join('\n');
}

/** Whether the check couldn't find out itself what only writing shows, but it's known. */
function hasEarlierFacts({
  facts,
  hasWritten,
  isIncomplete,
}: Pick<CheckResult, 'facts' | 'hasWritten' | 'isIncomplete'>): boolean {
  return (!hasWritten || isIncomplete) && hasWrittenFacts(facts);
}

/**
 * A report for an issue, in English: the facts by their fixed words, then each request with its code and the shape of
 * its response. Nothing in it comes from a value, a name or an address.
 */
export function redactedReport({ facts, observations, ...check }: CheckResult, version: string): string {
  const found = new Map(foundFacts(facts).map((fact) => [fact.name, fact]));
  const lines = factNames.map((name) => {
    const { word = 'not found out', level = 'works' } = found.get(name) ?? {};
    return `- ${name}: ${word}${level === 'works' ? '' : ` (${level})`}`;
  });
  const steps = observations.map(({ step, code, status, shape, failure }) => {
    const outcome = code === undefined ? (failure ?? 'no code') : `code ${code}`;
    const http = status === undefined || status === 200 ? '' : `, HTTP ${status}`;
    return `- ${step}: ${outcome}${http}${shape === undefined ? '' : `, ${shape}`}`;
  });
  return [
    `# Platform compatibility, Gantry ${version}`,
    '',
    check.hasWritten ? 'Checked by reading and writing.' : 'Checked by reading only.',
    ...(check.isIncomplete ? ['The write check ended early.'] : []),
    ...(hasEarlierFacts({ facts, ...check }) ? ['What only writing shows is from an earlier check.'] : []),
    ...(check.leftFolders > 0 ? [`Scratch folders not removed: ${check.leftFolders}.`] : []),
    '',
    '## Facts',
    '',
    ...lines,
    '',
    '## Requests',
    '',
    ...steps,
    '',
  ].join('\n');
}
