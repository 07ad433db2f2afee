import { appendCommands } from './appendCommands';
import { archiveCommands } from './archiveCommands';
import { clipboardCommands } from './clipboardCommands';
import { compareCommands } from './compareCommands';
import { fileCommands } from './fileCommands';
import type { FileTreeDeps } from './fileTreeDeps';
import { folderCommands } from './folderCommands';
import { replaceCommands } from './replaceCommands';
import { transferCommands } from './transferCommands';
import { wholeFileCommands } from './wholeFileCommands';

/** Commands for files and folders in the Environments view and VS Code's Explorer. */
export function allFileCommands(deps: FileTreeDeps) {
  return {
    ...fileCommands(deps),
    ...folderCommands(deps),
    ...clipboardCommands(deps),
    ...transferCommands(deps),
    ...wholeFileCommands(deps),
    ...archiveCommands(deps),
    ...appendCommands(deps),
    ...replaceCommands(deps),
    ...compareCommands(deps),
  };
}
