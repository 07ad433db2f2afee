import * as v from 'valibot';
import { answer, record } from './fields';
import { isJsonObject, readText } from './scalars';

/** The variables of a container: its names and values. Errors don't quote them, because values can be secrets. */
export const containerVariables = answer(
  record({
    object: v.pipe(
      v.unknown(),
      v.transform((object) => (isJsonObject(object) ? namesAndValues(object) : undefined)),
      v.custom<ReadonlyMap<string, string>>((variables) => variables !== undefined, 'is no map of texts'),
    ),
  }),
);

/** Returns undefined if a value isn't a text, because something unreadable must never look like something empty. */
function namesAndValues(object: Readonly<Record<string, unknown>>): ReadonlyMap<string, string> | undefined {
  const values = new Map<string, string>();
  for (const [name, value] of Object.entries(object)) {
    const text = value === null ? '' : readText(value);
    if (text === undefined) return undefined;
    values.set(name, text);
  }
  return values;
}
