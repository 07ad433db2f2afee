import { codes, Refusal } from '../refusal';

/** An entry of an archive. A hard link refers to another entry of the same archive. */
export type ArchiveEntry = { readonly path: string; readonly mode: number } & (
  | { readonly kind: 'file'; readonly bytes: Buffer }
  | { readonly kind: 'folder' }
  | { readonly kind: 'link'; readonly target: string }
  | { readonly kind: 'hardLink'; readonly target: string }
);

/** The maximum size of an unpacked archive. */
export const mostBytes = 1024 * 1024 * 1024;

export const badArchive = (why: string): Refusal =>
  new Refusal(codes.badArchive, `the archive cannot be unpacked: ${why}`);

/** Rejects a name that leads outside the target folder. */
export const safeName = (name: string): string => {
  const parts = name.split('/').filter((part) => part !== '' && part !== '.');
  if (name.startsWith('/') || name.includes('\0') || parts.includes('..')) {
    throw badArchive(`[${name}] leads out of the folder`);
  }
  return parts.join('/');
};
