import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, afterEach, before, describe, it } from 'mocha';
import { commands, type Event, MarkdownString, ThemeIcon, type TreeItem, TreeItemCollapsibleState, Uri } from 'vscode';
import type { Account } from '../../../src/accounts/accounts';
import { methodsForTask } from '../../../src/accounts/tokens';
import type { Favorite } from '../../../src/features/favorites/favorite';
import { parseAddress } from '../../../src/platform/address';
import { emptyQuery } from '../../../src/features/search/searchQuery';
import { limit } from '../../host/limits';
import { type LocalPlatform, startPlatform } from '../../localPlatform/localPlatform';
import { comparePage, writePage } from '../../oracle/page';
import { nextEvent } from '../support/event';
import { gantry, signedIn } from '../support/gantry';
import type { Parts } from '../support/parts';
import { Person } from '../support/person';
import { signIn } from '../support/signIn';
import type { Tree } from '../support/trees';

/** A view, read as VS Code does. */
interface View extends Tree<unknown> {
  readonly onDidChangeTreeData: Event<unknown>;
  getParent(row: unknown): unknown;
  find(received: unknown): unknown;
}

/** The most rows that are printed below one. */
const mostChildren = { ofFolder: 3, ofOthers: 12 } as const;
const day = 24 * 60 * 60 * 1000;

const kindOf = (row: unknown): unknown =>
  typeof row === 'object' && row !== null && 'kind' in row ? row.kind : undefined;

