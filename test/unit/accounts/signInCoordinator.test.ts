import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import { SignInCoordinator, type Occasion, type TokenCheck } from '../../../src/accounts/signInCoordinator';

type Reply = 'signedIn' | 'dismissed';

/** Somebody who answers when the test says so. */
class Person {
  readonly asked: Occasion[] = [];
  readonly signals: AbortSignal[] = [];
  verdict: TokenCheck = 'refused';
  changes = 0;
  private replies: ((reply: Reply) => void)[] = [];

  check(): Promise<TokenCheck> {
    return Promise.resolve(this.verdict);
  }

  ask(occasion: Occasion, signal: AbortSignal): Promise<Reply> {
    this.asked.push(occasion);
    this.signals.push(signal);
    return new Promise((resolve) => this.replies.push(resolve));
  }

  changed(): void {
    this.changes += 1;
  }

  answer(reply: Reply): void {
    for (const tell of this.replies.splice(0)) tell(reply);
  }
}

describe('the gate', () => {
  let person: Person;
  let gate: SignInCoordinator;
  /** Until the question has been put: checking takes a turn of the event loop. */
  const asked = () => new Promise((resolve) => setImmediate(resolve));

  beforeEach(() => {
    person = new Person();
    gate = new SignInCoordinator(person);
  });

  it('asks once however many calls were refused, and all of them go on', async () => {
    const refused = Array.from({ length: 20 }, () => gate.refused());
    await asked();
    assert.equal(gate.state, 'asking');
    person.answer('signedIn');
    assert.deepEqual(new Set(await Promise.all(refused)), new Set(['signedIn']));
    assert.deepEqual(person.asked, ['notice']);
    assert.equal(gate.state, 'open');
  });

  it('stays closed once dismissed, until the person asks', async () => {
    const refused = gate.refused();
    await asked();
    person.answer('dismissed');
    assert.equal(await refused, 'dismissed');
    assert.equal(gate.state, 'closed');

    const signingIn = gate.signIn();
    await asked();
    assert.deepEqual(person.asked, ['notice', 'direct']);
    person.answer('signedIn');
    await signingIn;
    assert.equal(gate.state, 'open');
  });

  it('asks nothing where the token is good after all', async () => {
    person.verdict = 'accepted';
    assert.equal(await gate.refused(), 'accepted');
    assert.deepEqual(person.asked, []);
    assert.equal(person.changes, 0);
  });

  it('lets everybody go on, and takes the question away, when another window signed in', async () => {
    const refused = gate.refused();
    await asked();
    gate.replaced();
    assert.equal(await refused, 'replaced');
    assert.deepEqual(
      person.signals.map(({ aborted }) => aborted),
      [true],
    );
    assert.equal(gate.state, 'open');
  });

  it('lets the person sign in past a notice that waits', async () => {
    const refused = gate.refused();
    await asked();
    const signingIn = gate.signIn();
    assert.deepEqual(person.asked, ['notice', 'direct']);
    gate.replaced();
    person.answer('signedIn');
    await signingIn;
    assert.equal(await refused, 'replaced');
  });

  it('opens again when asking itself failed', async () => {
    const failing = new SignInCoordinator({
      check: () => Promise.reject(new Error('no network')),
      ask: () => Promise.reject(new Error('never asked')),
      changed: () => undefined,
    });
    await assert.rejects(failing.refused(), /no network/);
    await assert.rejects(failing.refused(), /no network/);
    assert.equal(failing.state, 'open');
  });
});
