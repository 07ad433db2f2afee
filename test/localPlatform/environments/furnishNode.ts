import { chmodSync, cpSync, mkdirSync, statSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { LayerDescription } from './environment';

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

/**
 * Creates one node's folder and copies a layer's files into it: `<layer>`, then `<layer>.<n>` for files of the n-th
 * node only. Works synchronously, because a node of a big account gets its files while a path on it is resolved.
 */
export const furnishNode = (
  root: string,
  layer: LayerDescription,
  index: number,
  content: string | undefined,
): void => {
  mkdirSync(root, { recursive: true });
  if (content !== undefined) {
    for (const source of [join(content, layer.name), join(content, `${layer.name}.${index + 1}`)]) {
      // A layer without content has no folder.
      if (isFolder(source)) cpSync(source, root, { recursive: true, verbatimSymlinks: true });
    }
  }
  for (const folder of [...layer.owned, ...layer.folders]) {
    // An owned path can be a file of the sample.
    if (statSync(join(root, folder), { throwIfNoEntry: false }) === undefined) {
      mkdirSync(join(root, folder), { recursive: true });
    }
  }
  for (const [path, target] of Object.entries(layer.links)) {
    mkdirSync(join(root, dirname(path)), { recursive: true });
    symlinkSync(target, join(root, path));
  }
  for (const [path, mode] of Object.entries(layer.modes)) chmodSync(join(root, path), Number.parseInt(mode, 8));
};
