import { SharedCalls } from '../async/sharedCalls';

/** What the platform, or another window, says of a token that a call was refused with. */
export type TokenCheck =
  /** The token is good: the call was refused for another reason. */
  | 'accepted'
  /** Another token is stored by now. */
  | 'replaced'
  | 'refused';

/** `notice`: something failed while nobody thought of signing in. `direct`: the person asked to sign in. */
export type Occasion = 'notice' | 'direct';

export interface SignInCoordinatorDeps {
  check(): Promise<TokenCheck>;
  /** Asks the person, until the signal says that it is settled otherwise. */
  ask(occasion: Occasion, signal: AbortSignal): Promise<'signedIn' | 'dismissed'>;
  changed(): void;
}

/** `open`: calls go through. `asking`: they wait. `closed`: the person was asked and declined; nothing is asked again by itself. */
export type SignInState = 'open' | 'asking' | 'closed';

/** What came of finding out and asking; after `replaced` and `signedIn` another token is stored. */
export type Settled = Exclude<TokenCheck, 'refused'> | 'dismissed' | 'signedIn';

/** All calls of an account are about the same token. */
const theToken = 'token';

/** Stands between an account's calls and the person: one question however many calls were refused. */
export class SignInCoordinator {
  private current: SignInState = 'open';
  private readonly settling = new SharedCalls<Settled>();
  private question: AbortController | undefined;

  constructor(private readonly keeper: SignInCoordinatorDeps) {}

  get state(): SignInState {
    return this.current;
  }

  /** Settles when nothing is being asked any more. */
  async passed(): Promise<void> {
    while (this.current === 'asking' && this.settling.get(theToken) !== undefined) {
      await this.settling.get(theToken);
    }
  }

  /** A call was refused: finds out why, and asks the person if need be; all who were refused meanwhile share the answer. */
  refused(): Promise<Settled> {
    return this.settling.share(theToken, () => this.settle('notice'));
  }

  /** The person asks to sign in, perhaps past a notice that waits for an answer. */
  async signIn(): Promise<void> {
    if (this.question === undefined) {
      await this.settling.share(theToken, () => this.settle('direct'));
    } else {
      await this.keeper.ask('direct', this.question.signal);
    }
  }

  /** A new token was stored, here or in another window: whoever waits goes on, and the question goes away. */
  replaced(): void {
    this.question?.abort();
    this.become('open');
  }

  private async settle(occasion: Occasion): Promise<Settled> {
    const verdict = await this.keeper.check();
    if (verdict === 'refused') {
      return this.ask(occasion);
    }
    this.become('open');
    return verdict;
  }

  private async ask(occasion: Occasion): Promise<Settled> {
    const question = new AbortController();
    this.question = question;
    this.become('asking');
    try {
      const settledOtherwise = new Promise<'replaced'>((resolve) =>
        question.signal.addEventListener('abort', () => resolve('replaced'), { once: true }),
      );
      const answer = await Promise.race([this.keeper.ask(occasion, question.signal), settledOtherwise]);
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
      this.keeper.changed();
    }
  }
}
