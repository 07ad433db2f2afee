import { clipboardCommands } from './clipboardCommands';
import { compareCommands, type Comparing } from './compareCommands';
import { fileCommands, type FileCommands } from './fileCommands';
import { folderCommands, type FolderCommands } from './folderCommands';
import { readOnlyTextCommands } from './readOnlyTextCommands';
import { serverCommands, type ServerWork } from './archiveCommands';
import { textCommands, type TextWork } from './appendAndReplaceCommands';
import { transferCommands } from './transferCommands';
import type { Transporting } from './pasteFilesFlow';

export type FilesAndFolders = FileCommands & FolderCommands & Transporting & ServerWork & TextWork & Comparing;

/** Everything that can be done to files and folders from a row of the Environments view or of VS Code's Explorer. */
export function filesAndFolders(parts: FilesAndFolders) {
  return {
    ...fileCommands(parts),
    ...folderCommands(parts),
    ...clipboardCommands(parts.subjects, parts),
    ...transferCommands(parts),
    ...serverCommands(parts),
    ...textCommands(parts),
    ...compareCommands(parts),
    ...readOnlyTextCommands(parts),
  };
}
