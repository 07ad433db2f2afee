import { raceAbort } from '../async/waiting';
import type { CallOptions, InspectOptions, PlatformClient, RawReply } from '../platform/client';
import {
  type AnswerOf,
  methodOf,
  type OperationName,
  operationsByName,
  type SignedInParametersOf,
  uploaderMethod,
} from '../platform/contract';
import { failed } from '../platform/failureTexts';
import { Canceled, type FailedObject, isPlatformError, type PlatformError } from '../platform/errors';
import { type Values, splitLongText } from '../platform/parameters';
import { resultCodes } from '../platform/resultCodes';
import type { Transport } from '../platform/sending/request';
import type { UploadedFile } from '../platform/sending/uploader';
import type { StoredAccount } from './storedAccount';
import { SignInCoordinator } from './signInCoordinator';

export interface AccountCallOptions extends CallOptions {
  /** No one is waiting for this call: if it would have to ask for a sign-in, it fails right away. */
  readonly unattended?: boolean;
  /** Prevents sending the call, also while it waits for a sign-in. Doesn't stop a call that was sent. */
  readonly untilSent?: AbortSignal;
}

/** A signed-in account and its connection to the platform. Its token stays inside this folder. */
export type Account = Pick<
  SignedInAccount,
  | 'slug'
  | 'label'
  | 'address'
  | 'host'
  | 'expiresAt'
  | 'isSignedOut'
  | 'lacks'
  | 'lacking'
  | 'lackedMethods'
  | 'lackOf'
  | 'ensureOffered'
  | 'call'
  | 'pieces'
  | 'upload'
  | 'inspect'
  | 'inspectWithoutToken'
  | 'uploadWithoutToken'
  | 'transport'
>;

export class SignedInAccount {
  readonly gate: SignInCoordinator;
  /** What is known to be lacking, each with the obstacle if it's the platform that lacks it. */
  private readonly lacked = new Map<OperationName | 'Uploader', 'notOffered' | undefined>();
  private removed = false;
  /** A token that isn't valid: the platform answered it as if it were a guest's, and hasn't accepted it since. */
  private guestToken: string | undefined;

  constructor(
    private current: StoredAccount,
    private readonly deps: ConstructorParameters<typeof SignInCoordinator>[0] & {
      connect(account: StoredAccount): PlatformClient;
      rightsChanged(): void;
    },
  ) {
    this.gate = new SignInCoordinator({
      ...deps,
      check: async () => {
        const { guestToken } = this;
        const verdict = await deps.check();
        // The platform may permit the check to guests, too, and what succeeds during it.
        const isGuest = [guestToken, this.guestToken].includes(this.current.token);
        return verdict === 'accepted' && isGuest ? 'refused' : verdict;
      },
    });
    this.noteStoredRights();
  }

  get slug(): string {
    return this.current.slug;
  }

  get label(): string {
    return this.current.label;
  }

  get address(): string {
    return this.current.address;
  }

  /** The address without its scheme, for display. */
  get host(): string {
    return new URL(this.current.address).host;
  }

  get transport(): Transport {
    return this.deps.connect(this.current).transport;
  }

  get expiresAt(): Date | undefined {
    const { expiresAt } = this.current;
    return expiresAt === undefined ? undefined : new Date(expiresAt);
  }

  /** The platform no longer accepts the token, and the user has been notified. */
  get isSignedOut(): boolean {
    return this.removed || this.gate.state !== 'open';
  }

  /** Only for use inside this folder. */
  get stored(): StoredAccount {
    return this.current;
  }

  /** Applies a change to the stored account, made in any window. */
  follow(stored: StoredAccount): void {
    const before = this.current;
    this.current = stored;
    if (stored.token !== before.token || String(stored.lacks) !== String(before.lacks)) {
      this.forgetRights();
    }
    if (stored.token !== before.token) {
      this.gate.replaced();
    }
  }

  /** Ends the account after sign-out: waiting calls fail, and no more requests are sent. */
  end(): void {
    this.removed = true;
    this.gate.replaced();
  }

