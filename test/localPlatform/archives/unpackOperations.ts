import { chmod, mkdir, symlink } from 'node:fs/promises';
import { notFolder, refusalOf } from '../files/diskErrors';
import { onEachNode, plainAnswer } from '../files/eachNode';
import { demandChange, own } from '../files/permissions';
import { find, folderOf, locate, type Container } from '../files/place';
import { loadFile, storeFile } from '../files/storeFile';
import type { Mounts } from '../mounts/mounts';
import type { Answer, Call, Handler, OperationTable } from '../operation';
import { badArchive, type ArchiveEntry } from './archiveEntry';
import { readArchive } from './readArchive';

/** Creates a folder and its missing parent folders. */
const makeFolders = async (container: Container, path: string): Promise<void> => {
  const names = path.split('/').filter((name) => name !== '');
  for (let depth = 1; depth <= names.length; depth += 1) {
    const place = locate(container, `/${names.slice(0, depth).join('/')}`, 'followed');
    if (place.stats?.isDirectory() === true) continue;
    if (place.stats !== undefined) throw notFolder(place.shown);
    demandChange(folderOf(container, place));
    await mkdir(place.disk);
    own(place.node, place.path);
  }
};

const parentOf = (path: string): string => path.slice(0, path.lastIndexOf('/'));

const putLink = async (container: Container, path: string, target: string): Promise<void> => {
  const place = locate(container, path, 'itself');
  demandChange(folderOf(container, place));
  try {
    await symlink(target, place.disk);
  } catch (error) {
    throw refusalOf(error, path);
  }
  own(place.node, place.path);
};

/** Writes one entry. Resolves every path inside the container, even behind links from the archive. */
const putEntry = async (container: Container, folder: string, entry: ArchiveEntry): Promise<void> => {
  const path = `${folder}/${entry.path}`;
  await makeFolders(container, parentOf(path));
  switch (entry.kind) {
    case 'folder':
      await makeFolders(container, path);
      return;
    case 'link':
      await putLink(container, path, entry.target);
      return;
    case 'file':
    case 'hardLink': {
      const place = locate(container, path, 'followed');
      const bytes =
        entry.kind === 'file' ? entry.bytes : loadFile(find(container, `${folder}/${entry.target}`, 'followed'));
      await storeFile(container, place, bytes);
      if (place.stats === undefined && entry.kind === 'file') await chmod(place.disk, entry.mode);
    }
  }
};

const unpackOn = async (container: Container, sourcePath: string, destPath: string): Promise<Answer> => {
  const entries = readArchive(loadFile(find(container, sourcePath, 'followed')));
  if (entries.length === 0) throw badArchive('it holds nothing');
  await makeFolders(container, destPath);
  for (const entry of entries) if (entry.path !== '') await putEntry(container, destPath.replace(/\/+$/u, ''), entry);
  return {};
};

const unpack =
  (mounts: Mounts): Handler =>
  async (call: Call) => {
    const [sourcePath, destPath] = [call.parameters.text('sourcePath'), call.parameters.text('destPath')];
    return plainAnswer(
      await onEachNode(call, mounts, call.nodes(), (container) => unpackOn(container, sourcePath, destPath)),
    );
  };

/** They differ only in how they name nodes, which the call has already resolved. */
export const unpackOperations = (mounts: Mounts): OperationTable => ({
  UnpackById: unpack(mounts),
  UnpackByType: unpack(mounts),
});
