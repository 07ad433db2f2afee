import { codes, Refusal } from '../refusal';

/** One entry of an archive. A hard link names another entry of the same archive. */
export type ArchiveEntry = { readonly path: string; readonly mode: number } & (
  | { readonly kind: 'file'; readonly bytes: Buffer }
  | { readonly kind: 'folder' }
  | { readonly kind: 'link'; readonly target: string }
  | { readonly kind: 'hardLink'; readonly target: string }
);

/** No archive may grow beyond this when it is unpacked. */
export const mostBytes = 1024 * 1024 * 1024;

export const badArchive = (why: string): Refusal =>
  new Refusal(codes.badArchive, `the archive cannot be unpacked: ${why}`);

/** Refuses a name that would leave the folder the archive is unpacked in. */
export const safeName = (name: string): string => {
  const parts = name.split('/').filter((part) => part !== '' && part !== '.');
  if (name.startsWith('/') || name.includes('\0') || parts.includes('..')) {
    throw badArchive(`[${name}] leads out of the folder`);
  }
  return parts.join('/');
};
