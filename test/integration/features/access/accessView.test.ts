import assert from 'node:assert/strict';
import { afterEach, before, describe, it } from 'mocha';
import { commands, ThemeIcon, type TreeItem } from 'vscode';
import { type AccessView, tokenName } from '../../../../src/features/access/accessView';
import { formatExactTime } from '../../../../src/ui/relativeTime';
import { nextEvent } from '../../support/event';
import { enter } from '../../support/person';
import { PassingTime } from '../../support/trees';
import { windowScene } from '../../support/windowScene';

type AccessElement = Awaited<ReturnType<AccessView['getChildren']>>[number];

const day = 24 * 60 * 60 * 1000;

describe('the Access view', () => {
  const scene = windowScene({ sample: 'environments' });
  const { person, unlock } = scene;

  before(async () => {
    await scene.platform.createToken({
      description: 'soon',
      tokenTemplate: 'Maven Plugin',
      expiresAt: Date.now() + 2 * day,
    });
    await scene.platform.createToken({
      description: 'past',
      tokenTemplate: 'Marketplace',
      expiresAt: Date.now() - day,
    });
    await scene.platform.createToken({ description: 'own', apiList: ['env.file.read', 'environment.vcs.Update'] });
  });

  afterEach(() => scene.parts.unlocking.lock(scene.slug));

  const below = (element?: AccessElement) => scene.parts.accessView.getChildren(element);
  const item = (element: AccessElement) => scene.parts.accessView.getTreeItem(element);
  const tooltipOf = ({ tooltip }: TreeItem) => {
    assert.ok(typeof tooltip === 'string');
    return tooltip;
  };
  const only = <K extends AccessElement['kind']>(elements: readonly AccessElement[], kind: K) =>
    elements.filter((element): element is Extract<AccessElement, { kind: K }> => element.kind === kind);

  it("has no rows if the token can't list tokens, and leaves the rest to its welcome content", async () => {
    assert.deepEqual(await below(), []);
  });

  it('has a locked row below one of several accounts', async () => {
    const [locked, ...others] = await below({ kind: 'account', account: scene.account, isUnfolded: true });
    assert.ok(locked?.kind === 'locked' && others.length === 0);
    assert.equal(item(locked).command?.command, 'gantry.account.unlock');
  });

  it('shows tokens after it is unlocked: template, expiration, use, and the one that this window signs in with', async () => {
    await unlock();
    const rows = await below();
    assert.deepEqual(
      rows.map(({ kind }) => kind),
      ['unlocked', 'tokens', 'sessions'],
    );
    const tokens = only(await below(only(rows, 'tokens')[0]), 'token');
    const named = (description: string) => {
      const token = tokens.find((candidate) => candidate.token.description === description);
      assert.ok(token, description);
      return item(token);
    };
    assert.deepEqual(
      tokens.filter(({ isUsed }) => isUsed).map(({ token }) => token.description),
      ['Gantry, VS Code under test'],
    );
    assert.match(String(named('Gantry, VS Code under test').description), /^used here · /);
    assert.match(String(named('soon').description), /^expires soon, in 2 days · Maven Plugin · never used/);
    assert.match(String(named('past').description), /^expired 1 day ago · Marketplace/);
    assert.match(tooltipOf(named('past')), /\nExpired: \w+ \d+, \d{4}, \d+:\d\d\s[AP]M$/);
    assert.match(String(named('own').description), /^never expires · 2 methods · never used/);
    const icons = ['soon', 'past'].map((name) => named(name).iconPath);
    assert.deepEqual(
      icons.map((icon) => icon instanceof ThemeIcon && icon.id),
      ['warning', 'error'],
    );
  });

  it('tells tokens of the same name apart by their IDs', async () => {
    const twins = { description: 'twin', tokenTemplate: 'IDE Plugins' };
    await scene.platform.createToken(twins);
    await scene.platform.createToken(twins);
    await unlock();
    const tokens = only(await below(only(await below(), 'tokens')[0]), 'token');
    const same = tokens.filter(({ token }) => token.description === 'twin');
    assert.equal(same.length, 2);
    for (const one of same) {
      const { label, description } = item(one);
      assert.equal(label, `twin (ID ${one.token.id})`);
      assert.match(String(description), / · IDE Plugins · /);
    }
    assert.ok(!tokens.some((one) => one.token.description !== 'twin' && tokenName(one).includes('(ID ')));
  });

  it('shows the permissions of a token by service', async () => {
    await unlock();
    const tokens = only(await below(only(await below(), 'tokens')[0]), 'token');
    const own = tokens.find(({ token }) => token.description === 'own');
    const services = only(await below(own), 'service');
    assert.deepEqual(
      services.map(({ service, methods }) => [service, methods.length]),
      [
        ['environment.file', 1],
        ['environment.vcs', 1],
      ],
    );
  });

  it("doesn't edit a token that was changed after it was listed", async () => {
    await unlock();
    const tokens = only(await below(only(await below(), 'tokens')[0]), 'token');
    const own = tokens.find(({ token }) => token.description === 'own');
    assert.ok(own);
    const work = await unlock();
    const narrowed = { id: own.token.id, description: 'own', apiList: 'env.file.read' };
    await work.editToken(narrowed);
    await person.answering(['renamed', 'Custom methods', ['Read environment.file'], 'unchanged'], () =>
      commands.executeCommand('gantry.token.edit', own),
    );
    assert.ok(
      person.seen.some((text) => text.includes('was changed in the meantime')),
      person.seen.join('\n'),
    );
    const now = (await work.getTokens()).find(({ id }) => id === own.token.id);
    assert.deepEqual([now?.description, now?.apiList], ['own', ['environment.file.Read']]);
    await work.editToken({ ...narrowed, apiList: own.token.apiList.join(',') });
  });

  it("keeps a token's methods when it's renamed, although the platform doesn't offer its template", async () => {
    await scene.platform.createToken({ description: 'outdated', tokenTemplate: 'Maven Plugin' });
    await unlock();
    const tokens = only(await below(only(await below(), 'tokens')[0]), 'token');
    const outdated = tokens.find(({ token }) => token.description === 'outdated') ?? assert.fail('listed');
    const body = JSON.stringify({ result: 0, templates: [] });
    scene.fail('GetTokenTemplates', { kind: 'answer', body, when: 'after' }, { times: 'always' });
    await person.answering(['renamed', enter, enter, 'unchanged'], () =>
      commands.executeCommand('gantry.token.edit', outdated),
    );
    const now = (await (await unlock()).getTokens()).find(({ id }) => id === outdated.token.id);
    assert.equal(now?.description, 'renamed', person.seen.join('\n'));
    assert.deepEqual([...now.apiList].sort(), [...outdated.token.apiList].sort());
  });

  it('shows sessions with host, agent, and last access, the current one first and marked', async () => {
    await unlock();
    const sessions = only(await below(only(await below(), 'sessions')[0]), 'session');
    const [first, ...others] = sessions;
    assert.ok(first);
    assert.equal(first.session.current, true);
    assert.ok(others.every(({ session }) => session.current !== true));
    const row = item(first);
    const { label, description, contextValue } = row;
    assert.equal(label, '127.0.0.1');
    assert.match(String(description), /^current session · Gantry · active just now$/);
    assert.match(tooltipOf(row), /^127\.0\.0\.1\nGantry\nLast active: \w+ \d+, \d{4}, .*\nOpened: \w+ \d+, \d{4}, /);
    assert.equal(contextValue, 'session current');
  });

  it('draws tokens and sessions again when their times change, without a request', async () => {
    await unlock();
    const { accessView } = scene.parts;
    const rows = await below();
    const tokens = await below(only(rows, 'tokens')[0]);
    const sessions = await below(only(rows, 'sessions')[0]);
    [...rows, ...tokens, ...sessions].forEach((row) => accessView.getTreeItem(row));
    const time = new PassingTime(accessView);
    scene.platform.journal.reset();
    assert.deepEqual(time.at(Date.now() + 70 * day), [
      ...only(tokens, 'token').filter(({ token }) => (token.expiresAt ?? token.lastUsed) !== undefined),
      ...sessions,
    ]);
    assert.deepEqual(time.at(Date.now() + 70 * day), []);
    assert.deepEqual(scene.requests(), []);
  });

  it('signs out the password session when it is locked, and never the token', async () => {
    await unlock();
    scene.platform.journal.reset();
    const signedOut = scene.platform.journal.next(({ operation }) => operation === 'Signout');
    await commands.executeCommand('gantry.account.lock', { account: scene.account });
    assert.equal((await signedOut).result, 0);
    assert.equal(scene.count('Signout'), 1);
    await scene.account.call('GetEnvs', {});
    assert.deepEqual(await below(), []);
  });

  it('needs no password if the token can list tokens and sessions', async () => {
    const { accounts } = scene.parts;
    const stored = await accounts.stored(scene.slug);
    assert.ok(stored);
    const token = await scene.platform.createToken({ description: 'extended', tokenTemplate: 'Extended Access' });
    await accounts.replaceToken(scene.slug, { token });
    try {
      const rows = await below();
      assert.deepEqual(
        rows.map(({ kind }) => kind),
        ['tokens', 'sessions'],
      );
      assert.ok(only(await below(only(rows, 'sessions')[0]), 'session').length > 0);
    } finally {
      await accounts.replaceToken(scene.slug, stored);
    }
  });

  describe('on a platform that grants a shorter lifetime than requested', () => {
    const granted = new Date(Math.floor(Date.now() / 1000) * 1000 + 20 * day);
    const grant = (operation: string, token: object) => {
      const body = JSON.stringify({ result: 0, token: { ...token, expiresAt: granted.getTime() } });
      scene.fail(operation, { kind: 'answer', body, when: 'after' });
    };

    it('shows when a new token really expires', async () => {
      await unlock();
      grant('CreateToken', { id: 1, key: 'a'.repeat(40), apiList: ['environment.file.Read'] });
      await person.answering(['short', 'Read only', '90 days', 'Close'], () =>
        commands.executeCommand('gantry.token.create', { account: scene.account }),
      );
      const seen = person.seen.join('\n');
      assert.ok(seen.includes(`Expires: ${formatExactTime(granted)}`), seen);
    });

    it('stores when the token of this window really expires', async () => {
      await unlock();
      const tokens = only(await below(only(await below(), 'tokens')[0]), 'token');
      const used = tokens.find(({ isUsed }) => isUsed) ?? assert.fail('listed');
      const { id, description = '', apiList } = used.token;
      grant('EditToken', { id, description, apiList });
      await person.answering([description, 'IDE Plugins', '90 days'], () =>
        commands.executeCommand('gantry.token.edit', used),
      );
      assert.deepEqual(scene.account.expiresAt, granted, person.seen.join('\n'));
    });
  });

  it('asks for the password again if it was locked during the questions about a token, and keeps the answers', async () => {
    await unlock();
    const lock = () => {
      void scene.parts.unlocking.lock(scene.slug);
      return '90 days';
    };
    await person.answering(['outlasting', 'Read only', lock, scene.platform.sample.password, 'Close'], () =>
      commands.executeCommand('gantry.token.create', { account: scene.account }),
    );
    const [, ...others] = only(await below(only(await below(), 'tokens')[0]), 'token').filter(
      ({ token }) => token.description === 'outlasting',
    );
    assert.match(person.seen.join('\n'), /Created token “outlasting”/);
    assert.deepEqual(others, []);
  });

  it('refreshes after it is locked or unlocked', async () => {
    const { accessView } = scene.parts;
    const changed = nextEvent(accessView.onDidChangeTreeData);
    await unlock();
    await changed;
  });
});
