import type { PlatformAddress } from './address';
import { operations, type ParametersOf } from './contract';
import type { Operation, Parameter } from './contract/operation';
import type { FailedObject } from './errors';
import { areas, encodedLength, encodeQuery, longestUrl, type Pair, type Transport } from './sending/request';
import type { Confidential } from './redact';
import { isJsonObject, isRequestTimestamp } from './wire/scalars';

export type Values = Readonly<Record<string, string | number | boolean | undefined>>;

/** Half of a surrogate pair, which no encoding can send. A replacement character would silently change the text. */
const loneSurrogate = /\p{Surrogate}/u;

/** Encodes a call's values, or explains which ones violate the contract. */
export function encodeParameters(
  operation: Operation,
  values: Values,
): { readonly ok: readonly Pair[] } | { readonly problem: string } {
  const unknown = Object.keys(values).find((name) => !Object.hasOwn(operation.parameters, name));
  if (unknown !== undefined) return { problem: `it takes no parameter ${unknown}` };
  const pairs: Pair[] = [];
  for (const [name, parameter] of Object.entries(operation.parameters)) {
    const value = values[name];
    const problem = problemWith(parameter, value);
    if (problem !== undefined) return { problem: `${name} ${problem}` };
    if (value !== undefined) pairs.push([name, String(value)]);
  }
  return { ok: pairs };
}

/** Returns a call's confidential values, to redact from everything written about it. */
export function confidentialIn(operation: Operation, values: Values): Confidential {
  const carrying = (what: Parameter['carries']): string[] =>
    Object.entries(operation.parameters)
      .filter(([, parameter]) => parameter.carries === what)
      .map(([name]) => String(values[name] ?? ''))
      .filter((value) => value !== '');
  const variables = carrying('variables');
  return {
    secrets: [...carrying('secret'), ...Object.values(values).flatMap(loginIn)],
    texts: [...carrying('text'), ...variables, ...variables.flatMap(valuesIn)],
  };
}

/** Returns the values of a JSON object, because a response may quote a single one. */
function valuesIn(json: string): readonly string[] {
  try {
    const object: unknown = JSON.parse(json);
    return isJsonObject(object) ? Object.values(object).filter((value) => typeof value === 'string') : [];
  } catch {
    // Not JSON. The whole text is confidential anyway.
    return [];
  }
}

/**
 * Returns the credentials in a URL: a password, which may contain an @, or a token alone, which is longer than most user
 * names.
 */
function loginIn(value: string | number | boolean | undefined): readonly string[] {
  const [, userInfo = ''] = typeof value === 'string' ? (/^[\w+.-]+:\/\/([^/\s]+)@/.exec(value) ?? []) : [];
  const colon = userInfo.indexOf(':');
  if (colon >= 0) return [userInfo, userInfo.slice(colon + 1)];
  return userInfo.length > 12 ? [userInfo] : [];
}

function problemWith(parameter: Parameter, value: string | number | boolean | undefined): string | undefined {
  if (value === undefined || value === '') {
    if (!parameter.required || (value === '' && parameter.mayBeEmpty === true)) return undefined;
    return 'is required';
  }
  switch (parameter.type) {
    case 'int':
      return Number.isSafeInteger(value) ? undefined : 'must be a whole number';
    case 'boolean':
      return typeof value === 'boolean' ? undefined : 'must be true or false';
    case 'string':
      return typeof value === 'string' ? problemWithText(parameter, value) : 'must be a text';
  }
}

function problemWithText({ values, maximumLength, form }: Parameter, value: string): string | undefined {
  if (loneSurrogate.test(value)) return 'holds half a character, which cannot be sent';
  if (values !== undefined && !values.includes(value)) return `must be one of ${values.join(', ')}`;
  if (maximumLength !== undefined && value.length > maximumLength) {
    return `may have ${maximumLength} characters and has ${value.length}`;
  }
  if (form === 'utc' && !isRequestTimestamp(value)) return 'must be a time in UTC, written yyyy-MM-dd hh:mm:ss';
  return undefined;
}

