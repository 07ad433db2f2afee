import type { Obstacle, PlatformErrorKind, NodeOutcome } from './errors';
import { kindOfResult, resultCodes } from './resultCodes';
import type { IncomingReply } from './sending/sender';
import type { AnswerReader } from './wire/fields';
import { type JsonObject, asksForSecondFactor, fieldOf, isJsonObject, readInteger, readText } from './wire/scalars';

/** The meaning of a response. `certain` says whether a rejected write definitely didn't happen. */
export type ReadReply<T> =
  | { readonly means: 'value'; readonly value: T }
  | { readonly means: 'refusal'; readonly kind: PlatformErrorKind; readonly refusal: Refusal }
  | {
      readonly means: 'noAnswer';
      readonly kind: PlatformErrorKind;
      readonly detail: string;
      /** The unexpected content. Show it only as a redacted excerpt. */
      readonly content?: string | undefined;
      readonly certain: boolean;
      readonly isTransient: boolean;
      readonly obstacle?: Obstacle | undefined;
    };

export interface Expectation<T> {
  readonly success: SuccessRule;
  readonly answer: AnswerReader<T>;
  readonly parameters: JsonObject;
}

/** Reads a response of any status: JSON from the platform, or HTTP errors and HTML from gateways in front of it. */
export async function readReply<T>(reply: IncomingReply, expected: Expectation<T>): Promise<ReadReply<T>> {
  if (reply.received === 'tooMuch') {
    return noAnswer('tooLarge', reply.status, 'the answer is larger than this can take');
  }
  const text = new TextDecoder().decode(reply.body);
  const json = parseJson(text);
  const opened = json === undefined ? undefined : openEnvelope(json.parsed, expected.success);
  if (opened?.said === 'failure') return refusedBy(opened, reply.status);
  if (reply.status < 200 || reply.status > 299) return byStatus(reply.status, text, reply.location);
  if (opened === undefined) {
    const obstacle = isPage(text) ? 'webPage' : undefined;
    return { ...noAnswer('protocol', reply.status, whatCame(text)), content: titleOf(text), obstacle };
  }
  if (opened.said === 'nothing') return noAnswer('protocol', reply.status, opened.why);
  if (isGuest(opened.body)) {
    const refusal = { said: 'failure', result: resultCodes.badSession, nodes: [], obstacle: 'signedOut' } as const;
    return { means: 'refusal', kind: 'unauthenticated', refusal };
  }
  const reading = await expected.answer.read(opened.body, expected.parameters);
  if ('ok' in reading) return { means: 'value', value: reading.ok };
  return noAnswer('protocol', reply.status, reading.malformed);
}

/** Reads a failure of the platform, or of a proxy in the platform's form. */
function refusedBy<T>(refusal: Refusal, status: number): ReadReply<T> {
  const ofProxy = proxyStatusIn(refusal, status);
  if (ofProxy !== undefined) return byStatus(ofProxy, '', undefined);
  return { means: 'refusal', kind: kindOfRefusal(refusal), refusal };
}

/** Statuses by which a proxy says that it got no response, so the operation may go on behind it. */
const proxyStatuses: ReadonlySet<number> = new Set([502, 503, 504]);

/** Returns the status of a proxy that reports its failure in the platform's form, or instead of what the platform said. */
function proxyStatusIn({ result, nodes }: Refusal, status: number): number | undefined {
  if (nodes.length > 0) return undefined;
  if (proxyStatuses.has(result)) return result;
  const isUnknown = kindOfResult(result) === 'platform' && result !== resultCodes.wrongState;
  return proxyStatuses.has(status) && isUnknown ? status : undefined;
}

/** Whether the platform, or a node, didn't wait for the end of what it was asked for. */
export function mayGoOn({ result, nodes }: Pick<Refusal, 'result' | 'nodes'>): boolean {
  const codes = [result, ...nodes.map((node) => node.result)];
  return codes.some((code) => proxyStatuses.has(code) || kindOfResult(code) === 'timeout');
}

/** A failure without its own code gets its kind from the nodes' codes. */
function kindOfRefusal({ result, words, nodes }: Refusal): PlatformErrorKind {
  const ofNodes = nodes.filter((node) => node.result !== 0).map((node) => kindOfFailure(node.result, node.error));
  const kind = [kindOfFailure(result, words), ...ofNodes].find((one) => one !== 'platform') ?? 'platform';
  // A container that isn't running doesn't explain what failed on another node.
  return kind === 'notRunning' && ofNodes.includes('platform') ? 'platform' : kind;
}

