import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'mocha';
import { commands, env, type Uri, window } from 'vscode';
import type { Account } from '../../../src/accounts/accounts';
import { commandIds } from '../../host/commandIds';
import { scheme, type ViewId } from '../../../src/manifest';
import { operationsByName } from '../../../src/platform/contract';
import { limit } from '../../host/limits';
import { type LocalPlatform, startPlatform } from '../../localPlatform/localPlatform';
import { comparePage, writePage } from '../../oracle/page';
import { commandsIn, enablementOf, holds } from '../../unit/manifest/menuItems';
import { Canceler } from '../support/canceler';
import { closeWithoutSaving, openInEditor } from '../support/editing';
import { fileUri, gantry, signedIn } from '../support/gantry';
import { setGate } from '../support/terminals';
import type { Tree } from '../support/trees';

/** Not tried, because they act without a question, or need what a window of tests doesn't have. */
const untried: Readonly<Record<string, string>> = {
  'gantry.account.lock': 'locks at once',
  'gantry.environment.markAsProduction': 'changes the setting at once',
  'gantry.environment.unmarkAsProduction': 'changes the setting at once',
  'gantry.environment.remove': 'forgets the environment at once',
  'gantry.favorite.add': 'adds the favorite at once',
  'gantry.favorite.remove': 'removes the favorite at once',
  'gantry.folder.paste': 'pastes at once',
  'gantry.project.remove': 'forgets the project at once',
};

/** A command that takes longer has begun something that nobody ends. */
const longest = limit(5_000);
/** Rows that are looked at to find one of each kind, in each view. */
const mostRows = 250;
const mostChildren = 10;

const views = [
  ...(['gantry.environments', 'gantry.favorites', 'gantry.deployments'] as const),
  ...(['gantry.mounts', 'gantry.access'] as const),
];

interface Row {
  readonly element: unknown;
  readonly kind: string;
}

/** Sorted, because a command may see what those before it have read. */
const ids = [...commandIds].sort();

