import { SharedCalls } from '../async/sharedCalls';

/** The result of checking a token after a refused call. */
export type TokenCheck =
  /** The token is valid, so the call was refused for another reason. */
  | 'accepted'
  /** Another token has been stored in the meantime. */
  | 'replaced'
  | 'refused';

/** `notice`: a background call failed. `direct`: the user asked to sign in. */
export type SignInTrigger = 'notice' | 'direct';

/** `open`: calls go through. `asking`: calls wait. `closed`: the user declined and isn't asked again automatically. */
type SignInState = 'open' | 'asking' | 'closed';

/** The outcome of a check and a prompt. After `replaced` and `signedIn`, another token is stored. */
type SignInOutcome = Exclude<TokenCheck, 'refused'> | 'dismissed' | 'signedIn';

/** All calls of an account are about the same token. */
const theToken = 'token';

/** Asks the user to sign in only once, however many calls were refused. */
export class SignInCoordinator {
  private current: SignInState = 'open';
  private readonly settling = new SharedCalls<SignInOutcome>();
  private question: AbortController | undefined;
  /** What the check in progress is for. */
  private trigger: SignInTrigger = 'notice';

  constructor(
    private readonly deps: {
      check(): Promise<TokenCheck>;
      /** Asks the user until the signal reports that it's no longer necessary. */
      ask(occasion: SignInTrigger, signal: AbortSignal): Promise<'signedIn' | 'dismissed'>;
      changed(): void;
    },
  ) {}

  get state(): SignInState {
    return this.current;
  }

  /** Resolves when no prompt is open. */
  async passed(): Promise<void> {
    while (this.current === 'asking' && this.settling.get(theToken) !== undefined) {
      await this.settling.get(theToken);
    }
  }

  /** Checks why a call was refused and asks the user if necessary. Calls refused in the meantime share the result. */
  refused(): Promise<SignInOutcome> {
    return this.settling.share(theToken, () => this.settle('notice'));
  }

  /** Signs in at the user's request, even if a notification is already waiting for an answer. */
  async signIn(): Promise<void> {
    if (this.question === undefined) {
      const settled = this.settling.share(theToken, () => this.settle('direct'));
      // A call's check may be in progress. The user has asked by now, so its question needs no notice.
      this.trigger = 'direct';
      await settled;
    } else {
      await this.deps.ask('direct', this.question.signal);
    }
  }

  /** Releases waiting calls and closes the prompt after a new token was stored in any window. */
  replaced(): void {
    this.question?.abort();
    this.become('open');
  }

  private async settle(trigger: SignInTrigger): Promise<SignInOutcome> {
    this.trigger = trigger;
    const verdict = await this.deps.check();
    if (verdict === 'refused') {
      return this.ask(this.trigger);
    }
    this.become('open');
    return verdict;
  }

  private async ask(occasion: SignInTrigger): Promise<SignInOutcome> {
    const question = new AbortController();
    this.question = question;
    this.become('asking');
    try {
      const settledOtherwise = new Promise<'replaced'>((resolve) =>
        question.signal.addEventListener('abort', () => resolve('replaced'), { once: true }),
      );
      const answer = await Promise.race([this.deps.ask(occasion, question.signal), settledOtherwise]);
      this.become(answer === 'dismissed' ? 'closed' : 'open');
      return answer;
    } catch (error) {
      this.become('closed');
      throw error;
    } finally {
      this.question = undefined;
    }
  }

  private become(state: SignInState): void {
    if (this.current !== state) {
      this.current = state;
      this.deps.changed();
    }
  }
}
