import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Returns the files in a folder that contain a secret in any spelling that programs use, but not the secret. A file that
 * is renamed or removed meanwhile may have its text under another name by then, so the search begins again.
 */
export async function searchSecrets(folder: string, secrets: Iterable<string>): Promise<string[]> {
  const spellings = [...secrets].filter((secret) => secret.length > 3).flatMap(spellingsOf);
  for (let left = 20; ; left--) {
    try {
      return await filesWith(folder, spellings);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || left === 0) throw error;
    }
  }
}

async function filesWith(folder: string, spellings: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = join(entry.parentPath, entry.name);
    const bytes = await readFile(file);
    if (spellings.some((spelling) => bytes.includes(spelling))) found.push(file);
  }
  return found;
}

export function holdsSecret(text: string, secrets: Iterable<string>): boolean {
  return [...secrets]
    .filter((secret) => secret.length > 3)
    .some((secret) => spellingsOf(secret).some((one) => text.includes(one)));
}

function spellingsOf(secret: string): string[] {
  const json = JSON.stringify(secret).slice(1, -1);
  const form = new URLSearchParams([['', secret]]).toString().slice(1);
  const base64 = Buffer.from(secret).toString('base64').replace(/=+$/, '');
  return [...new Set([secret, json, form, encodeURIComponent(secret), base64])];
}