describe('every command in every situation', function () {
  this.timeout(limit(60_000));
  const outcomes = new Map<string, string[]>(ids.map((id) => [id, []]));
  /** The situations that were tried to their end. */
  const complete = new Set<string>();
  const changing: string[] = [];
  let platform: LocalPlatform;
  let account: Account;
  let person: Canceler | undefined;

  before(async () => {
    platform = await startPlatform();
    account = await signedIn(platform);
    // Without it, terminals only say that it's unknown.
    await setGate({ [account.host]: 'gate.example.com:3022' });
    await shareSomething();
  });

  beforeEach(async () => {
    const { unlocking } = await gantry();
    const { email, password } = platform.sample;
    if (unlocking.of(account.slug) === undefined) await unlocking.unlock(account.slug, email, password);
    person = new Canceler();
  });

  afterEach(async () => {
    person?.leave();
    person = undefined;
    await closeWithoutSaving();
  });

  after(async () => {
    await setGate(undefined);
    const parts = await gantry();
    await parts.unlocking.lockAll();
    await parts.accounts.remove(account.slug);
    await platform.dispose();
  });

  /** Adds favorites and a mount, so that their views have rows. */
  async function shareSomething(): Promise<void> {
    const { favorites, mounts } = (await gantry()).sharing;
    const favorite = { account: account.slug, environment: 'shop', scope: { nodeGroup: 'cp' }, filter: undefined };
    await favorites.add({ ...favorite, path: '/etc/nginx', keyword: 'configuration', isDir: true });
    await favorites.add({ ...favorite, path: '/etc/php.ini', keyword: 'php', isDir: false });
    const [server, database] = ['cp', 'sqldb'].map((layer) => platform.nodes('shop', layer)[0]?.id ?? 0);
    await mkdir(join(platform.nodeFolder(database ?? 0), 'var/lib/backup'), { recursive: true });
    const target = { nodeGroup: 'cp', nodeId: server ?? 0 };
    await mounts.add({
      place: { kind: 'file', account: account.slug, environment: 'shop', target, path: '/mnt/backup' },
      nodeIds: [target.nodeId],
      source: { kind: 'node', nodeId: database ?? 0 },
      sourcePath: '/var/lib/backup',
      protocol: 'NFS4',
      readOnly: true,
      name: 'backups',
    });
  }

  async function attempt(situation: string, id: string, received: readonly unknown[]): Promise<void> {
    if (id in untried) return;
    platform.journal.reset();
    person?.takeNotes();
    let giveUp: NodeJS.Timeout | undefined;
    const late = new Promise((resolve) => {
      giveUp = setTimeout(resolve, longest, 'late');
    });
    const ended = await Promise.race([commands.executeCommand(id, ...received), late]);
    clearTimeout(giveUp);
    const notes = [...(person?.takeNotes() ?? []), ...(await copied()), ...(ended === 'late' ? ["doesn't end"] : [])];
    const sent = platform.journal.arrivals.map(({ operation }) => operation).filter(isChange);
    if (sent.length > 0) changing.push(`${id}, ${situation}: ${[...new Set(sent)].join(', ')}`);
    outcomes.get(id)?.push(`${situation}: ${plain(notes.join('; ')) || 'nothing'}`);
  }

  async function copied(): Promise<readonly string[]> {
    const text = await env.clipboard.readText();
    if (text === '') return [];
    await env.clipboard.writeText('');
    const lines = text.trimEnd().split('\n');
    return [lines.length > 2 ? 'copies several lines' : `copies ${lines.join(' and ')}`];
  }

  /** Leaves out what differs from run to run. */
  const plain = (text: string) =>
    text
      .replaceAll(platform.origin, 'PLATFORM')
      .replaceAll(`${env.uriScheme}://`, 'EDITOR://')
      .replaceAll(/\b(127\.0\.0\.1|localhost)[:-]\d+/g, 'HOST')
      // Shells differ in how a quotation mark is quoted.
      .replaceAll(String.raw`'\''`, "''")
      // Texts in editors are numbered.
      .replaceAll(/(?<=gantry-text:\S*\?)\d+/g, 'NUMBER')
      .replaceAll(/\/\S*gantry-[\w-]+/g, 'FOLDER')
      .replaceAll(/\b\d+(?= files so far)/g, 'NUMBER')
      .replaceAll(/\b[0-9a-f]{7,40}\b/g, 'COMMIT')
      .replaceAll(/\b\d{1,2}:\d{2}(:\d{2})?( [AP]M)?/g, 'TIME')
      .replaceAll(/\b[A-Z][a-z]{2} \d{1,2}(, \d{4})?\b|\d{1,2}\/\d{1,2}\/\d{2,4}|\d{4}-\d{2}-\d{2}/g, 'DATE')
      .replaceAll(/\b(just now|(\d+|an?) (second|minute|hour|day)s? ago)\b/g, 'AGO')
      .replaceAll(/\s+/g, ' ');

  it('is called from the palette with nothing open', async () => {
    for (const id of ids) await attempt('palette', id, []);
    complete.add('palette');
  });

  it('is called from the palette with a container file in the active editor', async () => {
    await openFile();
    for (const id of ids) {
      await attempt('editor', id, []);
      // A command may show something else there, such as the log.
      if (window.activeTextEditor?.document.uri.scheme !== scheme) await openFile();
    }
    complete.add('editor');
  });

  it('is called with the Uri of a file and of a folder', async () => {
    for (const id of ids) {
      await attempt('file', id, [uri('/etc/nginx/nginx.conf')]);
      await attempt('folder', id, [uri('/etc/nginx')]);
    }
    complete.add('file and folder');
  });

  for (const view of views) {
    it(`is called on one row of each kind in ${view}, and on two`, async () => {
      const rows = await rowsOf(view);
      assert.ok(rows.length > 0);
      for (const kind of new Set(rows.map((row) => row.kind))) {
        const [first, second] = rows.filter((row) => row.kind === kind).map(({ element }) => element);
        for (const id of offered(view, kind, false)) await attempt(`row ${view} ${kind}`, id, [first, undefined]);
        if (second === undefined) continue;
        for (const id of offered(view, kind, true)) await attempt(`rows ${view} ${kind}`, id, [first, [first, second]]);
      }
      complete.add(view);
    });
  }

  it('changes nothing on the platform while all questions are canceled', () => {
    assert.deepEqual(changing, []);
  });

  it('acts on the same as before', () => {
    // A page without the others would look as if their commands were gone.
    assert.deepEqual([...complete], ['palette', 'editor', 'file and folder', ...views], 'all situations were tried');
    const sections = new Map<string, readonly string[]>([
      ...outcomes,
      [
        'not tried',
        [
          ...Object.entries(untried).map(([id, why]) => `${id}: ${why}`),
          'rows of search results: there are none without a search',
        ],
      ],
    ]);
    if (process.env['UPDATE_ORACLE'] !== undefined)
      writePage('targets', 'What each command acts on in each situation, if all questions are canceled.', sections);
    comparePage('targets', sections);
  });

  const uri = (path: string): Uri => fileUri(account, 'shop', `cp~${platform.nodes('shop', 'cp')[0]?.id ?? 0}`, path);

  async function openFile(): Promise<void> {
    person?.leave();
    await openInEditor(uri('/etc/nginx/nginx.conf'));
    person = new Canceler();
  }

  /** Returns up to two rows of each kind of a view. */
  async function rowsOf(id: ViewId): Promise<readonly Row[]> {
    const { environmentsView, accessView, projects, sharing } = await gantry();
    switch (id) {
      case 'gantry.environments':
        return firstRows(environmentsView);
      case 'gantry.favorites':
        return firstRows(sharing.favoritesView);
      case 'gantry.deployments':
        return firstRows(projects.view);
      case 'gantry.mounts':
        return firstRows(sharing.mountsView);
      case 'gantry.access':
        return firstRows(accessView);
      default:
        return [];
    }
  }
});

async function firstRows<E>(view: Tree<E>): Promise<readonly Row[]> {
  const found: Row[] = [];
  let level = await view.getChildren();
  for (let looked = 0; level.length > 0 && looked < mostRows;) {
    const next: E[] = [];
    for (const element of level.slice(0, mostRows - looked)) {
      looked += 1;
      const kind = view.getTreeItem(element).contextValue ?? '';
      if (kind !== '' && found.filter((row) => row.kind === kind).length < 2) found.push({ element, kind });
      next.push(...(await view.getChildren(element)).slice(0, mostChildren));
    }
    level = next;
  }
  return found;
}

function offered(view: ViewId, viewItem: string, listMultiSelection: boolean): readonly string[] {
  const situation = {
    view,
    viewItem,
    listMultiSelection,
    listDoubleSelection: listMultiSelection,
    resourceSelectedForCompare: true,
    'gantry.accounts': 'some',
    'gantry.unlocked': 'some',
    'gantry.clipboard': 'empty',
    'gantry.pinnedProjects': 'some',
  };
  const items = commandsIn('view/item/context').filter(
    ({ when, command = '' }) => holds(when, situation) && holds(enablementOf.get(command), situation),
  );
  return [...new Set(items.flatMap(({ command }) => command ?? []))];
}

/** Sessions also start and end on their own. */
function isChange(operation: string): boolean {
  if (/^Sign(in|out)$/.test(operation)) return false;
  return Object.entries(operationsByName).some(([name, { effect }]) => name === operation && effect === 'write');
}
