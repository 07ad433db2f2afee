import { openAuthenticationArea } from './accounts/authenticationArea';
import { openControlArea } from './environments/controlArea';
import { openFileArea } from './files/fileArea';
import type { Area, OperationTable } from './operation';
import type { Platform } from './platform';
import { openVcsArea } from './vcs/vcsArea';

/** Everything the platform can do. An area's operations are served as soon as it stands here. */
const areas: readonly Area[] = [openAuthenticationArea, openFileArea, openControlArea, openVcsArea];

export const openAreas = async (platform: Platform): Promise<OperationTable> => {
  const tables: OperationTable[] = [];
  for (const open of areas) tables.push(await open(platform));
  return Object.assign({}, ...tables) as OperationTable;
};
