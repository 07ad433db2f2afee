import type { Disposable, TreeView } from 'vscode';
import type { FeatureApis } from './featureApis';
import { createLazyTree, Lazy, type Loadable, type ViewContent, type ViewOptions } from './lazy';
import { type CommandId, commandIdsIn, type CommandTables } from './commands';
import type { ViewId } from './manifest';
import type { Host, LoadedLevel, Levels, StoringFeature } from './services';
import { type CommandTable, registerCommands } from './ui/commands/command';

type Level = keyof Levels;

interface Owned {
  dispose(): unknown;
}

/** Registers an object to be disposed with its feature, at once if that is disposed already. Returns the object. */
export type Own = <T extends Owned>(thing: T) => T;

type ApiOf<Id> = Id extends keyof FeatureApis ? FeatureApis[Id] : unknown;

/** A handler that isn't declared would never be registered. */
type Handlers<C extends CommandId> = CommandTable<C> & Readonly<Partial<Record<Exclude<CommandId, C>, never>>>;

type Content<M extends string> = ViewContent<unknown> &
  ([M] extends [never] ? unknown : Required<ViewContent<unknown>>);

/** What `load` must return: what other features call, its commands, and what the definition declares: a view, that it stores something. */
type Declared<Id, V extends ViewId, M extends string, S extends true> = ApiOf<Id> &
  (Id extends keyof CommandTables ? { readonly commands: Handlers<CommandId & keyof CommandTables[Id]> } : unknown) &
  ([V] extends [never] ? unknown : Content<M>) &
  ([S] extends [never] ? unknown : StoringFeature);

interface FeatureDefinition<Id extends string, L extends Level, V extends ViewId, M extends string, S extends true> {
  /** Its table in commands.ts, if there's one, has the same name. */
  readonly id: Id;
  /** The services that it's built from. They are loaded before it. */
  readonly needs: L;
  readonly view?: ViewOptions<V, M>;
  /** It's loaded when an account is signed out, because it stores something for accounts. */
  readonly storesForAccounts?: S;
}

/** Creates the feature. Its view, if it declares one, exists before. */
type Create<L extends Level, View, T> = (services: Levels[L], own: Own, treeView: View) => T;

interface Loading<L extends Level, View, T> {
  /** Imports the feature's code. */
  readonly load: () => Promise<Create<L, View, T>>;
}

interface DeclaredMenus {
  readonly contributes: { readonly menus: { readonly 'view/title': readonly { readonly command?: string }[] } };
}

/** The `package.json` in a test's host declares nothing. */
function declaresMenus(packageJson: unknown): packageJson is DeclaredMenus {
  return typeof packageJson === 'object' && packageJson !== null && 'contributes' in packageJson;
}

/** How commands, views, and the rest get to VS Code. A test that builds a second Gantry in one window passes its own. */
export interface Registrar {
  readonly registerCommands: typeof registerCommands;
  readonly createTree: typeof createLazyTree;
  readonly register: (registration: () => Disposable) => Disposable;
}

const inVsCode: Registrar = {
  registerCommands,
  createTree: createLazyTree,
  register: (registration) => registration(),
};

/** What features register with at activation. */
export class Gantry implements Disposable {
  private readonly owner: Owner;
  /** The commands in the titles of views, which VS Code calls without a row if none has the focus. */
  private readonly titleCommands: readonly unknown[];

  /** All that is loaded when an account is signed out. */
  readonly storing: Loadable<StoringFeature>[];
  private readonly signInListeners: (() => Promise<unknown>)[] = [];
  private readonly closeListeners: ((settled: Promise<unknown>) => unknown)[] = [];

  constructor(
    readonly host: Host,
    /** The services. A feature may wait for what is loaded of them, but gets those that it needs when it's created. */
    readonly levels: { readonly [L in Level]: Loadable<LoadedLevel<L>> },
    private readonly registrar: Registrar = inVsCode,
  ) {
    this.owner = new Owner(host.report);
    const menus = declaresMenus(host.packageJson) ? host.packageJson.contributes.menus['view/title'] : [];
    this.titleCommands = menus.map(({ command }) => command);
    const { accounts, files } = levels;
    this.storing = [files];
    accounts.whenLoaded(({ services }) =>
      this.own(services.accounts.onDidSignOut(({ slug }) => host.complete(this.forgetAccount(slug)))),
    );
    this.onWillClose(() => accounts.loaded?.services.unlocking.lockAll());
    this.onWillClose(() => files.loaded?.close());
  }

  /** Disposes something with all features. */
  get own(): Own {
    return this.owner.own;
  }

