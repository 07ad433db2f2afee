import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { projectFolder } from './folders';

/** Returns all files below the folder whose names end with `ending`. */
export function findTests(folder: string, ending = '.test.ts'): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

/** Whether the path of a file inside the project contains one of the texts. The folder of the project doesn't matter. */
export function isNamed(file: string, parts: readonly string[]): boolean {
  const path = relative(projectFolder, file).replaceAll('\\', '/');
  return parts.some((part) => path.includes(part));
}
