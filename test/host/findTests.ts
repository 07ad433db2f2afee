import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** All `*.test.ts`, or what ends otherwise, below the folder whose path holds one of the filters, or all of them where there is no filter. */
export function findTests(folder: string, filters: readonly string[], ending = '.test.ts'): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => filters.length === 0 || filters.some((filter) => path.replaceAll('\\', '/').includes(filter)))
    .sort();
}
