import type { Account, Accounts } from '../accounts/accounts';
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

  async list(folder: FilePlace): Promise<readonly FileEntry[]> {
    const { entries } = await this.account(folder.account).call('GetList', { ...addressOf(folder), path: folder.path });
    return entries;
  }

  async read(file: FilePlace): Promise<string> {
    return (await this.account(file.account).call('Read', { ...addressOf(file), path: file.path })).body;
  }

  async write(file: FilePlace, body: string): Promise<void> {
    // Sent explicitly: the contract does not say what leaving it out means.
    const overwriting = { isAppendMode: false };
    await this.account(file.account).call('Write', { ...addressOf(file), path: file.path, body, ...overwriting });
  }

  async createFolder(folder: FilePlace): Promise<void> {
    await this.account(folder.account).call('Create', { ...addressOf(folder), path: folder.path, isdir: true });
  }

  async delete(place: FilePlace): Promise<void> {
    await this.account(place.account).call('Delete', { ...addressOf(place), path: place.path });
  }

  async rename(from: FilePlace, to: FilePlace): Promise<void> {
    await this.account(from.account).call('Rename', { ...addressOf(from), oldPath: from.path, newPath: to.path });
  }
}

function addressOf({ environment, target }: FilePlace) {
  const layer = { envName: environment, nodeGroup: target.nodeGroup };
  return target.nodeId === undefined ? layer : { ...layer, nodeid: target.nodeId };
}