function kindOfFailure(code: number, words = ''): PlatformErrorKind {
  if (code === resultCodes.wrongState) return isAsleep(words) ? 'notRunning' : 'platform';
  return (proxyStatuses.has(code) ? kindsByStatus[code] : undefined) ?? kindOfResult(code);
}

/** Whether an environment has to be started. The platform names its state by a constant, before those that would do. */
function isAsleep(words: string): boolean {
  const [, state = ''] = /ENV_STATUS_TYPE_(\w+)/.exec(words) ?? [];
  return state === 'SLEEP' || state === 'DOWN';
}

const kindsByStatus: Readonly<Record<number, PlatformErrorKind>> = {
  407: 'unreachable',
  408: 'timeout',
  413: 'tooLarge',
  414: 'tooLarge',
  429: 'unreachable',
  431: 'tooLarge',
  500: 'platform',
  502: 'unreachable',
  503: 'unreachable',
  504: 'timeout',
};
const transientStatuses = new Set([429, 502, 503]);

function byStatus<T>(status: number, text: string, location: string | undefined): ReadReply<T> {
  const kind = kindsByStatus[status] ?? (status >= 500 ? 'unreachable' : 'protocol');
  const host = location !== undefined && URL.canParse(location) ? ` to ${new URL(location).host}` : '';
  const detail = status >= 300 && status < 400 ? `it redirects${host}, which is not followed` : `HTTP ${status}`;
  const obstacle = status >= 300 && status < 400 ? 'redirect' : status < 500 && isPage(text) ? 'webPage' : undefined;
  return { ...noAnswer(kind, status, detail), content: titleOf(text), obstacle };
}

/** A gateway error doesn't say whether the operation continues behind it. */
function noAnswer(kind: PlatformErrorKind, status: number, detail: string) {
  const certain = status >= 300 && status < 500 && status !== 408;
  return { means: 'noAnswer', kind, detail, certain, isTransient: transientStatuses.has(status) } as const;
}

/** Some platforms answer an expired session as if it were that of a user with this name. */
function isGuest(body: JsonObject): boolean {
  return ['email', 'login'].some((name) => fieldOf(body, name) === '__GUEST__');
}

function parseJson(text: string): { readonly parsed: unknown } | undefined {
  try {
    return { parsed: JSON.parse(text) };
  } catch {
    // Not JSON. Drop the parser's message, because it quotes the text, which may be a user's file.
    return undefined;
  }
}

function isPage(text: string): boolean {
  return /^\s*</.test(text);
}