describe('every row of every view', function () {
  this.timeout(limit(60_000));
  const sections = new Map<string, string[]>();
  let platform: LocalPlatform;
  let account: Account;
  let parts: Parts;

  before(async () => {
    platform = await startPlatform();
    // In whole seconds, it depends on the time which of two tokens was used last.
    platform.behaviour.accountTimes = 'milliseconds';
    parts = await gantry();
    account = await signedIn(platform);
    await share();
    await platform.createToken({ description: 'soon', tokenTemplate: 'Maven Plugin', expiresAt: Date.now() + 2 * day });
    await platform.createToken({ description: 'past', tokenTemplate: 'Marketplace', expiresAt: Date.now() - 2 * day });
    await platform.createToken({ description: 'own', apiList: ['env.file.read', 'environment.vcs.Update'] });
    await platform.createToken({ description: 'own', apiList: ['env.file.read'] });
  });

  afterEach(() => platform.faults.clear());

  after(async () => {
    parts.search.current.clear();
    await parts.unlocking.lockAll();
    for (const { slug } of parts.accounts.list) await parts.accounts.remove(slug);
    await platform.dispose();
  });

  const nodeOf = (layer: string, index = 0): number => platform.nodes('shop', layer)[index]?.id ?? 0;

  /** Adds favorites of each kind, and a mount. */
  async function share(): Promise<void> {
    const { favorites, mounts } = parts.sharing;
    const scope = { nodeGroup: 'cp' };
    const favorite = { account: account.slug, environment: 'shop', scope, filter: undefined, isDir: true };
    const all: readonly Omit<Favorite, 'id'>[] = [
      { ...favorite, path: '/etc/nginx', keyword: 'configuration' },
      { ...favorite, path: '/etc/php.ini', keyword: 'php', isDir: false },
      { ...favorite, path: '/etc/nginx/conf.d', keyword: 'filtered', filter: String.raw`shop.*\.conf` },
      { ...favorite, path: '/var/www', keyword: 'no match', filter: 'nothing' },
      { ...favorite, path: '/etc/gone', keyword: 'gone' },
      {
        ...favorite,
        scope: { nodeGroup: 'cp', nodeId: nodeOf('cp', 1) },
        path: '/var/log',
        keyword: 'logs of the second',
      },
      { ...favorite, scope: {}, path: '/etc', keyword: 'everywhere' },
    ];
    mkdirSync(join(platform.nodeFolder(nodeOf('cp')), 'etc/gone'), { recursive: true });
    for (const one of all) await favorites.add(one);
    const database = nodeOf('sqldb');
    mkdirSync(join(platform.nodeFolder(database), 'var/lib/backup/daily'), { recursive: true });
    writeFileSync(join(platform.nodeFolder(database), 'var/lib/backup/dump.sql'), 'x'.repeat(2048));
    await mounts.add({
      place: {
        kind: 'file',
        account: account.slug,
        environment: 'shop',
        path: '/mnt/backup',
        target: { nodeGroup: 'cp', nodeId: nodeOf('cp') },
      },
      nodeIds: [nodeOf('cp')],
      source: { kind: 'node', nodeId: database },
      sourcePath: '/var/lib/backup',
      protocol: 'NFS4',
      readOnly: true,
      name: 'backups',
    });
  }

  const views = (): Readonly<Record<string, View>> => ({
    environments: parts.environmentsView,
    favorites: parts.sharing.favoritesView,
    mounts: parts.sharing.mountsView,
    access: parts.accessView,
    deployments: parts.projects.view,
    searchResults: parts.search.view,
  });

  /** Leaves out what differs from run to run. */
  const plain = (text: string): string =>
    text
      .replaceAll(/\b(127\.0\.0\.1|localhost)([:-]\d+)?/g, 'HOST')
      .replaceAll(/\b[0-9a-f]{7,40}\b/g, 'COMMIT')
      .replaceAll(/\b\d{1,2}:\d{2}(:\d{2})?(\s[AP]M)?/g, 'TIME')
      .replaceAll(/\b[A-Z][a-z]{2} \d{1,2}(, \d{4})?\b/g, 'DATE')
      // The time of day becomes a day at midnight.
      .replaceAll(/B · (TIME|DATE)\b/g, 'B · WHEN')
      // Only older versions of VS Code escape a hyphen within a word.
      .replaceAll('\\-', '-')
      .replaceAll(/\b(just now|(\d+|an?) (second|minute|hour)s? ago)\b/g, 'AGO')
      .replaceAll(/\b1[0-9]{12}\b/g, 'MOMENT')
      .replaceAll('\n', '⏎');

  const iconText = (icon: TreeItem['iconPath']): string | undefined =>
    icon instanceof ThemeIcon
      ? [icon.id, icon.color === undefined ? [] : JSON.stringify(icon.color)].flat().join(' ')
      : icon && 'another kind';

  const argumentText = (argument: unknown): unknown => {
    if (typeof argument !== 'object' || argument === null) return argument;
    if (argument instanceof Uri) return `Uri ${argument.path}`;
    return 'kind' in argument ? `row ${String(argument.kind)}` : Object.keys(argument);
  };

  const rowText = (view: View, row: unknown): string => {
    const item = view.getTreeItem(row);
    const { label, description, tooltip, resourceUri, contextValue, command, accessibilityInformation } = item;
    const { id, collapsibleState = 0 } = item;
    const what = command?.arguments?.map((one) => (one === row ? 'itself' : argumentText(one)));
    const fields = {
      label,
      state: TreeItemCollapsibleState[collapsibleState],
      id,
      description,
      tooltip: tooltip instanceof MarkdownString ? tooltip.value : tooltip,
      icon: iconText(item.iconPath),
      uri: resourceUri?.path,
      context: contextValue,
      command: command && [command.command, command.title, what],
      spoken: accessibilityInformation?.label,
      role: accessibilityInformation?.role,
    };
    const texts = Object.entries(fields).filter(([, value]) => value !== undefined);
    return texts
      .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
      .join(' | ');
  };

  /** Prints rows with what is below them, folders only so deep; the numbers hold their order. */
  async function linesBelow(view: View, deepest: number, above?: unknown, lead = ''): Promise<readonly string[]> {
    const rows = await view.getChildren(above);
    const most = kindOf(above) === 'entry' ? mostChildren.ofFolder : mostChildren.ofOthers;
    const lines = rows.length > most ? [`${lead} ${rows.length} rows`] : [];
    for (const [index, row] of rows.slice(0, most).entries()) {
      assert.equal(view.getParent(row), above);
      const number = `${lead}${index + 1}`;
      lines.push(`${number} ${plain(rowText(view, row))}`);
      const left = kindOf(row) === 'entry' ? deepest - 1 : deepest;
      const isFolded = view.getTreeItem(row).collapsibleState !== TreeItemCollapsibleState.None;
      if (isFolded && left >= 0) lines.push(...(await linesBelow(view, left, row, `${number}.`)));
    }
    return lines;
  }

  async function print(state: string, ...names: readonly string[]): Promise<void> {
    for (const name of names) {
      const view = views()[name] ?? assert.fail(name);
      if (name === 'deployments') await findDeployedCommits();
      sections.set(`${state}: ${name}`, [...(await linesBelow(view, state === 'one account' ? 2 : 0))]);
    }
  }

  /** The rows of projects don't wait for what is read about them. */
  async function findDeployedCommits(): Promise<void> {
    const { view, deployedStates } = parts.projects;
    for (const environment of await view.getChildren())
      for (const row of await view.getChildren(environment))
        if (row.kind === 'project') await deployedStates.look(row.place);
  }

  /** The operations that were sent meanwhile, with what they are about. */
  async function requestsOf(work: () => PromiseLike<unknown>): Promise<readonly string[]> {
    platform.journal.reset();
    await work();
    return platform.journal.arrivals
      .map(({ operation, parameters }) => {
        const about = ['envName', 'nodeGroup', 'nodeid', 'nodeId', 'path'].flatMap((one) => parameters[one] ?? []);
        return [operation, ...about].join(' ');
      })
      .sort();
  }

  async function problemsBelow(view: View, above?: unknown, depth = 0): Promise<readonly unknown[]> {
    const found: unknown[] = [];
    for (const row of (await view.getChildren(above)).slice(0, mostChildren.ofOthers)) {
      if (kindOf(row) === 'problem') found.push(row);
      else if (depth < 3 || kindOf(row) === 'logs') found.push(...(await problemsBelow(view, row, depth + 1)));
    }
    return found;
  }

  /** Prints the problems of a view, which rows each Retry draws again, and what it requests. */
  async function printProblems(name: string, fault: string, parameters: Readonly<Record<string, string>> = {}) {
    const view = views()[name] ?? assert.fail(name);
    const refuse = { kind: 'refuse', result: 99, error: 'out of order' } as const;
    platform.faults.add({ operation: fault, parameters, times: 'always', fault: refuse });
    forgetAll();
    const lines: string[] = [];
    for (const row of (await problemsBelow(view)).slice(0, 3)) {
      const item = view.getTreeItem(row);
      lines.push(plain(rowText(view, row)));
      const { command } = item;
      const passed: readonly unknown[] = command?.arguments ?? [];
      const changed = nextEvent(view.onDidChangeTreeData);
      await commands.executeCommand(command?.command ?? '', ...passed);
      const drawn = await changed;
      // VS Code draws only objects again that it got from the view.
      assert.ok(drawn === undefined || view.find(drawn) === drawn);
      const drawnText = drawn === undefined ? 'everything' : plain(String(view.getTreeItem(drawn).id));
      const requests = await requestsOf(() => view.getChildren(drawn));
      lines.push(`Retry draws ${drawnText}, and requests: ${requests.join(', ')}`);
    }
    assert.ok(lines.length > 0, `no problem of ${fault} in ${name}`);
    sections.set(`a refused ${fault}: ${name}`, lines);
    platform.faults.clear();
    forgetAll();
  }

  function forgetAll(): void {
    parts.listings.forgetAll();
    parts.environments.refresh();
    parts.projects.projects.refresh();
    parts.sharing.favorites.refresh();
    parts.sharing.mounts.refresh();
    parts.environmentsView.forgetConfiguration();
  }

  const shared = ['environments', 'favorites', 'mounts', 'access', 'deployments'] as const;

  it('is as before with one account', async () => {
    await print('one account', ...shared);
  });

  it('is as before once a favorite was found to be gone', async () => {
    const { rm } = await import('node:fs/promises');
    await rm(join(platform.nodeFolder(nodeOf('cp')), 'etc/gone'), { recursive: true });
    forgetAll();
    const view = views()['favorites'] ?? assert.fail();
    await problemsBelow(view);
    await print('a favorite is gone', 'favorites');
  });

  it('is as before while the Access view is unlocked', async () => {
    const { email, password } = platform.sample;
    await parts.unlocking.unlock(account.slug, email, password);
    await print('unlocked', 'access');
    await printProblems('access', 'GetTokens');
    await printProblems('access', 'GetSessions');
    await parts.unlocking.lock(account.slug);
  });

  it('is as before with search results, and with what was not searched', async () => {
    const target = { nodeGroup: 'bl', nodeId: nodeOf('bl') };
    const folder = { kind: 'file', account: account.slug, environment: 'shop', target, path: '/etc/nginx' } as const;
    writeFileSync(join(platform.nodeFolder(nodeOf('bl')), 'etc/nginx/binary.bin'), Buffer.alloc(2_000));
    forgetAll();
    await parts.search.current.start(folder, { ...emptyQuery, text: 'server', exclude: 'mime.types' });
    await print('a search', 'searchResults');
    parts.search.current.clear();
    await print('no search', 'searchResults');
  });

  it('is as before if something is refused, and Retry requests the same', async () => {
    await printProblems('environments', 'GetEnvs');
    await printProblems('environments', 'GetList', { nodeGroup: 'bl' });
    await printProblems('environments', 'GetLogs', { nodeId: String(nodeOf('bl')) });
    await printProblems('favorites', 'GetFavorites', { nodeGroup: 'bl' });
    await printProblems('favorites', 'GetList', { nodeGroup: 'cp' });
    await printProblems('mounts', 'GetMountPoints', { nodeGroup: 'bl' });
    await printProblems('mounts', 'GetExportedList');
    await printProblems('deployments', 'GetProject');
  });

  /** Tokens are listed by their last use, so no other account may be using its own when one asks for them. */
  async function untilAnswered(): Promise<void> {
    const { journal } = platform;
    const isAnswered = (id: number) => journal.entries.some((entry) => entry.id === id);
    while (journal.arrivals.some(({ id }) => !isAnswered(id))) await journal.next();
  }

  it('is as before with two accounts, of which one has few rights and then is signed out', async () => {
    const address = parseAddress(platform.origin);
    assert.ok('ok' in address);
    const apiList = [
      ...methodsForTask('read', []).filter((method) => !/GetEnvs$/i.test(method)),
      'users.authentication.GetTokens',
      'users.authentication.GetTokenTemplates',
    ];
    const token = await platform.createToken({ description: 'limited', apiList });
    const client = await parts.connections.connect(address.ok);
    const stored = await signIn(client, { kind: 'token', token, name: 'limited' }, [account.slug]);
    await parts.accounts.add(stored);
    const limited = parts.accounts.find(stored.slug) ?? assert.fail();
    await limited.call('GetEnvs', {}).catch(() => undefined);
    const state = 'two accounts, one with few rights';
    await print(state, 'environments', 'favorites', 'mounts');
    await untilAnswered();
    await print(state, 'access', 'deployments');
    const fault = { kind: 'refuse', result: 702, error: 'no session' } as const;
    for (const operation of ['GetList', 'GetTokenTemplates', 'Signin'])
      platform.faults.add({ operation, times: 'always', fault });
    const person = new Person();
    const root = { envName: 'shop', nodeGroup: 'cp', path: '/' };
    // The question to sign in again is closed.
    await person.answering([], () => limited.call('GetList', root).catch(() => undefined));
    person.leave();
    assert.ok(limited.isSignedOut);
    platform.faults.clear();
    await print('two accounts, one signed out', ...shared);
  });

  it('is as before with one account that is signed out', async () => {
    await parts.accounts.remove(account.slug);
    const [limited] = parts.accounts.list;
    assert.ok(limited);
    await print('the only account is signed out', ...shared);
  });

  it('is the same as on the page', () => {
    // A page without some would look as if their rows were gone.
    assert.equal(sections.size, 34, 'all states were printed');
    if (process.env['UPDATE_ORACLE'] !== undefined)
      writePage('rows', 'Every row of every view, in the states of the sample.', sections);
    comparePage('rows', sections, 'npm run oracle -- --write rows');
  });
});
