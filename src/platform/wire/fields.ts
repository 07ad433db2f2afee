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
} from './scalars';
import { readTimestamp } from './timestamp';

/**
 * Fields of an answer. Everything may be missing, null or of another type than promised: such a field counts as
 * absent. What a caller cannot do without is wrapped in `needed`, and a list that is no list is refused: something
 * that could not be understood must never look like something empty.
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

/** The list of texts, of which a single text is one. */
export const texts = v.optional(
  v.pipe(
    v.unknown(),
    v.transform((value) => (typeof value === 'string' ? [value] : value)),
    v.array(v.pipe(v.unknown(), v.transform(readText), v.string('is no text'))),
  ),
  () => [],
);

/** An object of known fields, found whatever their casing; null fields count as left out. */
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

/** How the body of an answer becomes a value. */
export interface AnswerReader<T> {
  read(body: JsonObject, parameters: JsonObject): Promise<ReadContext<T>>;
}

/** Reads an answer by a schema. What does not fit is told by the name of its field: a value could be a secret. */
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
