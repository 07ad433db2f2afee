import assert from 'node:assert/strict';
import { EventEmitter, type SecretStorage, type SecretStorageChangeEvent } from 'vscode';
import type { StoredAccount } from '../../../src/accounts/storedAccount';
import { AccountStore, SignOutMarkers } from '../../../src/accounts/accountStore';
import { type Account, Accounts, type SignInAgainEvent } from '../../../src/accounts/accounts';
import { showNotStored } from '../../../src/accounts/accountNotices';
import { Connections } from '../../../src/accounts/connections';
import { scratchFolder } from '../../host/folders';
import type { NewToken } from '../../localPlatform/accounts/accounts';
import { onStage } from '../../scene/onStage';
import { Scene } from '../../scene/scene';

/** The VS Code storage that all windows of a user share, as far as accounts use it. */
export class Keychain implements SecretStorage {
  readonly values = new Map<string, string>();
  private readonly changed = new EventEmitter<SecretStorageChangeEvent>();
  readonly onDidChange = this.changed.event;
  /** The error that it throws while it is locked. */
  locked: Error | undefined;

  constructor(readonly sharedFolder = scratchFolder('person')) {}

  keys(): Promise<string[]> {
    return Promise.resolve([...this.values.keys()]);
  }

  get(key: string): Promise<string | undefined> {
    return this.locked !== undefined ? Promise.reject(this.locked) : Promise.resolve(this.values.get(key));
  }

  store(key: string, value: string): Promise<void> {
    this.values.set(key, value);
    this.changed.fire({ key });
    return Promise.resolve();
  }

  delete(key: string): Promise<void> {
    this.values.delete(key);
    this.changed.fire({ key });
    return Promise.resolve();
  }
}

type ConnectionSettings = ReturnType<ConstructorParameters<typeof Connections>[0]['settings']>;

const usualSettings: ConnectionSettings = {
  proxy: undefined,
  noProxy: [],
  checkCertificates: true,
  networkStack: 'own',
  transport: 'auto',
  allowPlainHttp: false,
  maxConnections: 32,
  requestTimeouts: {},
};

export type Reply = 'signedIn' | 'dismissed';

/** A window's accounts, with a simulated user. */
export class PersonsAccounts {
  readonly questions: SignInAgainEvent[] = [];
  readonly failures: unknown[] = [];
  readonly connections: Connections;
  readonly markers: SignOutMarkers;
  readonly store: AccountStore;
  readonly accounts: Accounts;
  /** The user's answer. By default, the user never answers. */
  answer: (request: SignInAgainEvent) => Promise<Reply> = () => new Promise(() => undefined);

  constructor(
    readonly keychain = new Keychain(),
    settings: Partial<ConnectionSettings> = {},
  ) {
    this.connections = new Connections({
      settings: () => ({ ...usualSettings, ...settings }),
      log: () => undefined,
      userAgent: 'Gantry',
      fetch,
    });
    this.connections.retryPause = 1;
    this.markers = new SignOutMarkers(keychain.sharedFolder, (error) => this.failures.push(error));
    this.store = new AccountStore(keychain, this.markers, (error) => this.failures.push(error));
    this.accounts = new Accounts({
      store: this.store,
      onNotStored: showNotStored,
      connect: (account: StoredAccount) => this.connections.open(account),
      askToSignInAgain: (request) => {
        this.questions.push(request);
        return this.answer(request);
      },
      report: (error) => this.failures.push(error),
    });
  }

  dispose(): void {
    this.accounts.dispose();
    this.markers.dispose();
    this.connections.dispose();
  }
}

/** A platform, and windows with accounts of their own on it, apart from this window's. They close after each test. */
class AccountScene extends Scene {
  private readonly windows: PersonsAccounts[] = [];

  readonly open = (...given: ConstructorParameters<typeof PersonsAccounts>): PersonsAccounts => {
    const opened = new PersonsAccounts(...given);
    this.windows.push(opened);
    return opened;
  };

  /** Signs in there with an access token that permits this, and returns the account. Requests count from then on. */
  readonly signIn = async ({ accounts }: PersonsAccounts, wanted: NewToken = usualToken): Promise<Account> => {
    const token = await this.platform.createToken(wanted);
    await accounts.add({ slug: 'a', label: 'A', address: this.platform.origin, transport: 'form', token });
    this.platform.journal.reset();
    return accounts.find('a') ?? assert.fail('signed in');
  };

  override async clear(): Promise<void> {
    await super.clear();
    for (const window of this.windows.splice(0)) window.dispose();
  }
}

const usualToken: NewToken = { description: 'test', tokenTemplate: 'IDE Plugins' };

/** Such a scene. Call this in a `describe`: it adds the hooks. */
export function accountScene(): AccountScene {
  return onStage(new AccountScene({ sample: 'environments' }));
}
