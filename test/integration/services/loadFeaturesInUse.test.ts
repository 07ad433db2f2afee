import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'mocha';
import { Disposable, languages, type Memento, type TreeView, Uri, window, workspace } from 'vscode';
import { PendingWork } from '../../../src/async/sharedCalls';
import { registerFeatures } from '../../../src/features';
import { Gantry, Owner } from '../../../src/gantry';
import type { Host } from '../../../src/services';
import { createLevels } from '../../../src/services/levels';
import { accountsKey, knownProjectsKey } from '../../../src/storage/storageKeys';
import { loadFeaturesInUse } from '../../../src/services/levels';
import { digestOfText, Texts } from '../../../src/files/journal/journalFiles';
import { Marks } from '../../../src/files/journal/marks';
import { keyOf } from '../../../src/containers/place';
import { WindowPresence } from '../../../src/storage/windows';
import { UserIds } from '../../../src/features/terminal/sshDestination';
import { FileVersions } from '../../../src/features/versions/fileVersions';
import { backupsIn, closedWindow, openJournal } from '../../unit/files/journal/journalSetUp';
import { scratchFolder } from '../../host/folders';
import { type LocalPlatform, startPlatform } from '../../localPlatform/localPlatform';
import { until } from '../support/event';
import { untilTrue } from '../support/untilTrue';
import { hostOfTest } from '../support/hostOfTest';
import { Person } from '../support/person';
import { Keychain } from '../support/personsAccounts';

function versionsIn(folder: string, now: () => number = Date.now): FileVersions {
  return new FileVersions(openJournal(folder, { now }).journal);
}

/** What a window remembers, which other windows change, too. */
class SharedState implements Memento {
  private readonly values = new Map<string, unknown>();

  keys(): readonly string[] {
    return [...this.values.keys()];
  }

  get<T>(key: string, otherwise?: T): T {
    return (this.values.get(key) ?? otherwise) as T;
  }

  update(key: string, value: unknown): Promise<void> {
    this.values.set(key, value);
    return Promise.resolve();
  }
}

