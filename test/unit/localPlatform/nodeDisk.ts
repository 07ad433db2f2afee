import { chmod, mkdir, readFile, readdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { LocalPlatform } from '../../localPlatform/localPlatform';

/** Accesses the files of one node on disk, without the platform. */
export class NodeDisk {
  readonly id: number;
  readonly #root: string;

  constructor(platform: LocalPlatform, nodeGroup: string, index = 0) {
    const node = platform.nodes('demo', nodeGroup)[index];
    if (node === undefined) throw new Error(`demo has no node ${index} in ${nodeGroup}`);
    this.id = node.id;
    this.#root = platform.nodeFolder(node.id);
  }

  path(path: string): string {
    return join(this.#root, path);
  }

  async put(path: string, content: string | Buffer, mode = 0o644): Promise<void> {
    await mkdir(dirname(this.path(path)), { recursive: true });
    await writeFile(this.path(path), content);
    await chmod(this.path(path), mode);
  }

  async folder(path: string, mode = 0o755): Promise<void> {
    await mkdir(this.path(path), { recursive: true });
    await chmod(this.path(path), mode);
  }

  link(path: string, target: string): Promise<void> {
    return symlink(target, this.path(path));
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
