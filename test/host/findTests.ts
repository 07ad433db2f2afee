import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Returns all files below the folder whose names end with `ending`. */
export function findTests(folder: string, ending = '.test.ts'): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}