describe('a window that just opened', () => {
  let platform: LocalPlatform;
  let gantry: Gantry;
  let features: ReturnType<typeof registerFeatures> & Pick<ReturnType<typeof createLevels>, 'accounts' | 'files'>;
  let host: Host;
  let pending: PendingWork;
  let keychain: Keychain;
  let state: SharedState;
  let storageFolder: string;
  /** Disposes at once what is made after its window was closed, so that the next window can make it. */
  let owner: Owner;
  let tree: TreeView<never>;
  const failures: unknown[] = [];
  const createItem = languages.createLanguageStatusItem.bind(languages);

  before(async () => {
    platform = await startPlatform({ withoutProject: true });
    // The real extension in this window may load its files at any time, and an ID can exist once in an extension.
    let made = 0;
    const createLanguageStatusItem: typeof createItem = (id, selector) => createItem(`${id}.${(made += 1)}`, selector);
    Object.assign(languages, { createLanguageStatusItem });
  });
  beforeEach(() => {
    [keychain, state, storageFolder] = [new Keychain(), new SharedState(), scratchFolder('window')];
    owner = new Owner((error) => failures.push(error));
    const { own } = owner;
    tree = window.createTreeView<never>('gantry.test', {
      treeDataProvider: { getTreeItem: (row) => row, getChildren: () => [] },
    });
    own(tree);
    pending = new PendingWork();
    const parts: Parameters<typeof hostOfTest>[0] = {
      secrets: keychain,
      state,
      storageFolder,
      report: (error) => failures.push(error),
      complete: (work) =>
        void pending.add(
          '',
          work.catch((error: unknown) => failures.push(error)),
        ),
    };
    host = hostOfTest(parts, own);
    const levels = createLevels(host, () => features, own);
    const { accounts, files } = levels;
    gantry = new Gantry(host, levels, {
      registerCommands: () => new Disposable(() => undefined),
      createTree: () => tree,
      register: () => new Disposable(() => undefined),
    });
    own(gantry);
    features = { ...registerFeatures(gantry), accounts, files };
  });
  afterEach(async () => {
    await Promise.all(pending.in(''));
    owner.dispose();
    assert.deepEqual(failures.splice(0), []);
  });
  after(async () => {
    Object.assign(languages, { createLanguageStatusItem: createItem });
    await platform.dispose();
  });

  const open = () => {
    owner.own(loadFeaturesInUse(gantry));
  };
  const loaded = (name: 'accounts' | 'deployments') =>
    new Promise<void>((resolve) => features[name].whenLoaded(() => resolve()));
  /** Once the stored accounts are read, and what is left of others is removed. */
  const untilFollowed = () =>
    new Promise<void>((resolve) => {
      gantry.onDidSignIn(() => {
        resolve();
        return Promise.resolve();
      });
    });
  /** As another window does. */
  const signInElsewhere = async ({ slug = 'a', since }: { readonly slug?: string; readonly since?: number } = {}) => {
    const token = await platform.createToken({ description: 'test', tokenTemplate: 'IDE Plugins' });
    const account = { slug, label: 'A', address: platform.origin, transport: 'form', token, since };
    await keychain.store(accountsKey, JSON.stringify({ [slug]: account }));
  };
  const useProjectElsewhere = () =>
    state.update(knownProjectsKey, [{ account: 'a', environment: 'shop', layer: 'cp', context: 'ROOT' }]);

  it('loads the Environments view before a feature that needs it', async () => {
    await features.favorites.use(() => assert.notEqual(features.tree.loaded, undefined));
  });

  it('shows a project if the user signs in and uses it in another window', async () => {
    open();
    await useProjectElsewhere();
    const shown = loaded('deployments');
    await signInElsewhere();
    await shown;
  });

  it('shows a project that another window used later, as soon as the user goes to another file', async () => {
    await signInElsewhere();
    const signedIn = loaded('accounts');
    open();
    await signedIn;
    await features.accounts.use(({ accounts }) => accounts.untilRead());
    assert.equal(features.deployments.loaded, undefined);
    await useProjectElsewhere();
    const shown = loaded('deployments');
    await window.showTextDocument(await workspace.openTextDocument({ content: 'something' }));
    await shown;
  });

  it('notices a sign-in in another window while it looks for accounts', async () => {
    const signedIn = loaded('accounts');
    open();
    await signInElsewhere();
    await signedIn;
  });

  it('loads nothing if no account is stored, or if a backup was removed', async () => {
    const folder = join(storageFolder, 'journal');
    const target = { nodeGroup: 'cp', nodeId: 1 };
    const place = { kind: 'file', account: 'a', environment: 'shop', target, path: '/etc/a.conf' } as const;
    const backups = backupsIn(folder, closedWindow('closed'));
    await backups.keep({ place, base: { kind: 'unknown' }, text: 'mine' });
    await backups.drop(place);
    await versionsIn(folder).note(place, 'one', 'two');
    open();
    await signInElsewhere();
    await features.accounts.use(({ accounts }) => accounts.untilRead());
    assert.deepEqual([features.files.loaded, features.deployments.loaded], [undefined, undefined]);
  });

  it('reads no text of other windows and accounts, and none that only marks name', async () => {
    const folder = join(storageFolder, 'journal');
    const target = { nodeGroup: 'cp', nodeId: 1 };
    const fileOf = (account: string, path: string) =>
      ({ kind: 'file', account, environment: 'shop', target, path }) as const;
    const base = { kind: 'version', version: { text: 'base', place: fileOf('a', '/etc/a.conf') } } as const;
    const other = new WindowPresence(join(storageFolder, 'windows'));
    for (const cause of ['save', 'overwrite'] as const) {
      await backupsIn(folder, other, { cause }).keep({ place: fileOf('a', '/etc/a.conf'), base, text: 'typed' });
      const gone = fileOf('gone', '/etc/a.conf');
      await backupsIn(folder, closedWindow('closed'), { cause }).keep({ place: gone, base, text: 'typed' });
    }
    const { journal } = openJournal(folder);
    const [conf, page] = [fileOf('a', '/etc/b.conf'), fileOf('a', '/var/www/webroot/ROOT/index.php')];
    const [before, after] = ['one', 'two'].map((text) => ({ digest: digestOfText(text), bytes: 0 }));
    await versionsIn(folder).note(conf, 'one', 'two');
    await new Marks(journal, 'configured').write({ id: keyOf(conf), place: conf, after, saves: [{ at: 1, before }] });
    await new Marks(journal, 'edited').write({ id: keyOf(page), place: page, before });
    const texts: string[] = [];
    const read = Object.getOwnPropertyDescriptor(Texts.prototype, 'read') ?? assert.fail();
    const original = read.value as Texts['read'];
    Object.defineProperty(Texts.prototype, 'read', {
      ...read,
      value(this: Texts, ...parameters: Parameters<Texts['read']>) {
        texts.push(parameters[0].digest);
        return original.apply(this, parameters);
      },
    });
    try {
      await useProjectElsewhere();
      await signInElsewhere();
      open();
      const { recovery, backups, isForOthers, savedConfigurations } = await features.files.load();
      await features.accounts.use(({ accounts }) => accounts.untilRead());
      await features.deployments.load();
      assert.deepEqual(await recovery.unfinished(), []);
      await backups.offerLeft(isForOthers);
      await savedConfigurations.refresh(['a']);
      const [edit] = await features.deployments.use(({ parts }) => parts.nodeEditLog.of('a'));
      assert.equal(edit?.path, page.path);
      assert.ok(savedConfigurations.has(conf));
      assert.deepEqual(texts, []);
      const [undoable] = await savedConfigurations.inLayer({ account: 'a', environment: 'shop', nodeGroup: 'cp' });
      assert.deepEqual([undoable?.after, undoable?.saves], ['two', [{ at: 1, before: 'one' }]]);
    } finally {
      Object.defineProperty(Texts.prototype, 'read', read);
      await other.dispose();
    }
  });

  it('removes versions that are older than they are kept, even if it only opens a file', async () => {
    const folder = join(storageFolder, 'journal');
    const target = { nodeGroup: 'cp', nodeId: 1 };
    const place = { kind: 'file', account: 'a', environment: 'shop', target, path: '/etc/a.conf' } as const;
    await versionsIn(folder, () => Date.now() - 31 * 86_400_000).note(place, 'one', 'two');
    assert.equal((await readdir(join(folder, 'a', 'texts'))).length, 2);
    await features.files.load();
    await Promise.all(pending.in(''));
    assert.equal(features.tree.loaded, undefined);
    assert.deepEqual(await readdir(join(folder, 'a', 'texts')), []);
  });

  it('removes the texts of an account whose sign-out another window began, and nothing of others', async () => {
    const folder = join(storageFolder, 'journal');
    const target = { nodeGroup: 'cp', nodeId: 1 };
    for (const account of ['a', 'gone']) {
      const file = { kind: 'file', account, environment: 'shop', target, path: '/etc/old.conf' } as const;
      await versionsIn(folder).note(file, 'one', 'two');
    }
    const markers = join(storageFolder, 'signed-out');
    await mkdir(markers);
    await writeFile(join(markers, 'gone.json'), String(Date.now()));
    await signInElsewhere();
    const signedIn = loaded('accounts');
    open();
    await signedIn;
    await untilTrue(
      () => !existsSync(join(folder, 'gone')),
      () => 'the texts are still there',
    );
    assert.deepEqual(await readdir(folder), ['a']);
  });

  it('keeps the texts of an account that is signed in, although this computer has an older marker of a sign-out', async () => {
    const folder = join(storageFolder, 'journal');
    const target = { nodeGroup: 'cp', nodeId: 1 };
    const place = { kind: 'file', account: 'a', environment: 'shop', target, path: '/etc/a.conf' } as const;
    await versionsIn(folder).note(place, 'one', 'two');
    await mkdir(join(storageFolder, 'signed-out'));
    await writeFile(join(storageFolder, 'signed-out', 'a.json'), '1');
    await signInElsewhere({ since: 2 });
    const followed = untilFollowed();
    open();
    await followed;
    await Promise.all(pending.in(''));
    assert.equal((await versionsIn(folder).of(place)).length, 2);
  });

  it('keeps the texts of an account that signed in again while they were about to be removed', async () => {
    const folder = join(storageFolder, 'journal');
    const target = { nodeGroup: 'cp', nodeId: 1 };
    const fileOf = (account: string) =>
      ({ kind: 'file', account, environment: 'shop', target, path: '/etc/a.conf' }) as const;
    await versionsIn(folder).note(fileOf('a'), 'one', 'two');
    await versionsIn(folder).note(fileOf('gone'), 'one', 'two');
    await signInElsewhere();
    await features.accounts.use(({ accounts }) => accounts.untilRead());
    await gantry.forgetAccount('a');
    await gantry.forgetAccount('gone');
    assert.deepEqual(await readdir(folder), ['a']);
  });

  it('mentions the scratch folder of a compatibility check whose window closed', async () => {
    const [node] = platform.nodes('shop', 'cp');
    assert.ok(node);
    const name = 'gantry-check-0123abcd';
    await mkdir(join(platform.nodeFolder(node.id), 'var/www/webroot', name));
    const target = { nodeGroup: 'cp', nodeId: node.id };
    const place = { kind: 'file', account: 'a', environment: 'shop', target, path: `/var/www/webroot/${name}` };
    const folder = join(storageFolder, 'scratchFolders', 'a');
    await mkdir(folder, { recursive: true });
    const owner = { window: 'closed', host: hostname() };
    await writeFile(join(folder, `${name}.json`), JSON.stringify({ owner, folders: [place] }));
    await signInElsewhere();
    const person = new Person();
    try {
      open();
      await until(person.onDidSee, () => person.seen.some((text) => text.includes(name)));
      assert.match(
        person.seen.join('\n'),
        /didn't remove its scratch folder \/var\/www\/webroot\/gantry-check-0123abcd/,
      );
    } finally {
      person.leave();
    }
  });

  it('records its first save before it closes, so that a redeploy warns about it', async () => {
    await signInElsewhere();
    const { fileSystem, environments, accounts } = await features.files.load();
    await accounts.untilRead();
    const account = accounts.find('a') ?? assert.fail('signed in');
    const [environment] = await environments.of(account);
    const layer = environment?.layers.find(({ id }) => id === 'cp');
    const node = layer?.nodes[0];
    assert.ok(environment !== undefined && layer !== undefined && node !== undefined);
    const path = `/${environment.name}/${layer.id}~${node.id}/var/www/webroot/note.txt`;
    const uri = Uri.from({ scheme: 'gantry', authority: 'a', path });
    await fileSystem.writeFile(uri, Buffer.from('x'), { create: true, overwrite: true });
    await Promise.all(pending.in(''));
    const { marks: edits } = await new Marks(openJournal(join(storageFolder, 'journal')).journal, 'edited').of('a');
    assert.deepEqual(new Set(edits.map(({ place }) => place.path)), new Set(['/var/www/webroot/note.txt']));
  });

  it('removes versions of files that are too old as soon as the environments are shown', async () => {
    await signInElsewhere();
    const target = { nodeGroup: 'cp', nodeId: 1 };
    const file = { kind: 'file', account: 'a', environment: 'shop', target, path: '/etc/old.conf' } as const;
    const folder = join(storageFolder, 'journal');
    await versionsIn(folder, () => Date.now() - 31 * 86_400_000).note(file, 'one', 'two');
    const kept = async () => (await readdir(join(folder, 'a', 'texts'))).length;
    assert.equal(await kept(), 2);
    await features.tree.load();
    await Promise.all(pending.in(''));
    assert.equal(await kept(), 0);
  });

  describe('what features stored for an account', () => {
    const folders = ['projects/a', 'journal/a', 'drafts/a', 'redeploys/a', 'scratchFolders/a'];
    const intent = () => join(storageFolder, 'signing-out', 'a.json');
    let userIds: UserIds;
    const stored = async () => {
      const paths = await readdir(storageFolder, { recursive: true });
      return [
        ...paths.filter((path) => ['stored.json', 'compatibility/a.json'].some((name) => path.endsWith(name))),
        userIds.entered('a') ?? [],
      ].flat();
    };
    beforeEach(async () => {
      for (const folder of folders) {
        await mkdir(join(storageFolder, folder), { recursive: true });
        await writeFile(join(storageFolder, folder, 'stored.json'), '{}');
      }
      await mkdir(join(storageFolder, 'compatibility'));
      await writeFile(join(storageFolder, 'compatibility/a.json'), '{}');
      userIds = new UserIds(state);
      await userIds.enter('a', 678);
      assert.equal((await stored()).length, 7);
    });
    const beginSignOut = async ({ before = 0 } = {}) => {
      await mkdir(join(storageFolder, 'signing-out'));
      await writeFile(intent(), String(Date.now()));
      const at = new Date(Date.now() - before);
      await utimes(intent(), at, at);
    };

    it('is deleted by five features when it is signed out', async () => {
      const names = gantry.storing.map((stored) => Object.entries(features).find(([, one]) => one === stored)?.[0]);
      assert.deepEqual(names.sort(), ['agents', 'deployments', 'files', 'search', 'terminal']);
      await signInElsewhere();
      const { accounts } = await features.accounts.load();
      await accounts.untilRead();
      await accounts.remove('a');
      await Promise.all(pending.in(''));
      assert.deepEqual(await stored(), []);
      assert.ok(!existsSync(intent()));
    });

    for (const others of [true, false]) {
      it(`is deleted after a window was killed while it signed out, ${others ? 'if others are signed in' : 'also of the last account'}`, async () => {
        await beginSignOut();
        if (others) {
          await signInElsewhere({ slug: 'b' });
        }
        open();
        await untilTrue(
          () => !existsSync(intent()),
          () => 'the sign-out is not over',
        );
        assert.deepEqual(await stored(), []);
        // Windows in a browser have copies of the secret.
        assert.ok(existsSync(join(storageFolder, 'signed-out', 'a.json')));
      });
    }

    it('stays if the window was killed before it removed the secret', async () => {
      await beginSignOut({ before: 120_000 });
      await signInElsewhere();
      const signedIn = loaded('accounts');
      open();
      await signedIn;
      await untilTrue(
        () => !existsSync(intent()),
        () => 'the sign-out is not given up',
      );
      assert.equal((await stored()).length, 7);
      assert.ok(!existsSync(join(storageFolder, 'signed-out', 'a.json')));
    });

    it('is still about to be removed while another window signs out', async () => {
      await beginSignOut();
      await signInElsewhere();
      const followed = untilFollowed();
      open();
      await followed;
      await Promise.all(pending.in(''));
      assert.ok(existsSync(intent()));
      assert.equal((await stored()).length, 7);
    });
  });
});