/** The longer of the two operation names, plus the parameter that only `Write` needs. */
const reserve = 'append'.length + '&isAppendMode=false'.length;

/**
 * Splits a text so that each piece fits into one request: send the first with Write and the rest, in order, with
 * Append. In between the file is incomplete, so callers that get more than one piece must warn the user first. In form
 * mode there's always one. Returns none if the parameters alone are too long for any piece.
 */
export function splitLongText(
  { address, transport }: { readonly address: PlatformAddress; readonly transport: Transport },
  { body = '', ...place }: ParametersOf<'Append'>,
): readonly string[] {
  if (transport === 'form') return [body];
  const pairs = Object.entries({ ...place, body: '' })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]): [string, string] => [name, String(value)]);
  const empty = `${address.baseUrl}/${areas.file}/${operations.Write.path}?${encodeQuery(pairs)}`;
  const room = longestUrl - empty.length - reserve;
  const longestCharacter = encodedLength(0x10ffff);
  return room < longestCharacter ? [] : cut(body, room);
}

/** Cuts between whole characters when their encoded length reaches the limit. Encoding happens on send. */
function cut(text: string, room: number): readonly string[] {
  const pieces: string[] = [];
  let start = 0;
  let length = 0;
  for (let at = 0; at < text.length;) {
    const character = text.codePointAt(at) ?? 0;
    const more = encodedLength(character);
    if (length + more > room) {
      pieces.push(text.slice(start, at));
      start = at;
      length = 0;
    }
    length += more;
    at += character > 0xffff ? 2 : 1;
  }
  return [...pieces, text.slice(start)];
}

const placeNames = ['envName', 'nodeGroup', 'nodeType', 'nodeid', 'nodeId', 'context', 'oldcontext'] as const;
const pathNames = ['path', 'src', 'oldPath', 'dest', 'newPath', 'destPath'] as const;

/** Describes a call for messages and logs: environment, layer or node, and path. Never includes a secret or a text. */
export function targetOf(values: Values): string {
  const placed = placeNames.map((name) => values[name]).filter((value) => value !== undefined);
  const paths = pathNames.map((name) => values[name]).filter((value) => value !== undefined);
  return [placed.join('/'), paths.join(' → ')].filter((part) => part !== '').join(' ');
}

/** What people call an environment and its layers. */
export interface DisplayNames {
  readonly environment: (name: string) => string;
  /** Returns `undefined` if the name isn't known. The ID is no substitute, because people never see it. */
  readonly layer: (environment: string, id: string) => string | undefined;
}

interface ObjectWords {
  readonly clean: (words: string) => string;
  readonly names?: DisplayNames | undefined;
}

/** Returns the archive of a call, unless it contains a secret. */
function sourceIn({ sourcePath }: Values, clean: ObjectWords['clean']): string | undefined {
  return sourcePath !== undefined && clean(String(sourcePath)) === sourcePath ? sourcePath : undefined;
}

/** Returns what a call is about, for messages. Of two paths, the one that exists already. */
export function objectOf(values: Values, { clean, names }: ObjectWords): FailedObject {
  const text = (...names: readonly string[]) => {
    const value = names.map((name) => values[name]).find((one) => one !== undefined);
    return value === undefined ? undefined : clean(String(value));
  };
  const nodeId = Number(text('nodeid', 'nodeId'));
  const [environment, layer] = [text('envName'), text('nodeGroup', 'nodeType')];
  const isKnown = environment !== undefined && layer !== undefined;
  return {
    environment: environment === undefined ? undefined : (names?.environment(environment) ?? environment),
    layer: isKnown ? names?.layer(environment, layer) : undefined,
    nodeId: Number.isNaN(nodeId) ? undefined : nodeId,
    context: text('context', 'oldcontext'),
    path: text('path', 'src', 'oldPath') ?? sourceIn(values, clean),
  };
}
