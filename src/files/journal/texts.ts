import { randomUUID } from 'node:crypto';
import { readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { digestOf, flushFile, unlessMissing, writeWhole } from '../../storage/jsonFolder';
import type { KeptText } from './entry';

/** Follows the digest in the name of a text that no record seems to have. */
const aside = '-';

export function digestOfText(text: string): string {
  return digestOf(JSON.stringify(text));
}

/** The texts of an account, each in a file that is named for its digest. Windows share them without waiting for each other. */
export class Texts {
  constructor(private readonly folder: string) {}

  /** Writes the text unless its file has it: the file may be damaged. With `flush`, the text survives a loss of power. */
  async store(text: string, options: { readonly flush: boolean }): Promise<KeptText> {
    const json = JSON.stringify(text);
    const digest = digestOf(json);
    const isThere = (await this.readFile(digest)) === json;
    // Another window may put it aside before it's flushed.
    if (!isThere || (options.flush && !(await flushFile(this.fileOf(digest))))) {
      await writeWhole(this.fileOf(digest), json, options);
    }
    return { digest, bytes: Buffer.byteLength(json) };
  }

  async has({ digest }: KeptText): Promise<boolean> {
    return (await unlessMissing(stat(this.fileOf(digest)))) !== undefined;
  }

  /** Returns a text, or `undefined` if it isn't kept anymore. Calls back if it's damaged. */
  async read({ digest }: KeptText, onDamage: () => void): Promise<string | undefined> {
    const json = (await this.readFile(digest)) ?? (await this.readAside(digest)) ?? (await this.readFile(digest));
    const text: unknown = json !== undefined && digestOf(json) === digest ? JSON.parse(json) : undefined;
    if (typeof text === 'string') {
      return text;
    }
    if (json !== undefined) {
      onDamage();
    }
    return undefined;
  }

  /**
   * Removes what no record has. Each is renamed first. A record that another window adds until then is found when the logs
   * are read again. After adding one later, that window misses the text, and stores it again.
   *
   * @param used reads all logs
   * @param among only these
   */
  async removeUnused(
    used: () => Promise<Pick<ReadonlySet<string>, 'has'>>,
    among?: ReadonlySet<string>,
  ): Promise<void> {
    const seemUsed = await used();
    for (const name of among ?? (await this.names())) {
      if (!/\W/.test(name) && !seemUsed.has(name)) {
        await this.move(name, `${name}${aside}${randomUUID()}`);
      }
    }
    // Also those of a window that was closed at this point.
    const renamed = (await this.names()).filter((name) => name.includes(aside) && !name.includes('.'));
    const isUsed = await used();
    for (const name of renamed) {
      const [digest = ''] = name.split(aside);
      await (isUsed.has(digest) ? this.move(name, digest) : rm(this.fileOf(name), { force: true }));
    }
  }

  private async readAside(digest: string): Promise<string | undefined> {
    const name = (await this.names()).find((one) => one.startsWith(digest + aside));
    return name === undefined ? undefined : this.readFile(name);
  }

  private readFile(name: string): Promise<string | undefined> {
    return unlessMissing(readFile(this.fileOf(name), 'utf8'));
  }

  private async names(): Promise<readonly string[]> {
    return (await unlessMissing(readdir(this.folder))) ?? [];
  }

  private async move(from: string, to: string): Promise<void> {
    await unlessMissing(rename(this.fileOf(from), this.fileOf(to)));
  }

  private fileOf(name: string): string {
    return join(this.folder, name);
  }
}
