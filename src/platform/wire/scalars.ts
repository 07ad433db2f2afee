/** Reads single values, tolerating differences between platform releases. Undefined: missing or unreadable. */

export function readText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}

export function readNumber(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

export function readInteger(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? value : undefined;
  if (typeof value !== 'string' || !/^\s*-?\d{1,16}\s*$/.test(value)) return undefined;
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : undefined;
}

export function readFlag(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value;
  if (value === 1) return true;
  if (value === 0) return false;
  return typeof value === 'string' ? flags.get(value.trim().toLowerCase()) : undefined;
}

const flags = new Map([
  ['true', true],
  ['1', true],
  ['yes', true],
  ['false', false],
  ['0', false],
  ['no', false],
]);

/** Reads an enumeration, which arrives as a name, a number, or `NAME(1)`. */
export function readEnumeration<N extends string>(names: Readonly<Record<N, number>>, value: unknown): N | undefined {
  const said = readText(value)?.trim().toUpperCase() ?? '';
  const word = /^(.*)\(\d+\)$/.exec(said)?.[1] ?? said;
  return keysOf(names).find((name) => name.toUpperCase() === word || String(names[name]) === word);
}

function keysOf<N extends string>(names: Readonly<Record<N, number>>): N[] {
  const keys: N[] = [];
  for (const key in names) keys.push(key);
  return keys;
}

export type JsonObject = Readonly<Record<string, unknown>>;

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns a field by name. Prefers the exact spelling, but casing differs between releases. */
export function fieldOf(object: JsonObject, name: string): unknown {
  if (Object.hasOwn(object, name)) return object[name] ?? undefined;
  const wanted = name.toLowerCase();
  const found = Object.keys(object).find((key) => key.toLowerCase() === wanted);
  return found === undefined ? undefined : (object[found] ?? undefined);
}

const authTypes = { BASIC: 0, TFA: 1 } as const;

/** Whether a sign-in response, successful or not, says that the account requires two-factor authentication. */
export function asksForSecondFactor(answer: JsonObject): boolean {
  const config = fieldOf(answer, 'authConfig');
  const types = [fieldOf(answer, 'authType'), isJsonObject(config) ? fieldOf(config, 'type') : undefined];
  const check = fieldOf(answer, 'requiredAuthCheck');
  return (
    types.some((type) => readEnumeration(authTypes, type) === 'TFA') ||
    (isJsonObject(check) && Object.keys(check).length > 0)
  );
}

const written =
  /^(\d{4})-(\d{2})-(\d{2})[ T](\d{2}):(\d{2})(?::(\d{2}))?(?:\.(\d{1,9}))?\s*(Z|UTC|GMT|[+-]\d{2}:?\d{2})?$/i;
/** The format of `Date.toString()` in JavaScript and Java. Without a time zone, it would be read as local time. */
const dateString =
  /^[A-Z][a-z]{2} [A-Z][a-z]{2} \d{1,2} (\d{4} \d{2}:\d{2}:\d{2} (GMT|UTC)[+-]?\d{0,4}( \(.*\))?|\d{2}:\d{2}:\d{2} (GMT|UTC|Z)([+-]\d{4})? \d{4})$/;
const pattern = /^(\d{4})-(\d{2})-(\d{2}) (\d{2}):(\d{2}):(\d{2})$/;
/** Smaller numbers are seconds: as milliseconds, they would be before spring 1973. */
const leastMilliseconds = 100_000_000_000;

/** Parses a time in any known format. Without a time zone, it's UTC. Returns undefined if it can't be read. */
export function readTimestamp(value: unknown): Date | undefined {
  if (typeof value === 'number') return fromNumber(value);
  if (typeof value !== 'string') return undefined;
  const text = value.trim();
  if (/^\d{9,15}$/.test(text)) return fromNumber(Number(text));
  return fromParts(written.exec(text)) ?? (dateString.test(text) ? valid(new Date(text)) : undefined);
}

/** Formats a time for requests: UTC, `yyyy-MM-dd hh:mm:ss`, 24 hours. */
export function writeTimestamp(moment: Date): string {
  return moment.toISOString().slice(0, 19).replace('T', ' ');
}

export function isRequestTimestamp(text: string): boolean {
  if (!pattern.test(text)) return false;
  const moment = readTimestamp(text);
  return moment !== undefined && writeTimestamp(moment) === text;
}

function fromParts(parts: RegExpExecArray | null): Date | undefined {
  if (parts === null) return undefined;
  const [date, time] = [parts.slice(1, 4).join('-'), parts.slice(4, 6).join(':')];
  const [second = '00', fraction = '', zone = 'Z'] = parts.slice(6);
  const milliseconds = fraction.padEnd(3, '0').slice(0, 3);
  const offset = /^[+-]/.test(zone) ? `${zone.slice(0, 3)}:${zone.slice(-2)}` : 'Z';
  return valid(new Date(`${date}T${time}:${second}.${milliseconds}${offset}`));
}

function fromNumber(value: number): Date | undefined {
  return value > 0 ? valid(new Date(value < leastMilliseconds ? value * 1000 : value)) : undefined;
}

function valid(moment: Date): Date | undefined {
  return Number.isNaN(moment.getTime()) ? undefined : moment;
}
