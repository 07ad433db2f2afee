import { readFile, rename, writeFile } from 'node:fs/promises';
import * as v from 'valibot';

/** A piece of the platform's state that survives a restart: change `value`, then `save`. */
export interface Kept<T> {
  value: T;
  save(): Promise<void>;
}

const readText = async (path: string): Promise<string | undefined> => {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
};

/** Opens a JSON file in an existing folder, or starts with `initial`. Saves run one after another and replace the file atomically. */
export const openKept = async <Schema extends v.GenericSchema>(
  path: string,
  schema: Schema,
  initial: v.InferOutput<Schema>,
): Promise<Kept<v.InferOutput<Schema>>> => {
  const text = await readText(path);
  let saving: Promise<void> = Promise.resolve();
  let saved = text;
  const kept = {
    value: text === undefined ? initial : v.parse(schema, JSON.parse(text)),
    save: (): Promise<void> => {
      const write = async (): Promise<void> => {
        const current = JSON.stringify(kept.value, undefined, 2);
        if (current === saved) return;
        await writeFile(`${path}.new`, current, { mode: 0o600 });
        await rename(`${path}.new`, path);
        saved = current;
      };
      saving = saving.then(write, write);
      return saving;
    },
  };
  return kept;
};
