import type { Account, Accounts } from '../accounts/accounts';
import type { CallOptions } from '../platform/client';
import type { FileEntry } from '../platform/wire/fileEntry';
import { PlatformError } from '../platform/errors';
import type { FilePlace } from './place';

/** The file operations of the contract, addressed by place. */
export class Containers {
  constructor(private readonly accounts: Accounts) {}

  account(slug: string): Account {
    const account = this.accounts.find(slug);
    if (account === undefined) {
      throw new PlatformError({ kind: 'unauthenticated', operation: 'sign-in', message: slug });
    }
    return account;
  }

  async list(folder: FilePlace, options?: CallOptions): Promise<readonly FileEntry[]> {
    const where = { ...addressOf(folder), path: folder.path };
    return (await this.account(folder.account).call('GetList', where, options)).entries;
  }

  async read(file: FilePlace, options?: CallOptions): Promise<string> {
    const where = { ...addressOf(file), path: file.path };
    return (await this.account(file.account).call('Read', where, options)).body;
  }

  async write(file: FilePlace, body: string, options?: CallOptions): Promise<void> {
    const where = { ...addressOf(file), path: file.path };
    // Sent explicitly: the contract does not say what leaving it out means.
    const overwriting = { isAppendMode: false };
    await this.account(file.account).call('Write', { ...where, body, ...overwriting }, options);
  }

  /** Refuses what exists. */
  async createFile(file: FilePlace, options?: CallOptions): Promise<void> {
    const where = { ...addressOf(file), path: file.path };
    await this.account(file.account).call('Create', { ...where, isdir: false }, options);
  }

  async createFolder(folder: FilePlace, options?: CallOptions): Promise<void> {
    const where = { ...addressOf(folder), path: folder.path };
    await this.account(folder.account).call('Create', { ...where, isdir: true }, options);
  }

  async delete(place: FilePlace): Promise<void> {
    await this.account(place.account).call('Delete', { ...addressOf(place), path: place.path });
  }

  async rename(from: FilePlace, to: FilePlace): Promise<void> {
    await this.account(from.account).call('Rename', { ...addressOf(from), oldPath: from.path, newPath: to.path });
  }
}

/** How the contract's operations are told where. */
export function addressOf({ environment, target }: FilePlace) {
  const layer = { envName: environment, nodeGroup: target.nodeGroup };
  return target.nodeId === undefined ? layer : { ...layer, nodeid: target.nodeId };
}