  /**
   * Whether the platform refused the operation for this token, or doesn't list it for the token, and nothing has
   * changed since.
   */
  lacks(operation: OperationName | 'Uploader'): boolean {
    return this.lacked.has(operation);
  }

  /** Everything that's known to be lacking, in alphabetical order. */
  get lacking(): readonly (OperationName | 'Uploader')[] {
    return [...this.lacked.keys()].sort();
  }

  /** The methods that the token is known to lack, without those that manage tokens, which the password permits. */
  get lackedMethods(): readonly string[] {
    return this.lacking
      .filter((operation) => this.lacked.get(operation) === undefined)
      .flatMap((operation) => {
        if (operation === 'Uploader') {
          return uploaderMethod;
        }
        return operationsByName[operation].area === 'authentication' ? [] : methodOf(operation);
      });
  }

  /** Returns what lacks the operation, if it's known to be lacking. */
  lackOf(operation: OperationName): 'token' | 'platform' | undefined {
    return this.lacks(operation) ? (this.lacked.get(operation) === undefined ? 'token' : 'platform') : undefined;
  }

  /** Fails as the platform did for an operation that's known to be lacking, before the user is asked anything. */
  ensureOffered(operation: OperationName, object: FailedObject): void {
    if (this.lacks(operation)) {
      const [method, obstacle] = [methodOf(operation), this.lacked.get(operation)];
      throw failed({ kind: 'tokenLacksMethod', operation, method, target: this.label, object, obstacle });
    }
  }

  /**
   * Allows refused operations to be tried again, because the token's list may have been edited since. Those that the
   * list lacks are still lacking.
   */
  forgetRights(): void {
    const before = String(this.lacking);
    this.lacked.clear();
    this.noteStoredRights();
    if (String(this.lacking) !== before) {
      this.deps.rightsChanged();
    }
  }

  private noteStoredRights(): void {
    for (const operation of this.current.lacks ?? []) {
      this.lacked.set(operation, undefined);
    }
  }

  call<N extends OperationName>(
    operation: N,
    parameters: SignedInParametersOf<N>,
    options?: AccountCallOptions,
  ): Promise<AnswerOf<N>> {
    return this.attempt(operation, options, ({ token }, client) =>
      client.callAs(token, operation, parameters, options),
    );
  }

  /** Splits a text for writing. One piece, unless texts go into URLs; none if no piece would fit. */
  pieces(parameters: SignedInParametersOf<'Append'>): readonly string[] {
    const { token } = this.current;
    return splitLongText(this.deps.connect(this.current), { ...parameters, session: token });
  }

  upload(
    file: { readonly name: string; readonly bytes: Uint8Array },
    options?: AccountCallOptions,
  ): Promise<UploadedFile> {
    return this.attempt('Uploader', options, ({ token }, client) =>
      client.upload({ ...file, session: token }, options),
    );
  }

  /** Sends one request with the token and returns the response unread, to learn how the platform behaves. */
  async inspect<N extends OperationName>(
    operation: N,
    parameters: SignedInParametersOf<N>,
    options?: Omit<InspectOptions, 'transport'>,
  ): Promise<RawReply> {
    this.demandOpen(operation);
    const values: Values = parameters;
    const { token } = this.current;
    const { signal, deadline, spell } = options ?? {};
    return this.deps
      .connect(this.current)
      .inspect(operation, { ...values, session: token }, { signal, deadline, spell });
  }

  /** The same without the token, with a made-up session or none, so any transport is safe. */
  async inspectWithoutToken(
    operation: OperationName,
    session: string | undefined,
    options?: Omit<InspectOptions, 'spell'>,
  ): Promise<RawReply> {
    this.demandOpen(operation);
    return this.deps.connect(this.current).inspect(operation, { session }, options);
  }

