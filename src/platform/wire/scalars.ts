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
