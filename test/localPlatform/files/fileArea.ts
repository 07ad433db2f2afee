import { unpackOperations } from '../archives/unpackOperations';
import { mountOperations } from '../mounts/mountOperations';
import { Mounts } from '../mounts/mounts';
import type { Area } from '../operation';
import { upload } from '../uploads/uploadOperation';
import { favoriteOperations } from './favoriteOperations';
import { Favorites } from './favorites';
import { getList } from './getList';
import { logOperations } from './logOperations';
import { textOperations } from './textOperations';
import { treeOperations } from './treeOperations';

/** The twenty-three operations on the files of containers, and those on logs, which aren't in the contract. */
export const openFileArea: Area = async ({ dataFolder }) => {
  const mounts = await Mounts.open(dataFolder);
  const favorites = await Favorites.open(dataFolder);
  return {
    GetList: getList(mounts, favorites),
    Upload: upload(mounts),
    ...textOperations(mounts),
    ...treeOperations(mounts),
    ...favoriteOperations(favorites),
    ...mountOperations(mounts),
    ...unpackOperations(mounts),
    ...logOperations(mounts),
    GetLogs: getList(mounts, favorites),
  };
};
