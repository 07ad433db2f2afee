import type { NodeOutcome } from './errors';
import { asksForSecondFactor, fieldOf, isJsonObject, type JsonObject, readInteger, readText } from './wire/scalars';

type Opened =
  | { readonly said: 'success'; readonly body: JsonObject }
  | Refusal
  | { readonly said: 'nothing'; readonly why: string };

export interface Refusal {
  readonly said: 'failure';
  readonly result: number;
  readonly reason?: number | undefined;
  readonly source?: string | undefined;
  readonly words?: string | undefined;
  readonly log?: string | undefined;
  readonly nodes: readonly NodeOutcome[];
  /** A rejected sign-in whose response says that a password isn't enough. */
  readonly needsSecondFactor: boolean;
}

export type SuccessRule = 'zero' | 'boolean';

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
    needsSecondFactor: asksForSecondFactor(level),
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
  return said.includes(detail) ? said : `${said.replace(/[\s.:]+$/, '')}: ${detail}`;
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
