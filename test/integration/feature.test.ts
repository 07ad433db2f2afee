import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { Disposable, EventEmitter, type Memento, type TreeView, window } from 'vscode';
import { Gantry, type Own, type Registrar } from '../../src/feature';
import { Lazy, type Loadable } from '../../src/lazy';
import type { CommandId } from '../../src/manifest';
import type { Host, Levels } from '../../src/services';
import { RecentErrors } from '../../src/ui/recentErrors';
import { ShownTexts } from '../../src/ui/shownTexts';
import type { ViewContent } from '../../src/wiring/loading/lazyProviders';
import type { CommandTable } from '../../src/wiring/registerCommands';
import { nextEvent } from './support/event';
import { gantry as activeGantry } from './support/gantry';

const state: Memento = {
  keys: () => [],
  get: <T>(_key: string, otherwise?: T) => otherwise as T,
  update: () => Promise.resolve(),
};

describe('a feature that registers itself', () => {
  let events: string[];
  let run: Map<CommandId, () => Promise<unknown>>;
  let gantry: Gantry;
  const failures: unknown[] = [];

  /** The extension's own Gantry has registered the commands and views already. */
  const registrar: Registrar = {
    registerCommands<C extends CommandId>(
      ids: readonly C[],
      feature: Loadable<{ readonly commands: CommandTable<C> }>,
    ): Disposable {
      for (const id of ids) run.set(id, () => feature.use(({ commands }) => commands[id]()));
      return new Disposable(() => events.push('commands disposed'));
    },
    createTree<T, F>(_id: string, feature: Loadable<F>, contentOf: (feature: F) => ViewContent<T>): TreeView<T> {
      return window.createTreeView<T>('gantry.test', {
        treeDataProvider: {
          getTreeItem: (row) => feature.use((loaded) => contentOf(loaded).view.getTreeItem(row)),
          getChildren: (row) => feature.use((loaded) => contentOf(loaded).view.getChildren(row)),
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
  const feature = (name: string, after: readonly Loadable<unknown>[] = []) =>
    gantry.add({
      ...({ id: name, needs: 'accounts', after } as const),
      load: (_services, own) => {
        events.push(name);
        own(thing(name));
        return Promise.resolve({ name });
      },
    });

  beforeEach(() => {
    events = [];
    run = new Map();
    const unused = new Lazy<never>(() => Promise.reject(new Error('not used')));
    const host: Host = {
      report: (error) => failures.push(error),
      ...{ recent: new RecentErrors(), state, texts: new ShownTexts() },
      features: { tree: unused, favorites: unused },
    };
    const accounts = level<Levels['accounts']>('services', async () => {
      const { accounts, unlocking } = await activeGantry();
      return { ...host, accounts, unlocking };
    });
    gantry = new Gantry(host, { accounts, files: unused }, registrar);
  });

  afterEach(() => {
    gantry.dispose();
    assert.deepEqual(failures.splice(0), []);
  });

  it('is loaded by its first command, after its services and the features before it', async () => {
    const before = feature('before');
    const added = gantry.add({
      ...{ id: 'added', after: [before] },
      needs: 'accounts',
      commands: ['gantry.token.create'],
      load: ({ accounts }) => {
        events.push('added');
        return Promise.resolve({ commands: { 'gantry.token.create': () => void events.push(typeof accounts.list) } });
      },
    });
    assert.deepEqual(events, []);
    await run.get('gantry.token.create')?.();
    assert.deepEqual(events, ['services', 'before', 'added', 'object']);
    assert.notEqual(added.loaded, undefined);
  });

  it('disposes what it made if it cannot be loaded, and is loaded by the next use', async () => {
    let fails = true;
    const load = (_services: unknown, own: Own) => {
      own(thing('first'));
      own(thing('second'));
      return fails ? Promise.reject(new Error('It failed.')) : Promise.resolve({ name: 'loaded' });
    };
    const added = gantry.add({ id: 'added', needs: 'accounts', load });
    await assert.rejects(added.load(), /It failed/);
    assert.deepEqual(events.splice(0), ['services', 'second disposed', 'first disposed']);
    fails = false;
    assert.equal(await added.use(({ name }) => name), 'loaded');
    assert.deepEqual(events, []);
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
    const added = gantry.add({
      ...({ id: 'added', needs: 'accounts' } as const),
      load: (_services, ownOfFeature) => {
        own = ownOfFeature;
        return Promise.resolve({});
      },
    });
    await added.load();
    own?.(thing('later'));
    events.splice(0);
    gantry.dispose();
    own?.(thing('too late'));
    assert.deepEqual(events, ['later disposed', 'commands disposed', 'too late disposed']);
  });

  it('is disposed at once if it finishes loading after all others were disposed', async () => {
    const [started, finish] = [new EventEmitter<void>(), new EventEmitter<void>()];
    const isLoading = nextEvent(started.event);
    const added = gantry.add({
      ...({ id: 'added', needs: 'accounts' } as const),
      load: async (_services, own) => {
        own(thing('first'));
        const toFinish = nextEvent(finish.event);
        started.fire();
        await toFinish;
        own(thing('second'));
        return {};
      },
    });
    const loaded = added.load();
    await isLoading;
    gantry.dispose();
    finish.fire();
    await loaded;
    assert.deepEqual(events, ['services', 'commands disposed', 'second disposed', 'first disposed']);
  });

  it('is disposed although another one fails to be disposed, which is reported', async () => {
    const one = feature('one');
    const other = gantry.add({
      ...({ id: 'other', needs: 'accounts' } as const),
      load: (_services, own) => {
        own(thing('first'));
        own(undisposable('second'));
        return Promise.resolve({});
      },
    });
    await one.load();
    await other.load();
    events.splice(0);
    gantry.dispose();
    assert.deepEqual(events, ['first disposed', 'one disposed', 'commands disposed', 'commands disposed']);
    assert.match(String(failures.splice(0)), /^Error: second can't be disposed\.$/);
  });

  it('says why it cannot be loaded, although what it made fails to be disposed', async () => {
    const load = (_services: unknown, own: Own) => {
      own(thing('first'));
      own(undisposable('second'));
      return Promise.reject(new Error('It failed.'));
    };
    await assert.rejects(gantry.add({ id: 'added', needs: 'accounts', load }).load(), /It failed/);
    assert.deepEqual(events, ['services', 'first disposed']);
    assert.match(String(failures.splice(0)), /^Error: second can't be disposed\.$/);
  });

  it('compiles only with a handler for each command, the content of its view, and what other features call', () => {
    const neverRun = () => {
      gantry.add({
        ...{ id: 'added', needs: 'accounts', commands: ['gantry.mount.add', 'gantry.mount.reveal'] },
        // @ts-expect-error The second command has no handler.
        load: () => Promise.resolve({ commands: { 'gantry.mount.add': () => undefined } }),
      });
      gantry.add({
        ...{ id: 'added', needs: 'accounts', view: { id: 'gantry.mounts' } },
        // @ts-expect-error There is no view.
        load: () => Promise.resolve({ name: 'no view' }),
      });
      // @ts-expect-error Other features call more of favorites.
      gantry.add({ id: 'favorites', needs: 'accounts', load: () => Promise.resolve({ targetOf: () => undefined }) });
      // @ts-expect-error Only a feature that needs files gets them.
      gantry.add({ id: 'added', needs: 'accounts', load: (services: Levels['files']) => Promise.resolve(services) });
      // @ts-expect-error Without a declared view there is none.
      gantry.add({ id: 'added', needs: 'accounts', load: (_services, _own, view) => Promise.resolve(view.selection) });
    };
    assert.equal(typeof neverRun, 'function');
  });
});
