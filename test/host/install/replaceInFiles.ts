import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface TextReplacement {
  /** The path in the folder of VS Code's compiled code. */
  readonly file: string;
  readonly find: RegExp;
  readonly replaceWith: string;
}

export async function replaceInFiles(folder: string, replacements: readonly TextReplacement[]): Promise<void> {
  for (const { file, find, replaceWith } of replacements) {
    const path = join(folder, file);
    const text = await readFile(path, 'utf8');
    const matches = [...text.matchAll(find)].length;
    if (matches !== 1) throw new Error(`${find.source} must match once in ${path}, but matches ${matches} times.`);
    await writeFile(path, text.replace(find, replaceWith));
  }
}
