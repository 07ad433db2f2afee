import { chmodSync, constants, copyFileSync } from 'node:fs';
import { chmod, mkdir, readdir, readlink, rm, symlink } from 'node:fs/promises';
import type { Behaviour } from '../behaviour';
import type { Answer } from '../operation';
import { codes, Refusal } from '../refusal';
import { notFile, refusalOf } from './diskErrors';
import { demand, demandChange, own } from './permissions';
import { childOf, folderOf, locate, type Container, type FoundPlace, type Place } from './place';
import { loadFile, putFile } from './storeFile';

const copyCodes = { source: codes.copySourceMissing, dest: codes.copyFolderMissing } as const;

/** Copy has its own error messages for missing paths. */
const locateFor = (end: keyof typeof copyCodes, container: Container, path: string): Place => {
  try {
    return locate(container, path, end === 'source' ? 'followed' : 'itself');
  } catch (error) {
    if (error instanceof Refusal && error.result === codes.pathMissing) {
      throw new Refusal(copyCodes[end], error.message);
    }
    throw error;
  }
};

/**
 * Files up to this size are copied synchronously, because scheduling a thousand small files would take longer than the
 * disk.
 */
const smallFile = 256 * 1024;

const copyFile = async (container: Container, from: FoundPlace, to: Place): Promise<void> => {
  if (!from.stats.isFile()) throw notFile(from.shown);
  demand(from, 'read');
  if (container.disk.full !== undefined || from.stats.size > smallFile) {
    await putFile(container, to, loadFile(from), {});
  } else {
    copyFileSync(from.disk, to.disk, constants.COPYFILE_EXCL);
    own(to.node, to.path);
  }
  chmodSync(to.disk, from.stats.mode & 0o777);
};

const copyTree = async (container: Container, from: FoundPlace, to: Place): Promise<void> => {
  try {
    if (from.stats.isSymbolicLink()) {
      await symlink(await readlink(from.disk), to.disk);
    } else if (from.stats.isDirectory()) {
      demand(from, 'read');
      demand(from, 'search');
      await mkdir(to.disk);
      own(to.node, to.path);
      for (const name of await readdir(from.disk)) {
        const below = (path: string): string => (path === '/' ? `/${name}` : `${path}/${name}`);
        const target = { ...to, shown: below(to.shown), path: below(to.path), disk: below(to.disk), stats: undefined };
        const child = childOf(from, name);
        if (child !== undefined) await copyTree(container, child, target);
      }
      // Last, because a read-only folder couldn't be filled.
      await chmod(to.disk, from.stats.mode & 0o777);
    } else {
      await copyFile(container, from, to);
    }
  } catch (error) {
    throw refusalOf(error, to.shown);
  }
};

/** Copies a file or a tree to a path where nothing exists. Overwrites a file only if the switch says so. */
export const copyPlace = async (
  container: Container,
  src: string,
  dest: string,
  existingTarget: Behaviour['existingTarget'],
): Promise<Answer> => {
  const from = locateFor('source', container, src);
  const { stats } = from;
  if (stats === undefined) throw new Refusal(codes.copySourceMissing, `path [${from.shown}] does not exist`);
  const to = locateFor('dest', container, dest);
  if (to.stats?.isFile() === true && existingTarget === 'overwritten') {
    await rm(to.disk);
  } else if (to.stats !== undefined) {
    const code = to.stats.isDirectory() ? codes.copyTargetExists : codes.copyTargetFileExists;
    throw new Refusal(code, `path [${to.shown}] already exists`);
  }
  if (to.shown.startsWith(`${from.shown}/`) && stats.isDirectory()) {
    throw new Refusal(codes.invalidParameter, `[${from.shown}] cannot be copied into itself`);
  }
  demandChange(folderOf(container, to));
  await copyTree(container, { ...from, stats }, to);
  return {};
};
