import { openEnvelope, type Refusal, type SuccessRule } from './envelope';
import type { Obstacle, PlatformErrorKind } from './errors';
import { kindOfResult } from './resultCodes';
import type { IncomingReply } from './sending/sender';
import type { AnswerReader } from './wire/fields';
import type { JsonObject } from './wire/scalars';

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
  if (opened?.said === 'failure') {
    return { means: 'refusal', kind: kindOfRefusal(opened), refusal: opened };
  }
  if (reply.status < 200 || reply.status > 299) return byStatus(reply.status, text, reply.location);
  if (opened === undefined) {
    const obstacle = isPage(text) ? 'webPage' : undefined;
    return { ...noAnswer('protocol', reply.status, whatCame(text)), content: titleOf(text), obstacle };
  }
  if (opened.said === 'nothing') return noAnswer('protocol', reply.status, opened.why);
  const reading = await expected.answer.read(opened.body, expected.parameters);
  if ('ok' in reading) return { means: 'value', value: reading.ok };
  return noAnswer('protocol', reply.status, reading.malformed);
}

/** A failure without its own code gets its kind from the nodes' codes. */
function kindOfRefusal({ result, nodes }: Refusal): PlatformErrorKind {
  const kinds = [result, ...nodes.map((node) => node.result)].filter((code) => code !== 0).map(kindOfResult);
  return kinds.find((kind) => kind !== 'platform') ?? 'platform';
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
