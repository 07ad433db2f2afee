import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { commands, ConfigurationTarget, type QuickInput, window, workspace } from 'vscode';
import type { Account } from '../../../../src/accounts/accounts';
import { makeSlug } from '../../../../src/accounts/storedAccount';
import { createSignIn } from '../../../../src/features/signIn/signIn';
import { loginQuestion } from '../../../../src/ui/commands/accountPrompt';
import { formatDate } from '../../../../src/ui/relativeTime';
import type { FaultRule } from '../../../localPlatform/faults/fault';
import { pagesOpenedBy } from '../../support/pagesOpenedBy';
import { type Answer, escape } from '../../support/person';
import { Keychain, PersonsAccounts } from '../../support/personsAccounts';
import { windowScene } from '../../support/windowScene';

describe('the sign-in with a password', () => {
  const scene = windowScene({ sample: 'environments', signedOut: true });
  const { person } = scene;
  const signedIn = () => scene.parts.accounts.list.filter(({ address }) => address === scene.platform.origin);

  beforeEach(() => scene.platform.journal.reset());

  afterEach(async () => {
    for (const { slug } of signedIn()) await scene.parts.accounts.remove(slug);
  });

  const rows: readonly {
    readonly it: string;
    readonly ifCreating?: FaultRule['fault'];
    /** Before the lifetimes that are picked, if another one than the account's. */
    readonly wrongPassword?: string;
    readonly then: readonly Answer[];
    readonly says?: RegExp;
    readonly never: RegExp;
    readonly creates: number;
    readonly isSignedIn: boolean;
  }[] = [
    {
      it: "doesn't offer VS Code's network if the connection breaks while the token is created, and doesn't repeat the request",
      ifCreating: { kind: 'reset', when: 'after' },
      then: ['90 days', escape],
      never: /but VS Code can/,
      creates: 1,
      isSignedIn: false,
    },
    {
      it: "doesn't call an accepted password wrong because the platform refuses the token's lifetime",
      ifCreating: { kind: 'refuse', result: 3, error: 'too long' },
      then: ['1 year', '90 days'],
      says: /too long/,
      never: /Incorrect/,
      creates: 2,
      isSignedIn: true,
    },
    {
      it: 'keeps the other answers if the password is wrong, and connects once',
      wrongPassword: 'not-the-password',
      then: ['90 days'],
      says: /Your password for/,
      never: /not-the-password/,
      creates: 1,
      isSignedIn: true,
    },
  ];
  for (const { it: title, ifCreating, wrongPassword, then, says, never, creates, isSignedIn } of rows) {
    it(title, async () => {
      if (ifCreating) scene.fail('CreateToken', ifCreating);
      const { email, password } = scene.platform.sample;
      const wrong = wrongPassword === undefined ? [] : [wrongPassword, '90 days'];
      const answers = [scene.platform.origin, 'Email and password', email, ...wrong, password, ...then];
      await person.answering(answers, () => commands.executeCommand('gantry.account.signIn'));
      const seen = person.seen.join('\n');
      assert.doesNotMatch(seen, never);
      if (says) assert.match(seen, says);
      assert.deepEqual(
        signedIn().map(({ label }) => label),
        isSignedIn ? [email] : [],
      );
      // It connects once, and signs out after each password that was right.
      const probing = ['GetTokenTemplates', 'GetTokenTemplates'];
      const proving = ['Signin', 'GetTokenTemplates', 'CreateToken', 'Signout'];
      const tried = [...wrong.slice(1).map(() => ['Signin']), ...Array.from({ length: creates }, () => proving)].flat();
      assert.deepEqual(scene.requests().slice(0, probing.length + tried.length), [...probing, ...tried]);
      assert.equal(scene.count('CreateToken'), creates);
    });
  }

  it("asks for another address right away if the settings suggest one that they don't allow", async () => {
    const gantrys = () => workspace.getConfiguration('gantry');
    const before = gantrys().inspect('platforms')?.globalValue;
    await gantrys().update('platforms', ['http://platform.lan'], ConfigurationTarget.Global);
    try {
      const { email, password } = scene.platform.sample;
      const answers = ['http://platform.lan', scene.platform.origin, 'Email and password', email, password, '90 days'];
      await person.answering(answers, () => commands.executeCommand('gantry.account.signIn'));
      assert.equal(signedIn().length, 1);
    } finally {
      await gantrys().update('platforms', before, ConfigurationTarget.Global);
    }
  });
});

