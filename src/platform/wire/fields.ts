import * as v from 'valibot';
import {
  fieldOf,
  isJsonObject,
  type JsonObject,
  readEnumeration,
  readFlag,
  readInteger,
  readNumber,
  readText,
  readTimestamp,
} from './scalars';

/**
 * Fields of a response. Each may be missing, null or of an unexpected type and then counts as absent. Required fields
 * are wrapped in `needed`, and a list of the wrong type is rejected: something unreadable must never look like
 * something empty.
 */
export const textField = optionalField(readText);
export const intField = optionalField(readInteger);
export const number = optionalField(readNumber);
export const flagField = optionalField(readFlag);
export const time = optionalField(readTimestamp);

export function enumeration<const N extends string>(names: Readonly<Record<N, number>>) {
  return optionalField((value) => readEnumeration(names, value));
}

export const neededText = neededField(readText, 'a text');
export const neededInt = neededField(readInteger, 'a whole number');

export function list<const S extends v.GenericSchema>(item: S) {
  return v.optional(v.array(item), () => []);
}

/**
 * A list in which nothing is repeated: VS Code shows nothing at all of a view that has two rows with the same ID.
 * @param keyOf what identifies an item; `undefined` if nothing does
 */
export function uniqueList<const S extends v.GenericSchema>(item: S, keyOf: (one: v.InferOutput<S>) => unknown) {
  return v.optional(
    v.pipe(
      v.array(item),
      v.transform((all) => {
        const keys = new Set();
        return all.filter((one) => {
          const key = keyOf(one) ?? one;
          const isRepeated = keys.has(key);
          keys.add(key);
          return !isRepeated;
        });
      }),
    ),
    () => [],
  );
}

/** A list of strings. A single string counts as one. */
export const texts = v.optional(
  v.pipe(
    v.unknown(),
    v.transform((value) => (typeof value === 'string' ? [value] : value)),
    v.array(v.pipe(v.unknown(), v.transform(readText), v.string('is no text'))),
  ),
  () => [],
);

/** An object with known fields in any casing. Null fields count as missing. */
export function record<const E extends v.ObjectEntries>(entries: E) {
  return v.pipe(
    v.custom<JsonObject>(isJsonObject, 'is no object'),
    v.transform((object) => knownFields(object, Object.keys(entries))),
    v.object(entries),
  );
}

export function optionalRecord<const E extends v.ObjectEntries>(entries: E) {
  return v.fallback(v.optional(record(entries)), undefined);
}

function knownFields(object: JsonObject, names: readonly string[]): JsonObject {
  const known: [string, unknown][] = [];
  for (const name of names) {
    const value = fieldOf(object, name);
    if (value !== undefined) known.push([name, value]);
  }
  return Object.fromEntries(known);
}

export function optionalField<T>(read: (value: unknown) => T | undefined) {
  return v.optional(v.pipe(v.unknown(), v.transform(read)));
}

function neededField<T>(read: (value: unknown) => T | undefined, what: string) {
  return v.pipe(
    v.unknown(),
    v.transform(read),
    v.custom<T>((value) => value !== undefined, `is not ${what}`),
  );
}

export type ReadContext<T> = { readonly ok: T } | { readonly malformed: string };

/** Converts a response's body to a value. */
export interface AnswerReader<T> {
  read(body: JsonObject, parameters: JsonObject): Promise<ReadContext<T>>;
}

/** Reads a response by a schema. Errors name only the field, because its value could be a secret. */
export function answer<const S extends v.GenericSchema>(schema: S): AnswerReader<v.InferOutput<S>> {
  return {
    read: (body) => {
      const parsed = v.safeParse(schema, body);
      if (parsed.success) return Promise.resolve({ ok: parsed.output });
      const field = v.getDotPath(parsed.issues[0]) ?? 'it';
      return Promise.resolve({ malformed: `${field} cannot be read` });
    },
  };
}
