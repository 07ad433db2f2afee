import type { Event, SecretStorage, SecretStorageChangeEvent } from 'vscode';
import { parseAccounts, type StoredAccount } from './account';

const key = 'gantry.accounts';

export interface AccountStore {
  read(): Promise<readonly StoredAccount[]>;
  /** Writers queue, and each starts from what is stored by then: a change made in another window is not undone. */
  update(change: (accounts: readonly StoredAccount[]) => readonly StoredAccount[]): Promise<void>;
  readonly onDidChange: Event<SecretStorageChangeEvent>;
  concerns(event: SecretStorageChangeEvent): boolean;
}

export function createAccountStore(secrets: SecretStorage): AccountStore {
  let queue: Promise<unknown> = Promise.resolve();

  async function read(): Promise<readonly StoredAccount[]> {
    const text = await secrets.get(key);
    return text === undefined ? [] : (parseAccounts(text) ?? []);
  }

  return {
    read,
    async update(change) {
      const turn = queue.then(async () => {
        await secrets.store(key, JSON.stringify(change(await read())));
      });
      // The next writer's turn comes whether or not this one succeeded; its own caller learns of the failure.
      queue = turn.catch(() => undefined);
      await turn;
    },
    onDidChange: secrets.onDidChange,
    concerns: (event) => event.key === key,
  };
}
