import { type Disposable, EventEmitter } from 'vscode';
import type { CallOptions, PlatformClient } from '../platform/client';
import type { AnswerOf, OperationName, SignedInParametersOf } from '../platform/contract';
import type { UploadedFile } from '../platform/uploader';
import type { StoredAccount } from './account';
import type { AccountStore } from './accountStore';

/** A signed-in account: who it is, and the way to call its platform. Its token does not leave this room. */
export interface Account {
  readonly slug: string;
  readonly label: string;
  readonly address: string;
  call<N extends OperationName>(
    operation: N,
    parameters: SignedInParametersOf<N>,
    options?: CallOptions,
  ): Promise<AnswerOf<N>>;
  /** Puts bytes on the platform, from where the operation Upload can fetch them. */
  upload(name: string, bytes: Uint8Array, options?: CallOptions): Promise<UploadedFile>;
}

export type AccountsState =
  { readonly kind: 'loading' } | { readonly kind: 'loaded'; readonly accounts: readonly Account[] };

/** The accounts signed in to, the same in every window. */
export class Accounts implements Disposable {
  private current: AccountsState = { kind: 'loading' };
  private readonly changed = new EventEmitter<AccountsState>();
  private readonly watching: Disposable;
  readonly onDidChange = this.changed.event;
  /** Settles when the stored accounts have been read for the first time. */
  readonly loaded: Promise<void>;

  constructor(
    private readonly store: AccountStore,
    private readonly connect: (account: StoredAccount) => PlatformClient,
  ) {
    this.watching = store.onDidChange((event) => {
      if (store.concerns(event)) {
        void this.load();
      }
    });
    this.loaded = this.load();
  }

  get state(): AccountsState {
    return this.current;
  }

  get list(): readonly Account[] {
    return this.current.kind === 'loaded' ? this.current.accounts : [];
  }

  find(slug: string): Account | undefined {
    return this.list.find((account) => account.slug === slug);
  }

  async add(account: StoredAccount): Promise<void> {
    await this.store.update((accounts) => [...accounts.filter(({ slug }) => slug !== account.slug), account]);
    await this.load();
  }

  async remove(slug: string): Promise<void> {
    await this.store.update((accounts) => accounts.filter((account) => account.slug !== slug));
    await this.load();
  }

  dispose(): void {
    this.watching.dispose();
    this.changed.dispose();
  }

  private async load(): Promise<void> {
    const stored = await this.store.read();
    this.current = { kind: 'loaded', accounts: stored.map((account) => this.open(account)) };
    this.changed.fire(this.current);
  }

  private open(stored: StoredAccount): Account {
    const client = this.connect(stored);
    return {
      slug: stored.slug,
      label: stored.label,
      address: stored.address,
      call: (operation, parameters, options) => client.callAs(stored.token, operation, parameters, options),
      upload: (name, bytes, options) => client.upload({ session: stored.token, name, bytes }, options),
    };
  }
}
