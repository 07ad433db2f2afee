import * as v from 'valibot';
import type { JsonObject } from './scalars';

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