describe('signing in again', () => {
  const scene = windowScene({ sample: 'environments' });

  it('says that no account is signed out if the command is called without one', async () => {
    await scene.person.answering([], () => commands.executeCommand('gantry.account.signInAgain'));
    assert.deepEqual(scene.person.seen, ["You're signed in to all accounts."]);
  });

  it("fails before it asks anything if the settings no longer allow plain HTTP to the account's platform", async () => {
    const other = new PersonsAccounts();
    const { accounts, connections } = other;
    const address = 'http://platform.lan';
    await accounts.add({ slug: 'lan', label: 'LAN', address, transport: 'form', token: 't' });
    const account = accounts.find('lan') ?? assert.fail('added');
    const { services } = await scene.parts.handles.accounts.load();
    const { signInAgain } = createSignIn({ ...services, accounts, connections });
    const again = { account, occasion: 'direct', signal: new AbortController().signal } as const;
    await scene.person.answering([], () => assert.rejects(signInAgain(again), { obstacle: 'plainHttp' }));
    other.dispose();
  });
});

describe('an account that is stored', () => {
  const scene = windowScene({ sample: 'environments', signedOut: true });
  const { person } = scene;

  afterEach(async () => {
    const { accounts, unlocking } = scene.parts;
    for (const { slug } of accounts.list) {
      await unlocking.lock(slug);
      await accounts.remove(slug);
    }
  });

  const pasted = { description: 'pasted', tokenTemplate: 'IDE Plugins' } as const;
  const newToken = () => scene.platform.createToken(pasted);

  async function signedInAs(name: string): Promise<Account> {
    const answers = [scene.platform.origin, 'Access token', await newToken(), name];
    await person.answering(answers, () => commands.executeCommand('gantry.account.signIn'));
    return scene.parts.accounts.list.find(({ label }) => label === name) ?? assert.fail('signed in');
  }

  const unlocked = (account: Account, ...answers: readonly Answer[]) =>
    person.answering(answers, () =>
      scene.parts.handles.signIn.use((signIn) => signIn.unlock(account, 'Enter your password.')),
    );

  const signedInAgain = (account: Account, ...answers: readonly Answer[]) =>
    person.answering(answers, () =>
      scene.parts.handles.signIn.use((signIn) =>
        signIn.signInAgain({ account, occasion: 'direct', signal: new AbortController().signal }),
      ),
    );

  for (const name of ['me @ home', 'me@home', 'second@gantry.example']) {
    it(`is unlocked with the email that the user enters if it signed in with a token, as ${name}`, async () => {
      const { email, password } = scene.platform.sample;
      assert.ok(await unlocked(await signedInAs(name), email, password));
    });
  }

  it('is signed in again with a password and the email that the user enters, which it keeps', async () => {
    const { email, password } = scene.platform.sample;
    const account = await signedInAs('me @ home');
    assert.equal(await signedInAgain(account, 'Email and password', email, password, '90 days'), 'signedIn');
    assert.equal(account.label, 'me @ home');
    assert.ok(await unlocked(account, password));
  });

  it('is said to be valid for as long as the platform grants when its token is renewed, not as was asked for', async () => {
    const { email, password } = scene.platform.sample;
    const { accounts } = scene.parts;
    const answers = [scene.platform.origin, 'Email and password', email, password, '90 days'];
    await person.answering(answers, () => commands.executeCommand('gantry.account.signIn'));
    const account = accounts.list.find(({ label }) => label === email) ?? assert.fail('signed in');
    const granted = new Date(Math.floor(Date.now() / 1000) * 1000 + 20 * 24 * 60 * 60 * 1000);
    const id = (await accounts.stored(account.slug))?.tokenId;
    const token = { id, apiList: ['environment.file.Read'], expiresAt: granted.getTime() };
    scene.fail('EditToken', { kind: 'answer', body: JSON.stringify({ result: 0, token }), when: 'after' });
    await person.answering(['30 days', password], () =>
      commands.executeCommand('gantry.account.renewToken', account.slug),
    );
    const said = new RegExp(`^Renewed the token for .+ It's valid until ${formatDate(granted)}\\.$`, 'm');
    assert.match(person.seen.join('\n'), said);
    assert.deepEqual(account.expiresAt, granted);
  });

  it('is locked as soon as another window signs it out, which also ends the session of its password', async () => {
    const { email, password } = scene.platform.sample;
    const { accounts, unlocking } = scene.parts;
    const { slug } = await signedInAs('me');
    await unlocking.unlock(slug, email, password);
    const ended = scene.platform.journal.next(({ operation, result }) => operation === 'Signout' && result === 0);
    // All that this window learns is that it's gone.
    await accounts.remove(slug);
    assert.equal(unlocking.of(slug), undefined);
    await ended;
  });

  it('is never taken for one that is gone, which a message or a row still names', async () => {
    const { accounts } = scene.parts;
    const gone = await signedInAs('gone');
    const left = await signedInAs('left');
    await accounts.remove(gone.slug);
    scene.platform.journal.reset();
    const environment = { account: gone.slug, name: 'shop' };
    const calls = [
      ['gantry.account.renewToken', gone.slug],
      ['gantry.platform.checkCompatibility', gone.slug],
      ['gantry.account.signInAgain', gone.slug],
      ['gantry.account.signOut', { kind: 'account', account: gone, isUnfolded: true }],
      ['gantry.token.create', { kind: 'tokens', account: gone, tokens: [] }],
      ['gantry.environment.openDashboard', { kind: 'environment', environment }],
    ] as const;
    for (const [command, named] of calls) {
      const work = () => person.answering([], () => commands.executeCommand(command, named));
      assert.deepEqual(await pagesOpenedBy(work, 0), [], command);
      assert.match(person.seen.join('\n'), /^You're no longer signed in to gone[^\n]*\.$/, command);
    }
    assert.deepEqual(scene.changes(), []);
    assert.deepEqual(accounts.list, [left]);
  });

  it('suggests its name as the email only if it may be one', () => {
    const suggested = ['anna@example.com', 'me @ home', '127.0.0.1:8080'].map((name) => loginQuestion(name).value);
    assert.deepEqual(suggested, ['anna@example.com', '', '']);
  });

  /** How the platform takes parameters, as far as is stored. */
  const transportOf = async (account: Account) => {
    const { transport, passwordsInUrl } = (await scene.parts.accounts.stored(account.slug)) ?? {};
    return { transport, passwordsInUrl };
  };

  for (const { before, now, then, passwordsInUrl } of [
    { before: 'query', now: 'form', then: [], passwordsInUrl: undefined },
    { before: 'form', now: 'query', then: ['Send Password in URL'], passwordsInUrl: true },
  ] as const) {
    it(`gets the transport that a new sign-in to it finds: ${now} instead of ${before}`, async () => {
      const { email, password } = scene.platform.sample;
      const account = await scene.addAccount(pasted, 'known', { label: email, transport: before });
      scene.platform.behaviour.transport = now;
      const answers = [scene.platform.origin, 'Email and password', email, password, '90 days', ...then];
      await person.answering(answers, () => commands.executeCommand('gantry.account.signIn'));
      assert.deepEqual(scene.parts.accounts.list, [account]);
      assert.deepEqual(await transportOf(account), { transport: now, passwordsInUrl });
    });
  }

  it('is added by questions that show no total, because a token takes fewer than a password', async () => {
    person.enter();
    const asked: QuickInput[] = [];
    const noting =
      <T extends QuickInput>(create: () => T) =>
      (): T => {
        const input = create();
        asked.push(input);
        return input;
      };
    const { createInputBox, createQuickPick } = window;
    // The scene puts back what there was before the person.
    Object.assign(window, { createInputBox: noting(createInputBox), createQuickPick: noting(createQuickPick) });
    await signedInAs('me');
    assert.deepEqual(
      asked.map(({ step, totalSteps }) => [step, totalSteps]),
      [1, 2, 3, 4].map((step) => [step, undefined]),
    );
  });

  it('is signed in again with another transport if the platform changed', async () => {
    const account = await scene.addAccount(pasted, 'known', { transport: 'query' });
    scene.platform.behaviour.transport = 'form';
    assert.equal(await signedInAgain(account, 'Access token', await newToken()), 'signedIn');
    assert.deepEqual(await transportOf(account), { transport: 'form', passwordsInUrl: undefined });
  });
});

describe('a sign-in while the keychain is locked', () => {
  const scene = windowScene({ sample: 'environments', signedOut: true });
  const { person } = scene;
  const windows: PersonsAccounts[] = [];
  const open = (keychain: Keychain): PersonsAccounts => {
    const opened = new PersonsAccounts(keychain);
    windows.push(opened);
    return opened;
  };

  afterEach(() => windows.splice(0).forEach((one) => one.dispose()));

  for (const { title, hasOwn, question } of [
    { title: 'overwrites no account if the user unlocks it meanwhile', hasOwn: false, question: true },
    { title: 'overwrites none if the window has an account of its own by then', hasOwn: true, question: false },
  ]) {
    it(title, async () => {
      const { platform, address } = scene;
      const { email, password } = platform.sample;
      const token = await platform.createToken({ description: 'test', tokenTemplate: 'IDE Plugins' });
      const account = { address: platform.origin, transport: 'form', token } as const;
      const keychain = new Keychain();
      // The ID that the new account would get.
      const slug = makeSlug(email, address.host, []);
      await open(keychain).accounts.add({ ...account, slug, label: 'other@gantry.example' });
      keychain.locked = new Error('no D-Bus session');
      const { accounts, connections } = open(keychain);
      await accounts.firstRead;
      if (hasOwn) await accounts.add({ ...account, slug: 'own', label: 'own' });
      const { services } = await scene.parts.handles.accounts.load();
      const { signIn } = createSignIn({ ...services, accounts, connections });
      const unlocking = () => {
        keychain.locked = undefined;
        return 'Email and password';
      };
      const answers: readonly Answer[] = [
        ...(question ? ['Sign In for This Window'] : []),
        platform.origin,
        unlocking,
        email,
        password,
        '90 days',
      ];
      await person.answering(answers, signIn);
      const stored = await open(keychain).store.read();
      assert.deepEqual(stored.map(({ label }) => label).sort(), ['other@gantry.example', email].sort());
    });
  }
});
