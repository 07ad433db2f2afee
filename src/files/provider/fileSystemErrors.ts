import { FileSystemError, type Uri } from 'vscode';
import { isPlatformError } from '../../platform/errors';
import { failureMessage } from '../../ui/failureMessages';

/** The code for a path that isn't a folder. */
const notAFolder = 4102;

export function isNotAFolder(error: unknown): boolean {
  return isPlatformError(error) && error.result === notAFolder;
}

/** Converts an error for VS Code. Keeps the message, because VS Code shows it to the user. */
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