  /** Adds a feature. Its code is loaded on its first use. */
  add<
    Id extends string,
    L extends Level,
    T extends Declared<Id, V, M, S>,
    V extends ViewId = never,
    M extends string = never,
    S extends true = never,
  >(
    definition: FeatureDefinition<Id, L, V, M, S> & Loading<L, [V] extends [never] ? undefined : TreeView<unknown>, T>,
  ): Lazy<T>;
  // Takes every feature as one that declares commands, a view, and storage, although `load` may return less. The code
  // below uses only what the definition declares, and the types above ensure that `load` returns that.
  add<
    L extends Level,
    T extends ViewContent<unknown> & StoringFeature & { readonly commands: CommandTable<CommandId> },
  >(
    definition: FeatureDefinition<string, L, ViewId, string, true> & Loading<L, TreeView<unknown> | undefined, T>,
  ): Lazy<T> {
    const { id, needs, view, storesForAccounts, load } = definition;
    const { report, recent } = this.host;
    const feature = new Lazy<T>(async () => {
      const [{ services }, create] = await Promise.all([this.levels[needs].load(), load()]);
      const made = new Owner(report);
      try {
        const loaded = create(services, made.own, treeView);
        this.owner.own(made);
        return loaded;
      } catch (error) {
        made.dispose();
        throw error;
      }
    });
    const treeView: TreeView<unknown> | undefined =
      view && this.owner.own(this.registrar.createTree(view, feature, report, recent));
    this.registerTable(id, feature);
    if (storesForAccounts) {
      this.storing.push(feature);
    }
    return feature;
  }

  /** Registers the commands of a table. The first one to run loads what they are part of. */
  addCommands<F extends keyof CommandTables>(
    table: F,
    feature: Loadable<{ readonly commands: CommandTable<CommandId & keyof CommandTables[F]> }>,
  ): void;
  // Takes what is registered as all commands, although the type above demands only those of the table.
  addCommands(table: keyof CommandTables, feature: Loadable<{ readonly commands: CommandTable<CommandId> }>): void {
    this.registerTable(table, feature);
  }

  /** Registers nothing if no table has the name, because a feature needn't have commands. */
  private registerTable(table: string, feature: Loadable<{ readonly commands: CommandTable<CommandId> }>): void {
    const { registerCommands: register } = this.registrar;
    this.owner.own(register(commandIdsIn(table), feature, this.host.report, (id) => this.titleCommands.includes(id)));
  }

  /** Registers what is neither a command nor a view, such as a file system. */
  register(registration: () => Disposable): void {
    this.owner.own(this.registrar.register(registration));
  }

  /** Calls the listener when an account is signed in at the start, and whenever the stored accounts change while one is. */
  onDidSignIn(listener: () => Promise<unknown>): void {
    this.signInListeners.push(listener);
  }

  /** Calls the listeners in the order of the features, one after the other. */
  async noteSignIn(): Promise<void> {
    for (const listener of this.signInListeners) {
      await listener();
    }
  }

  /** Removes what is stored for an account that was signed out. If some of it is left, the next window that starts tries again. */
  async forgetAccount(slug: string): Promise<void> {
    const { accounts } = (await this.levels.accounts.load()).services;
    const results = await Promise.allSettled(
      this.storing.map((stored) =>
        // The account may have signed in again while this was loaded.
        stored.use(({ forgetAccount }) => (accounts.find(slug) === undefined ? forgetAccount(slug) : undefined)),
      ),
    );
    const failures = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []));
    failures.forEach((error) => this.host.report(error));
    if (failures.length === 0) {
      await accounts.noteNothingLeft(slug);
    }
  }

  /** Adds work to do before the window closes. VS Code waits a few seconds for it. `settled` resolves once nothing else is recorded. */
  onWillClose(work: (settled: Promise<unknown>) => unknown): void {
    this.closeListeners.push(work);
  }

  async close(settled: Promise<unknown>): Promise<void> {
    await Promise.all(this.closeListeners.map((work) => work(settled)));
  }

  /** Features that were loaded last are disposed first, and the views and commands after all features. */
  dispose(): void {
    this.owner.dispose();
  }
}

/** Disposes what it owns in reverse order. If disposing one fails, the others are still disposed. */
export class Owner implements Disposable {
  /** Undefined once they are disposed. */
  private things: Owned[] | undefined = [];

  constructor(private readonly report: (error: unknown) => void) {}

  readonly own: Own = (thing) => {
    if (this.things === undefined) {
      this.disposeOf(thing);
    } else {
      this.things.push(thing);
    }
    return thing;
  };

  dispose(): void {
    const things = this.things ?? [];
    this.things = undefined;
    things.reverse().forEach((thing) => this.disposeOf(thing));
  }

  private disposeOf(thing: Owned): void {
    try {
      thing.dispose();
    } catch (error) {
      this.report(error);
    }
  }
}