  /** Sends an empty upload with a made-up session, which no platform accepts. Fails with the platform's response. */
  async uploadWithoutToken(session: string, options?: CallOptions): Promise<void> {
    this.demandOpen('Uploader');
    await this.deps.connect(this.current).upload({ session, name: 'check.txt', bytes: new Uint8Array() }, options);
  }

  private noteAccepted(operation: OperationName | 'Uploader', { token }: StoredAccount): void {
    // The answer to a guest would be the same.
    if (this.guestToken === token && operation !== 'GetTokenTemplates') this.guestToken = undefined;
    this.note(operation);
  }

  /** @param accepted whether the platform has just accepted this token elsewhere */
  private noteRefused(error: PlatformError, used: StoredAccount, accepted: boolean): void {
    if (error.obstacle === 'signedOut') {
      this.guestToken = used.token;
    } else if (accepted) {
      throw notShared(error);
    }
  }

  /** Retries until the response isn't about the token. A refused token means that the platform did nothing. */
  private async attempt<T>(
    operation: OperationName | 'Uploader',
    options: AccountCallOptions = {},
    send: (account: StoredAccount, client: PlatformClient) => Promise<T>,
  ): Promise<T> {
    for (let accepted = false; ;) {
      if (this.gate.state === 'asking' && options.unattended !== true) {
        await this.wait(operation, this.gate.passed(), options);
      }
      const used = this.ensureMaySend(operation, options);
      try {
        const answer = await send(used, this.deps.connect(used));
        this.noteAccepted(operation, used);
        return answer;
      } catch (error) {
        if (isPlatformError(error) && error.kind === 'tokenLacksMethod') {
          this.note(operation, error);
        }
        if (!isPlatformError(error) || error.result !== resultCodes.badSession) {
          throw error;
        }
        this.noteRefused(error, used, accepted);
        if (this.current.token === used.token) {
          accepted = await this.settle(operation, error, options);
        }
      }
    }
  }

  /** Returns the account with its current token. Throws if the call can't be sent, or no longer should. */
  private ensureMaySend(operation: string, { untilSent }: AccountCallOptions): StoredAccount {
    this.demandOpen(operation);
    if (untilSent?.aborted === true) {
      throw notSent(operation);
    }
    return this.current;
  }

  /** Returns whether the token is valid after all. Throws if the call can't continue. */
  private async settle(operation: string, refusal: PlatformError, options: AccountCallOptions): Promise<boolean> {
    if (options.unattended === true || this.gate.state === 'closed') {
      throw refusal;
    }
    const settled = await this.wait(operation, this.gate.refused(), options);
    if (settled === 'dismissed') {
      throw refusal;
    }
    return settled === 'accepted';
  }

  private demandOpen(operation: string): void {
    if (this.isSignedOut) {
      throw failed({
        kind: 'unauthenticated',
        operation,
        target: `${this.label}, ${this.host}`,
        obstacle: 'signedOut',
      });
    }
  }

  /** Waits for the user, unless the caller cancels first. */
  private async wait<T>(operation: string, settled: Promise<T>, { signal, untilSent }: AccountCallOptions): Promise<T> {
    const signals = [signal, untilSent].filter((one) => one !== undefined);
    return signals.length === 0 ? settled : raceAbort(settled, AbortSignal.any(signals), notSent(operation));
  }

  private note(operation: OperationName | 'Uploader', refusal?: PlatformError): void {
    const before = this.lacked.size;
    if (refusal === undefined) {
      this.lacked.delete(operation);
    } else {
      this.lacked.set(operation, refusal.obstacle === 'notOffered' ? 'notOffered' : undefined);
    }
    if (this.lacked.size !== before) {
      this.deps.rightsChanged();
    }
  }
}

function notSent(operation: string): Canceled {
  return new Canceled(operation, { isOutcomeUnknown: false });
}

/** The platform returns the same code for an environment that isn't shared and for an expired token. */
function notShared(error: PlatformError): PlatformError {
  const { operation, target = '', result } = error;
  return failed({ kind: 'forbidden', operation, target, result, obstacle: 'notShared', cause: error });
}
