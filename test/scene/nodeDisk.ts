import { existsSync } from 'node:fs';
import { chmod, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** The files of a node on disk, without the platform. */
export class NodeDisk {
  /** @param find finds the node once the scene has started */
  constructor(private readonly find: () => { readonly id: number; readonly folder: string }) {}

  get id(): number {
    return this.find().id;
  }

  path(path: string): string {
    return join(this.find().folder, path);
  }

  async put(path: string, content: string | Uint8Array, mode?: number): Promise<void> {
    const file = this.path(path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, content);
    if (mode !== undefined) await chmod(file, mode);
  }

  async folder(path: string, mode?: number): Promise<void> {
    await mkdir(this.path(path), { recursive: true });
    if (mode !== undefined) await chmod(this.path(path), mode);
  }

  link(path: string, target: string): Promise<void> {
    return symlink(target, this.path(path));
  }

  /** Removes a file, or a folder with everything in it, if it exists. */
  remove(path: string): Promise<void> {
    return rm(this.path(path), { recursive: true, force: true });
  }

  exists(path: string): boolean {
    return existsSync(this.path(path));
  }

  text(path: string): Promise<string> {
    return readFile(this.path(path), 'utf8');
  }

  bytes(path: string): Promise<Buffer> {
    return readFile(this.path(path));
  }

  /** Returns the sorted names in a folder. */
  async names(path: string): Promise<string[]> {
    return (await readdir(this.path(path))).sort();
  }
}
