import type { Call, OperationTable } from '../operation';
import { codes, Refusal } from '../refusal';
import { pathExists, pathMissing } from './diskErrors';
import type { Favorites, FavoriteScope } from './favorites';
import { nameOf, nameTest } from './listFolder';

const scopeOf = (call: Call): FavoriteScope => {
  const { envName } = call.environment();
  const { parameters, account } = call;
  const node = parameters.has('nodeId') ? call.nodes()[0] : undefined;
  const nodeGroup = parameters.optionalText('nodeGroup');
  if (nodeGroup !== undefined) call.nodes();
  return {
    uid: account.uid,
    envName,
    ...(node === undefined ? {} : { node }),
    ...(nodeGroup === undefined ? {} : { nodeGroup }),
  };
};

const absolutePath = (call: Call): string => {
  const path = call.parameters.text('path');
  if (path === '') throw new Refusal(codes.pathNotDefined, 'path is not defined');
  if (!path.startsWith('/')) throw new Refusal(codes.invalidParameter, 'invalid parameter [path]');
  return path.replace(/\/+$/u, '') || '/';
};

export const favoriteOperations = (favorites: Favorites): OperationTable => ({
  AddFavorite: async (call) => {
    const { uid, envName, node, nodeGroup } = scopeOf(call);
    const path = absolutePath(call);
    const filter = call.parameters.optionalText('filter');
    nameTest(filter, call.platform.behaviour.filter);
    const added = await favorites.add({
      uid,
      envName,
      ...(node === undefined ? {} : { nodeId: node.id }),
      ...(nodeGroup === undefined ? {} : { nodeGroup }),
      path,
      keyword: call.parameters.optionalText('keyword') ?? (nameOf(path) || '/'),
      ...(filter === undefined ? {} : { filter }),
      isDir: call.parameters.flag('isDir') ?? false,
    });
    if (added === undefined) throw pathExists(path);
    return { source: 'JEL' };
  },

  GetFavorites: (call) => {
    const rows = favorites.seen(scopeOf(call));
    const favoriteList = rows.map(({ id, path, keyword, filter, isDir }) => ({ id, path, keyword, filter, isDir }));
    return Promise.resolve({ favoriteList, source: 'JEL' });
  },

  RemoveFavorite: async (call) => {
    const path = absolutePath(call);
    if ((await favorites.remove(scopeOf(call), path)) === 0) throw pathMissing(path);
    return { source: 'JEL' };
  },
});
