import { openAccountArea } from './accounts/accountArea';
import { openAuthenticationArea } from './accounts/authenticationArea';
import { openControlArea } from './environments/controlArea';
import { openFileArea } from './files/fileArea';
import type { Area, OperationTable } from './operation';
import type { Platform } from './platform';
import { openVcsArea } from './vcs/vcsArea';

/** All areas of the platform. Their operations are available as soon as they are listed here. */
const areas: readonly Area[] = [openAuthenticationArea, openAccountArea, openFileArea, openControlArea, openVcsArea];

export const openAreas = async (platform: Platform): Promise<OperationTable> => {
  const tables: OperationTable[] = [];
  for (const open of areas) tables.push(await open(platform));
  return Object.assign({}, ...tables) as OperationTable;
};
