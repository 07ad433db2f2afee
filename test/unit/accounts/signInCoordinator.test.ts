import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import { SignInCoordinator, type SignInTrigger, type TokenCheck } from '../../../src/accounts/signInCoordinator';

type Reply = 'signedIn' | 'dismissed';

/** A simulated user who answers when the test says so. */
class Person {
  readonly asked: SignInTrigger[] = [];
  readonly signals: AbortSignal[] = [];
  verdict: TokenCheck = 'refused';
  changes = 0;
  private replies: ((reply: Reply) => void)[] = [];

  check(): Promise<TokenCheck> {
    return Promise.resolve(this.verdict);
  }

  ask(occasion: SignInTrigger, signal: AbortSignal): Promise<Reply> {
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

describe('the sign-in coordinator', () => {
  let person: Person;
  let gate: SignInCoordinator;
  /** Waits until the question is shown, because the check takes a turn of the event loop. */
  const asked = () => new Promise((resolve) => setImmediate(resolve));

  beforeEach(() => {
    person = new Person();
    gate = new SignInCoordinator(person);
  });

  it('asks once for any number of rejected calls, and all of them continue', async () => {
    const refused = Array.from({ length: 20 }, () => gate.refused());
    await asked();
    assert.equal(gate.state, 'asking');
    person.answer('signedIn');
    assert.deepEqual(new Set(await Promise.all(refused)), new Set(['signedIn']));
    assert.deepEqual(person.asked, ['notice']);
    assert.equal(gate.state, 'open');
  });

  it('stays closed after the question is dismissed, until the user signs in', async () => {
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

  it('asks nothing if the token turns out to be valid', async () => {
    person.verdict = 'accepted';
    assert.equal(await gate.refused(), 'accepted');
    assert.deepEqual(person.asked, []);
    assert.equal(person.changes, 0);
  });

  it('continues all calls and closes the question when another window signs in', async () => {
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

  it('lets the user sign in while a notice is open', async () => {
    const refused = gate.refused();
    await asked();
    const signingIn = gate.signIn();
    assert.deepEqual(person.asked, ['notice', 'direct']);
    gate.replaced();
    person.answer('signedIn');
    await signingIn;
    assert.equal(await refused, 'replaced');
  });

  it('asks without a notice if the user signs in while a rejected call is checked, and with one the next time', async () => {
    const refused = gate.refused();
    const signingIn = gate.signIn();
    await asked();
    assert.deepEqual(person.asked, ['direct']);
    person.answer('signedIn');
    await signingIn;
    assert.equal(await refused, 'signedIn');

    const again = gate.refused();
    await asked();
    assert.deepEqual(person.asked, ['direct', 'notice']);
    person.answer('dismissed');
    assert.equal(await again, 'dismissed');
  });

  it('opens again if the check fails', async () => {
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
