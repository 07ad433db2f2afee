import { FileSystemError, type Uri } from 'vscode';
import { isPlatformError } from '../../platform/errors';
import { failureMessage } from '../../ui/failureMessages';

/** Where a folder is needed and something else stands. */
const notAFolder = 4102;

export function isNotAFolder(error: unknown): boolean {
  return isPlatformError(error) && error.result === notAFolder;
}

/** What VS Code is told of a failure; the message stays, since VS Code shows it to the person. */
export function fileSystemError(error: unknown, uri: Uri): unknown {
  if (!isPlatformError(error)) {
    return error;
  }
  if (isNotAFolder(error)) {
    return FileSystemError.FileNotADirectory(uri);
  }
  switch (error.kind) {
    case 'notFound':
      return FileSystemError.FileNotFound(uri);
    case 'exists':
      return FileSystemError.FileExists(uri);
    case 'forbidden':
    case 'tokenLacksMethod':
      return FileSystemError.NoPermissions(failureMessage(error));
    default:
      return FileSystemError.Unavailable(failureMessage(error));
  }
}