function whatCame(text: string): string {
  if (text.trim() === '') return 'it is empty';
  if (isPage(text)) return 'it is a web page';
  return /^\s*[{[]/.test(text) ? 'it ended early' : 'it is no JSON';
}

/** Returns only the title of an HTML page. Other content isn't shown, because it may quote the user's text. */
function titleOf(text: string): string | undefined {
  if (!isPage(text)) return undefined;
  return /<title[^>]*>([^<]{1,300})/i.exec(text.slice(0, 5_000))?.[1]?.replace(/&(\w+|#\d+);/g, characterNamed);
}

const characters: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

function characterNamed(entity: string, name: string): string {
  return characters[name] ?? (/^#\d{1,5}$/.test(name) ? String.fromCharCode(Number(name.slice(1))) : entity);
}

type Opened =
  | { readonly said: 'success'; readonly body: JsonObject }
  | Refusal
  | { readonly said: 'nothing'; readonly why: string };

interface Refusal {
  readonly said: 'failure';
  readonly result: number;
  readonly reason?: number | undefined;
  readonly source?: string | undefined;
  readonly words?: string | undefined;
  readonly log?: string | undefined;
  readonly nodes: readonly NodeOutcome[];
  /** What the response shows for certain: a password isn't enough, or the session ended. */
  readonly obstacle?: Extract<Obstacle, 'secondFactor' | 'signedOut'> | undefined;
}

type SuccessRule = 'zero' | 'boolean';

/** Responses nest, and an outer success can contain an inner failure, so all levels are checked. */
const deepest = 3;

/** Unwraps a response: `result`, `response.result`, and the nodes' `responses[]`. */
export function openEnvelope(answer: unknown, rule: SuccessRule): Opened {
  if (!isJsonObject(answer)) return { said: 'nothing', why: 'it is no JSON object' };
  let body: JsonObject = answer;
  let level: JsonObject = answer;
  let nodes: readonly NodeOutcome[] = [];
  for (let depth = 0; depth < deepest; depth += 1) {
    const result = resultOf(level, depth === 0 ? rule : 'zero');
    if (result === undefined) return { said: 'nothing', why: 'it has no result' };
    const outcomes = nodeOutcomes(fieldOf(level, 'responses'));
    if (outcomes === undefined) return { said: 'nothing', why: 'a node gave no result' };
    nodes = [...nodes, ...outcomes];
    const failed = nodes.find((node) => node.result !== 0);
    if (result !== 0 || failed !== undefined) return refusal(level, failed, result, nodes);
    const inner = fieldOf(level, 'response');
    if (!isJsonObject(inner)) break;
    level = inner;
    body = { ...body, ...inner };
  }
  return { said: 'success', body };
}

function refusal(
  level: JsonObject,
  failed: NodeOutcome | undefined,
  result: number,
  nodes: readonly NodeOutcome[],
): Refusal {
  return {
    said: 'failure',
    result: result === 0 ? (failed?.result ?? result) : result,
    reason: readInteger(fieldOf(level, 'reason')),
    source: readText(fieldOf(level, 'source')),
    words: withDetail(
      result === 0 && failed?.error !== undefined ? '' : readWords(fieldOf(level, 'error')),
      failed?.error,
    ),
    log: readText(fieldOf(level, 'log')),
    nodes,
    obstacle: asksForSecondFactor(level) ? 'secondFactor' : undefined,
  };
}

/** Returns this level's code, 0 for success. Undefined if there is none, which never counts as success. */
function resultOf(level: JsonObject, rule: SuccessRule): number | undefined {
  const result = fieldOf(level, 'result');
  if (rule === 'zero') return readInteger(result);
  if (result === true || result === 'true') return 0;
  if (result === false || result === 'false') return unknownFailure;
  return readInteger(result);
}

/** The platform's code for an unspecified failure. */
const unknownFailure = 99;

function nodeOutcomes(responses: unknown): readonly NodeOutcome[] | undefined {
  if (responses === undefined) return [];
  const outcomes: NodeOutcome[] = [];
  for (const response of Array.isArray(responses) ? responses : [responses]) {
    const outcome = isJsonObject(response) ? nodeOutcome(response) : undefined;
    if (outcome === undefined) return undefined;
    outcomes.push(outcome);
  }
  return outcomes;
}

/** A command with an exit status other than 0 failed on its node, whatever the result next to it says. */
function nodeOutcome(response: JsonObject): NodeOutcome | undefined {
  const exitStatus = readInteger(fieldOf(response, 'exitStatus'));
  const result = readInteger(fieldOf(response, 'result')) ?? exitStatus;
  if (result === undefined) return undefined;
  const isFailure = result !== 0 || (exitStatus !== undefined && exitStatus !== 0);
  return {
    nodeId: readInteger(fieldOf(response, 'nodeId')),
    name: readText(fieldOf(response, 'name')),
    result: result === 0 && isFailure ? unknownFailure : result,
    exitStatus,
    error: nodeWords(response, isFailure),
  };
}

/** A node's own words. The error may be as short as "Failed to start", with the cause only in the command's output. */
function nodeWords(response: JsonObject, isFailure: boolean): string | undefined {
  const [out, errOut] = ['out', 'errOut'].map((name) => readText(fieldOf(response, name))?.trim());
  return withDetail(readWords(fieldOf(response, 'error')), errOut === '' && isFailure ? out : errOut);
}

/** Joins two texts, unless one contains the other. */
function withDetail(words = '', detail = ''): string | undefined {
  const said = words.trim();
  if (detail.includes(said)) return detail === '' ? undefined : detail;
  return said.includes(detail) ? said : `${said.replace(/(?<![\s.:])[\s.:]+$/, '')}: ${detail}`;
}

/**
 * Reads the platform's message, which may be wrapped in lists and objects. If none of the known fields exists, uses
 * every text in it.
 */
function readWords(error: unknown, depth = 0): string | undefined {
  if (depth > deepest || error === null || typeof error !== 'object') return readText(error);
  if (isJsonObject(error)) {
    const named = ['message', 'error', 'errors', 'text'].map((name) => readWords(fieldOf(error, name), depth + 1));
    const words = named.find((one) => one !== undefined);
    if (words !== undefined) return words;
  }
  const all = Object.values(error).flatMap((one: unknown) => {
    const isText = Array.isArray(error) || typeof one === 'string' || typeof one === 'object';
    return isText ? (readWords(one, depth + 1) ?? []) : [];
  });
  return all.length === 0 ? undefined : all.join('; ');
}
