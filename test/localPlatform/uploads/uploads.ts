import { randomUUID } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Where uploaded files can be fetched from, as on the real platform. */
export const downloadPath = '/xssu/rest/download/';

/** Files that were uploaded through the uploader and wait to be fetched by Upload. */
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

  /** Keeps the bytes and returns the path they can be fetched at. */
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
