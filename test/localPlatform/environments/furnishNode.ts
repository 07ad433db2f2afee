import { chmod, cp, mkdir, stat, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { LayerDescription } from './environment';

const isFolder = async (path: string): Promise<boolean> => {
  try {
    return (await stat(path)).isDirectory();
  } catch {
    // This layer has no content.
    return false;
  }
};

/** Copies a layer's files into one node's folder: `<layer>`, then `<layer>.<n>` for files of the n-th node only. */
export const furnishNode = async (
  root: string,
  layer: LayerDescription,
  index: number,
  content: string | undefined,
): Promise<void> => {
  if (content !== undefined) {
    for (const source of [join(content, layer.name), join(content, `${layer.name}.${index + 1}`)]) {
      if (await isFolder(source)) await cp(source, root, { recursive: true, verbatimSymlinks: true });
    }
  }
  for (const folder of [...layer.owned, ...layer.folders]) {
    // An owned path can be a file of the sample.
    if (!(await isFolder(join(root, folder)))) await mkdir(join(root, folder), { recursive: true }).catch(ignoreFile);
  }
  for (const [path, target] of Object.entries(layer.links)) {
    await mkdir(join(root, dirname(path)), { recursive: true });
    await symlink(target, join(root, path));
  }
  for (const [path, mode] of Object.entries(layer.modes)) await chmod(join(root, path), Number.parseInt(mode, 8));
};

const ignoreFile = (error: unknown): void => {
  if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
};
