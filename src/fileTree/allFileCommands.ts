import { clipboardCommands } from './clipboardCommands';
import { compareCommands, type CompareCommandsDeps } from './compareCommands';
import { fileCommands, type FileCommandsDeps } from './fileCommands';
import { folderCommands, type FolderCommandsDeps } from './folderCommands';
import { readOnlyTextCommands } from './readOnlyTextCommands';
import { archiveCommands, type ArchiveCommandsDeps } from './archiveCommands';
import { appendAndReplaceCommands, type AppendAndReplaceDeps } from './appendAndReplaceCommands';
import { transferCommands } from './transferCommands';
import type { PasteFilesDeps } from './pasteFilesFlow';

export type AllFileCommandsDeps = FileCommandsDeps &
  FolderCommandsDeps &
  PasteFilesDeps &
  ArchiveCommandsDeps &
  AppendAndReplaceDeps &
  CompareCommandsDeps;

/** Everything that can be done to files and folders from a row of the Environments view or of VS Code's Explorer. */
export function allFileCommands(parts: AllFileCommandsDeps) {
  return {
    ...fileCommands(parts),
    ...folderCommands(parts),
    ...clipboardCommands(parts.subjects, parts),
    ...transferCommands(parts),
    ...archiveCommands(parts),
    ...appendAndReplaceCommands(parts),
    ...compareCommands(parts),
    ...readOnlyTextCommands(parts),
  };
}
