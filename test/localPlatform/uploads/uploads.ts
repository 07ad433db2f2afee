import { randomUUID } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The URL path of uploaded files, as on the real platform. */
export const downloadPath = '/xssu/rest/download/';

/** Files from the uploader that Upload can fetch. */
export class Uploads {
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  static async open(dataFolder: string): Promise<Uploads> {
    const folder = join(dataFolder, 'uploads');
    await mkdir(folder, { recursive: true });
    return new Uploads(folder);
  }

  /** Stores the bytes and returns their URL path. */
  async add(bytes: Buffer): Promise<string> {
    const id = randomUUID();
    await writeFile(join(this.#folder, id), bytes, { mode: 0o600 });
    return downloadPath + id;
  }

  async find(path: string): Promise<Buffer | undefined> {
    const id = path.slice(downloadPath.length);
    if (!/^[0-9a-f-]{36}$/u.test(id)) return undefined;
    try {
      return await readFile(join(this.#folder, id));
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
      throw error;
    }
  }
}
