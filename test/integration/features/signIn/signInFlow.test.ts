import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'mocha';
import { commands } from 'vscode';
import { type LocalPlatform, startPlatform } from '../../../localPlatform/localPlatform';
import { gantry } from '../../support/gantry';
import { escape, Person } from '../../support/person';

describe('a sign-in whose connection breaks', () => {
  let platform: LocalPlatform;
  let person: Person;

  before(async () => {
    platform = await startPlatform({ withoutProject: true });
    await gantry();
  });

  beforeEach(() => {
    person = new Person();
    platform.journal.reset();
  });

  afterEach(() => {
    person.leave();
    platform.faults.clear();
  });

  after(() => platform.dispose());

  const created = () => platform.journal.entries.filter(({ operation }) => operation === 'CreateToken').length;

  it("after the token was requested doesn't offer VS Code's network, and doesn't repeat the request", async () => {
    platform.faults.add({ operation: 'CreateToken', fault: { kind: 'reset', when: 'after' } });
    const { email, password } = platform.sample;
    await person.answering([platform.origin, 'Email and password', email, password, '90 days', escape], () =>
      commands.executeCommand('gantry.account.signIn'),
    );
    assert.doesNotMatch(person.seen.join('\n'), /but VS Code can/);
    assert.equal(created(), 1);
  });
});
