import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'mocha';
import { commands } from 'vscode';
import type { Connections } from '../../../../src/accounts/connections';
import { type LocalPlatform, startPlatform } from '../../../localPlatform/localPlatform';
import { gantry, signedIn } from '../../support/gantry';
import { escape, Person } from '../../support/person';

describe('a sign-in that fails while the token is created', () => {
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

  it("doesn't offer VS Code's network if the connection breaks, and doesn't repeat the request", async () => {
    platform.faults.add({ operation: 'CreateToken', fault: { kind: 'reset', when: 'after' } });
    const { email, password } = platform.sample;
    await person.answering([platform.origin, 'Email and password', email, password, '90 days', escape], () =>
      commands.executeCommand('gantry.account.signIn'),
    );
    assert.doesNotMatch(person.seen.join('\n'), /but VS Code can/);
    assert.equal(created(), 1);
  });

  it("doesn't call an accepted password wrong because the platform refuses the token's lifetime", async () => {
    platform.faults.add({ operation: 'CreateToken', fault: { kind: 'refuse', result: 3, error: 'too long' } });
    const { email, password } = platform.sample;
    const answers = [platform.origin, 'Email and password', email, password, '1 year', '90 days'];
    await person.answering(answers, () => commands.executeCommand('gantry.account.signIn'));
    const { accounts } = await gantry();
    const account = accounts.list.find(({ address }) => address === platform.origin) ?? assert.fail('signed in');
    await accounts.remove(account.slug);
    const seen = person.seen.join('\n');
    assert.doesNotMatch(seen, /Incorrect/);
    assert.match(seen, /too long/);
    assert.equal(created(), 2);
  });
});

describe('a sign-in with a wrong password', () => {
  let platform: LocalPlatform;
  let connections: Connections;

  before(async () => {
    platform = await startPlatform({ withoutProject: true });
    connections = (await gantry()).connections;
  });
  after(() => platform.dispose());

  it('keeps the other answers, and connects once', async () => {
    const { email, password } = platform.sample;
    let connected = 0;
    const connect = connections.connect.bind(connections);
    connections.connect = (...given) => {
      connected += 1;
      return connect(...given);
    };
    const person = new Person();
    try {
      const wrong = [platform.origin, 'Email and password', email, 'not-the-password', '90 days'];
      await person.answering([...wrong, password, '90 days'], () => commands.executeCommand('gantry.account.signIn'));
    } finally {
      person.leave();
      connections.connect = connect;
    }
    const { accounts } = await gantry();
    const account = accounts.list.find(({ address }) => address === platform.origin) ?? assert.fail('signed in');
    await accounts.remove(account.slug);
    assert.equal(account.label, email);
    assert.equal(connected, 1);
    const asked = platform.journal.entries.map(({ operation }) => operation);
    const proving = ['Signin', 'GetTokenTemplates', 'CreateToken', 'Signout'];
    assert.deepEqual(asked.slice(0, 7), ['GetTokenTemplates', 'GetTokenTemplates', 'Signin', ...proving]);
  });
});

describe('signing in again', () => {
  let platform: LocalPlatform;

  before(async () => {
    platform = await startPlatform({ withoutProject: true });
  });
  after(() => platform.dispose());

  it('says that no account is signed out if the command is called without one', async () => {
    const { slug } = await signedIn(platform);
    const person = new Person();
    try {
      await person.answering([], () => commands.executeCommand('gantry.account.signInAgain'));
    } finally {
      person.leave();
      await (await gantry()).accounts.remove(slug);
    }
    assert.deepEqual(person.seen, ["You're signed in to all accounts."]);
  });
});
