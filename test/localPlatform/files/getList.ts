import type { Behaviour } from '../behaviour';
import type { Mounts } from '../mounts/mounts';
import type { Answer, Call, Handler } from '../operation';
import { Refusal } from '../refusal';
import { answeringContainer } from './eachNode';
import type { Favorites } from './favorites';
import { entryOf, listFolder, nameTest, type Entry } from './listFolder';
import { find, type Container } from './place';

const grouped = (entries: readonly Entry[], folder: string, form: Behaviour['listingKeys']): Answer => {
  switch (form) {
    case 'folder':
      return { [folder]: entries };
    case 'single':
      return { files: entries };
    case 'kind':
      return { directories: entries.filter(({ isDir }) => isDir), files: entries.filter(({ isDir }) => !isDir) };
  }
};

const listOfPath = async (container: Container, path: string, call: Call): Promise<Answer> => {
  const { behaviour } = call.platform;
  const isWanted = nameTest(call.parameters.optionalText('filter'), behaviour.filter);
  const folder = find(container, path, 'followed');
  const shown = path.replace(/\/+$/u, '') || '/';
  // A folder behind a link keeps the path of the request.
  const keepsFolders = behaviour.filteredFolders === 'kept';
  const listed = await listFolder(container, folder, behaviour, keepsFolders ? () => true : isWanted);
  const kept = keepsFolders ? listed.filter(({ name, isDir }) => isDir || isWanted(String(name))) : listed;
  const entries = kept.map((entry) => ({
    ...entry,
    absolutePath: `${shown === '/' ? '' : shown}/${String(entry['name'])}`,
  }));
  const self = { ...entryOf(container, folder, behaviour), absolutePath: shown };
  const all = behaviour.listingSelf === 'present' ? [self, ...entries] : entries;
  return { directoryPathList: [shown], keywords: grouped(all, shown, behaviour.listingKeys) };
};

/**
 * Returns the shortcuts of the layer and the account's own favorites with their targets, for a listing without a path.
 */
const listOfShortcuts = (container: Container, favorites: Favorites, call: Call): Answer => {
  const own = favorites.seen({ uid: call.account.uid, envName: container.node.envName, node: container.node });
  const keywords: Record<string, Entry[]> = {};
  for (const { keyword, path } of [...container.node.shortcuts, ...own]) {
    try {
      const entry = entryOf(container, find(container, path, 'followed'), call.platform.behaviour);
      (keywords[keyword] ??= []).push({ ...entry, absolutePath: path });
    } catch (error) {
      // Leaves out a shortcut whose target is gone.
      if (!(error instanceof Refusal)) throw error;
    }
  }
  return {
    directoryPathList: Object.values(keywords).flatMap((entries) => entries.map((entry) => entry.absolutePath)),
    keywords,
  };
};

export const getList =
  (mounts: Mounts, favorites: Favorites): Handler =>
  async (call) => {
    const container = answeringContainer(call, mounts);
    const path = call.parameters.optionalText('path');
    const list =
      path === undefined ? listOfShortcuts(container, favorites, call) : await listOfPath(container, path, call);
    return { coreRootPath: '/', ...list, source: 'JEL' };
  };
