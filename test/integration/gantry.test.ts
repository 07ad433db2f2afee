import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { Disposable, TreeItem, type TreeView, window } from 'vscode';
import { Gantry, type Own, type Registrar } from '../../src/gantry';
import { Lazy, type Loadable, type ViewContent } from '../../src/lazy';
import type { CommandId } from '../../src/manifest';
import type { Levels, LoadedLevel } from '../../src/services';
import { Call } from '../../src/ui/commands/call';
import { command, commandOnNothing } from '../../src/ui/commands/command';
import type { CommandTable } from '../../src/ui/commands/command';
import { gantry as activeGantry } from './support/gantry';
import { hostOfTest } from './support/hostOfTest';

describe('a feature that registers itself', () => {
  let events: string[];
  let run: Map<CommandId, () => Promise<unknown>>;
  let gantry: Gantry;
  const failures: unknown[] = [];
  const owned: Pick<Disposable, 'dispose'>[] = [];

  /** The extension's own Gantry has registered the commands and views already. */
  const registrar: Registrar = {
    register: () => new Disposable(() => events.push('registration disposed')),
    registerCommands<C extends CommandId>(
      ids: readonly C[],
      feature: Loadable<{ readonly commands: CommandTable<C> }>,
    ): Disposable {
      for (const id of ids) run.set(id, () => feature.use(({ commands }) => commands[id](new Call([]))));
      return new Disposable(() => events.push('commands disposed'));
    },
    createTree<T>(_view: object, feature: Loadable<ViewContent<T>>): TreeView<T> {
      return window.createTreeView<T>('gantry.test', {
        treeDataProvider: {
          getTreeItem: (row) => feature.use(({ view }) => view.getTreeItem(row)),
          getChildren: (row) => feature.use(({ view }) => view.getChildren(row)),
        },
      });
    },
  };
  const level = <T>(name: string, create: () => Promise<T>) =>
    new Lazy(() => {
      events.push(name);
      return create();
    });
  const thing = (name: string) => ({ dispose: () => events.push(`${name} disposed`) });
  const undisposable = (name: string) => ({
    dispose: () => {
      throw new Error(`${name} can't be disposed.`);
    },
  });
  /** What importing a feature's file gives. */
  const imported =
    <T>(create: (services: Levels['accounts'], own: Own) => T) =>
    () =>
      Promise.resolve(create);
  const copyCommand = (run: () => unknown) =>
    command(
      'raw',
      (call) => call,
      () => run(),
    );
  const feature = (name: string, create: (own: Own) => void = (own) => own(thing(name))) =>
    gantry.add({
      ...({ id: name, needs: 'accounts' } as const),
      load: imported((_services, own) => {
        events.push(name);
        create(own);
        return { name };
      }),
    });

  beforeEach(() => {
    events = [];
    run = new Map();
    const unused = new Lazy<never>(() => Promise.reject(new Error('not used')));
    const host = hostOfTest({ report: (error) => failures.push(error) }, (thing) => owned.push(thing));
    const ofHost: Levels['host'] = {
      ...host,
      features: {
        accounts: unused,
        signIn: unused,
        files: unused,
        tree: unused,
        treeCommands: unused,
        favorites: unused,
        logs: unused,
        versions: unused,
        restart: unused,
        deployments: unused,
        search: unused,
      },
    };
    const accounts = level<LoadedLevel<'accounts'>>('services', async () => {
      const { accounts, connections, unlocking } = await activeGantry();
      return { services: { ...ofHost, accounts, connections, unlocking } };
    });
    const files = level<LoadedLevel<'files'>>('files', async () => (await activeGantry()).files);
    const tree = level<LoadedLevel<'tree'>>('tree', async () => (await activeGantry()).files);
    const levels = { host: level('host', () => Promise.resolve({ services: ofHost })), accounts, files, tree };
    gantry = new Gantry(host, levels, registrar);
  });

  afterEach(() => {
    gantry.dispose();
    Disposable.from(...owned.splice(0)).dispose();
    assert.deepEqual(failures.splice(0), []);
  });

  it('is loaded by its first command, after its services', async () => {
    const added = gantry.add({
      ...({ id: 'diagnostics' } as const),
      needs: 'tree',
      load: () =>
        Promise.resolve(({ accounts }: Levels['tree']) => {
          events.push('added');
          return { commands: { 'gantry.diagnostics.copy': copyCommand(() => events.push(typeof accounts.list)) } };
        }),
    });
    assert.deepEqual(events, []);
    await run.get('gantry.diagnostics.copy')?.();
    assert.deepEqual(events, ['tree', 'added', 'object']);
    assert.notEqual(added.loaded, undefined);
  });

  it('is loaded without accounts if it needs only what exists at activation', async () => {
    const added = gantry.add({
      ...({ id: 'added', needs: 'host' } as const),
      load: () => Promise.resolve(({ version }: Levels['host']) => ({ version })),
    });
    assert.equal(await added.use(({ version }) => version), '1.2.3');
    assert.deepEqual(events, ['host']);
  });

  it('is loaded when an account is signed out if it stores something for accounts', async () => {
    feature('other');
    const added = gantry.add({
      ...({ id: 'added', needs: 'host', storesForAccounts: true } as const),
      load: () => Promise.resolve(() => ({ forgetAccount: (slug: string) => Promise.resolve(events.push(slug)) })),
    });
    assert.deepEqual(gantry.storing.slice(1), [added]);
    await gantry.storing[1]?.use(({ forgetAccount }) => forgetAccount('a'));
    assert.deepEqual(events, ['host', 'a']);
  });

  it('loads what it needs after a sign-in in the order of the features, one after the other', async () => {
    for (const name of ['first', 'second']) {
      gantry.onDidSignIn(async () => {
        events.push(`${name} begins`);
        await Promise.resolve();
        events.push(`${name} ends`);
      });
    }
    await gantry.noteSignIn();
    assert.deepEqual(events, ['first begins', 'first ends', 'second begins', 'second ends']);
  });

  it('loads nothing before the window closes, and waits for all that must be done by then', async () => {
    const recording = Promise.resolve().then(() => events.push('recorded'));
    gantry.onWillClose(() => Promise.resolve(events.push('at once')));
    gantry.onWillClose(async (settled) => {
      await settled;
      events.push('afterward');
    });
    await gantry.close(recording);
    assert.deepEqual(events, ['at once', 'recorded', 'afterward']);
  });

  it('registers other things with VS Code unless a test does, and disposes them', () => {
    gantry.register(() => {
      throw new Error('The extension has registered this already.');
    });
    gantry.dispose();
    assert.deepEqual(events, ['registration disposed']);
  });

  it('disposes what it made if it cannot be loaded, and is loaded by the next use', async () => {
    let fails = true;
    const added = feature('added', (own) => {
      own(thing('first'));
      own(thing('second'));
      if (fails) throw new Error('It failed.');
    });
    await assert.rejects(added.load(), /It failed/);
    assert.deepEqual(events.splice(0), ['services', 'added', 'second disposed', 'first disposed']);
    fails = false;
    assert.equal(await added.use(({ name }) => name), 'added');
    assert.deepEqual(events, ['added']);
  });

  it('is disposed before the features that were loaded before it, and its commands after all', async () => {
    const [one, other] = [feature('one'), feature('other')];
    await other.load();
    await one.load();
    events.splice(0);
    gantry.dispose();
    assert.deepEqual(events, ['one disposed', 'other disposed', 'commands disposed', 'commands disposed']);
  });

  it('is disposed with what it made after it was loaded, which is disposed at once from then on', async () => {
    let own: Own | undefined;
    const added = feature('added', (ownOfFeature) => {
      own = ownOfFeature;
    });
    await added.load();
    own?.(thing('later'));
    events.splice(0);
    gantry.dispose();
    own?.(thing('too late'));
    assert.deepEqual(events, ['later disposed', 'commands disposed', 'too late disposed']);
  });

  it('is disposed at once if it is loaded after all others were disposed', async () => {
    const added = feature('added', (own) => {
      own(thing('first'));
      gantry.dispose();
      own(thing('second'));
    });
    await added.load();
    assert.deepEqual(events, ['services', 'added', 'commands disposed', 'second disposed', 'first disposed']);
  });

  it('is disposed although another one fails to be disposed, which is reported', async () => {
    const one = feature('one');
    const other = feature('other', (own) => {
      own(thing('first'));
      own(undisposable('second'));
    });
    await one.load();
    await other.load();
    events.splice(0);
    gantry.dispose();
    assert.deepEqual(events, ['first disposed', 'one disposed', 'commands disposed', 'commands disposed']);
    assert.match(String(failures.splice(0)), /^Error: second can't be disposed\.$/);
  });

  it('says why it cannot be loaded, although what it made fails to be disposed', async () => {
    const added = feature('added', (own) => {
      own(thing('first'));
      own(undisposable('second'));
      throw new Error('It failed.');
    });
    await assert.rejects(added.load(), /It failed/);
    assert.deepEqual(events, ['services', 'added', 'first disposed']);
    assert.match(String(failures.splice(0)), /^Error: second can't be disposed\.$/);
  });

  it('compiles only with handlers for exactly its commands and what they act on, the content of its view, and what other features call', () => {
    const doNothing = () => undefined;
    const refresh = commandOnNothing(doNothing);
    const copy = copyCommand(doNothing);
    const neverRun = () => {
      gantry.add({
        id: 'mounts',
        needs: 'accounts',
        // @ts-expect-error The other commands have no handler.
        load: imported(() => ({ commands: { 'gantry.mounts.refresh': refresh } })),
      });
      gantry.add({
        id: 'added',
        needs: 'accounts',
        view: { id: 'gantry.mounts' },
        // @ts-expect-error There is no view.
        load: imported(() => ({ name: 'no view' })),
      });
      gantry.add({
        id: 'diagnostics',
        needs: 'accounts',
        // @ts-expect-error It handles what VS Code passes, whatever that is.
        load: imported(() => ({ commands: { 'gantry.diagnostics.copy': doNothing } })),
      });
      gantry.add({
        id: 'diagnostics',
        needs: 'accounts',
        // @ts-expect-error It acts on nothing, while the table says something of its own.
        load: imported(() => ({ commands: { 'gantry.diagnostics.copy': refresh } })),
      });
      gantry.add({
        id: 'diagnostics',
        needs: 'accounts',
        // @ts-expect-error The second command isn't in its table.
        load: imported(() => ({ commands: { 'gantry.diagnostics.copy': copy, 'gantry.access.refresh': refresh } })),
      });
      gantry.add({
        id: 'added',
        needs: 'accounts',
        view: { id: 'gantry.mounts', dropMimeTypes: ['text/uri-list'] },
        // @ts-expect-error Nothing handles what is dropped.
        load: imported(() => ({ view: { getTreeItem: () => new TreeItem('row'), getChildren: () => [] } })),
      });
      gantry.add({
        id: 'added',
        needs: 'accounts',
        storesForAccounts: true,
        // @ts-expect-error It doesn't delete what it stores.
        load: imported(() => ({ name: 'no forgetAccount' })),
      });
      // @ts-expect-error Other features call more of favorites.
      gantry.add({ id: 'favorites', needs: 'accounts', load: imported(() => ({ targetOf: doNothing })) });
      gantry.add({
        id: 'added',
        needs: 'accounts',
        // @ts-expect-error Only a feature that needs files gets them.
        load: () => Promise.resolve(({ listings }: Levels['files']) => listings),
      });
      const ofView = (_services: unknown, _own: Own, treeView: TreeView<unknown>) => treeView.selection;
      // @ts-expect-error Without a declared view there is none.
      gantry.add({ id: 'added', needs: 'accounts', load: () => Promise.resolve(ofView) });
      const copying = new Lazy(() => Promise.resolve({ commands: { 'gantry.diagnostics.copy': copy } }));
      // @ts-expect-error No table has this name.
      gantry.addCommands('diagnostic', copying);
      gantry.addCommands('diagnostics', copying);
    };
    assert.equal(typeof neverRun, 'function');
  });
});
