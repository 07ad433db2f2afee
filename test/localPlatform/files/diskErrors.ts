import { codes, Refusal } from '../refusal';

export const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;

export const pathMissing = (path: string): Refusal => new Refusal(codes.pathMissing, `path [${path}] does not exist`);
export const pathExists = (path: string): Refusal => new Refusal(codes.pathExists, `path [${path}] already exists`);
export const denied = (path: string): Refusal => new Refusal(codes.permissionDenied, `permission denied [${path}]`);
export const notFolder = (path: string): Refusal => new Refusal(codes.notAFolder, `[${path}] is not a directory`);
export const notFile = (path: string): Refusal => new Refusal(codes.unknown, `[${path}] is not a regular file`);
export const diskFull = (): Refusal => new Refusal(codes.diskFull, 'no free disk space');

/** Converts a disk error to the platform's error. Returns unexpected errors unchanged. */
export const refusalOf = (error: unknown, path: string): unknown => {
  switch (codeOf(error)) {
    case 'ENOENT':
      return pathMissing(path);
    case 'EEXIST':
    case 'ENOTEMPTY':
      return pathExists(path);
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return denied(path);
    case 'ENOTDIR':
      return notFolder(path);
    case 'EISDIR':
      return notFile(path);
    case 'ENOSPC':
    case 'EDQUOT':
      return diskFull();
    case 'ENAMETOOLONG':
    case 'EINVAL':
      return new Refusal(codes.invalidParameter, `invalid path [${path}]`);
    default:
      return error;
  }
};
