import { Disposable, type TreeView } from 'vscode';
import type { FeatureApis } from './featureApis';
import { Lazy, type Loadable } from './lazy';
import type { CommandId, ViewId } from './manifest';
import type { Host, Levels } from './services';
import { createLazyTree, type LazyTreeOptions, type ViewContent } from './wiring/loading/lazyProviders';
import { type CommandTable, registerCommands } from './wiring/registerCommands';

type Level = keyof Levels;

interface Owned {
  dispose(): unknown;
}

/** Disposes a thing with the feature that made it, and returns it. */
export type Own = <T extends Owned>(thing: T) => T;

type ApiOf<Id> = Id extends keyof FeatureApis ? FeatureApis[Id] : unknown;

/** What must be there once a feature is loaded: what other features call, each declared command, and the declared view. */
type Declared<Id, C extends CommandId, V extends ViewId> = ApiOf<Id> &
  ([C] extends [never] ? unknown : { readonly commands: CommandTable<C> }) &
  ([V] extends [never] ? unknown : ViewContent<unknown>);

interface FeatureDefinition<Id extends string, L extends Level, C extends CommandId, V extends ViewId> {
  readonly id: Id;
  /** The services that it's built from. They are loaded before it. */
  readonly needs: L;
  /** Features that are loaded before it. */
  readonly after?: readonly Loadable<unknown>[];
  readonly commands?: readonly C[];
  readonly view?: { readonly id: V } & Omit<LazyTreeOptions, 'report' | 'recent'>;
}

interface Loading<L extends Level, View, T> {
  /** @param view exists before the feature is loaded */
  readonly load: (services: Levels[L], own: Own, view: View) => Promise<T>;
}

/** How commands and views get to VS Code. A test that builds a second Gantry in one window passes its own. */
export interface Registrar {
  readonly registerCommands: typeof registerCommands;
  readonly createTree: typeof createLazyTree;
}

/** What features register with at activation. */
export class Gantry implements Disposable {
  private readonly owned: Owned[] = [];
  /** Disposes a thing with the extension, and returns it. */
  readonly own: Own = owner(this.owned);

  constructor(
    readonly host: Host,
    private readonly levels: { readonly [L in Level]: Loadable<Levels[L]> },
    private readonly registrar: Registrar = { registerCommands, createTree: createLazyTree },
  ) {}

  /** Adds a feature. The first command, or the first look at its view, loads its code. */
  add<
    Id extends string,
    L extends Level,
    T extends Declared<Id, C, V>,
    C extends CommandId = never,
    V extends ViewId = never,
  >(
    definition: FeatureDefinition<Id, L, C, V> & Loading<L, [V] extends [never] ? undefined : TreeView<unknown>, T>,
  ): Lazy<T>;
  // If no commands or no view are declared, none are asked for. So here, what is loaded can count as having both.
  add<L extends Level, C extends CommandId, T extends ViewContent<unknown> & { readonly commands: CommandTable<C> }>(
    definition: FeatureDefinition<string, L, C, ViewId> & Loading<L, TreeView<unknown> | undefined, T>,
  ): Lazy<T> {
    const { needs, after = [], commands = [], view, load } = definition;
    const { report, recent } = this.host;
    const feature = new Lazy<T>(async () => {
      const [services] = await Promise.all([this.levels[needs].load(), ...after.map((one) => one.load())]);
      const made: Owned[] = [];
      try {
        return await load(services, owner(made), tree);
      } catch (error) {
        disposeAll(made.splice(0));
        throw error;
      } finally {
        this.owned.push(...made);
      }
    });
    const tree: TreeView<unknown> | undefined =
      view && this.own(this.registrar.createTree(view.id, feature, (loaded) => loaded, { ...view, report, recent }));
    this.register(() => this.registrar.registerCommands(commands, feature, report));
    return feature;
  }

  /** Registers something with VS Code for as long as the extension is active. */
  register(registration: () => Disposable): void {
    this.own(registration());
  }

  /** Features that were loaded last are disposed first, and the views and commands after all features. */
  dispose(): void {
    disposeAll(this.owned.splice(0));
  }
}

function owner(things: Owned[]): Own {
  return (thing) => {
    things.push(thing);
    return thing;
  };
}

function disposeAll(things: Owned[]): void {
  Disposable.from(...things.reverse()).dispose();
}
