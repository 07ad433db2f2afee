import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { operationsByName } from '../../../src/platform/contract';
import type { Parts } from './parts';

/** Sessions also start and end on their own: at sign-out, and when an unlocked account is locked again. */
const sessionOperations: readonly string[] = ['Signin', 'Signout', 'SignoutSessions'];
const writes = new Map(
  Object.entries(operationsByName)
    .filter(([name, { effect }]) => effect === 'write' && !sessionOperations.includes(name))
    .map(([name, { path }]) => [path, name]),
);

/** The channel on which Gantry announces each request. */
const requestChannel = 'gantry:request';

type Cause = 'action' | 'viewing';

/**
 * Finds unintended write requests. Everything that a test does is an action, and so is each call by which VS Code carries
 * out a user's change. Anything else, such as browsing, hovering, opening, or watching, must not write.
 */
export class UnintendedWrites {
  private readonly cause = new AsyncLocalStorage<Cause>();
  private readonly tracked = new WeakSet<object>();
  private readonly found: string[] = [];
  private readonly listener = (message: unknown): void => this.check(pathOf(message));

  constructor() {
    subscribe(requestChannel, this.listener);
  }

  dispose(): void {
    unsubscribe(requestChannel, this.listener);
  }

  /** From now on, counts everything in the current async context as an action. */
  beginAction(): void {
    this.cause.enterWith('action');
  }

  /** Returns the writes found since the last call. */
  takeAll(): readonly string[] {
    return this.found.splice(0);
  }

  /** Tracks the methods that VS Code calls, either to show something or to carry out a change. */
  trackExtension(parts: Parts): void {
    const { files, watching, environmentsView, accessView, projects, sharing, variableDocuments, agentTools } = parts;
    this.track(parts.taskActions, 'action', ['redeploy', 'restart']);
    this.track(parts.taskActions, 'viewing', ['followLog', 'find']);
    this.track(parts.taskProvider, 'viewing', ['provideTasks', 'resolveTask']);
    this.track(files.fileSystem, 'action', ['writeFile', 'createDirectory', 'delete', 'rename', 'copy']);
    this.track(files.fileSystem, 'viewing', ['stat', 'readDirectory', 'readFile', 'watch']);
    this.track(variableDocuments, 'action', ['writeFile']);
    this.track(variableDocuments, 'viewing', ['stat', 'readFile', 'watch']);
    this.track(agentTools, 'action', ['invoke']);
    this.track(agentTools, 'viewing', ['prepare']);
    this.track(watching, 'viewing', ['lookAround']);
    for (const view of [environmentsView, accessView, projects.view, sharing.favoritesView, sharing.mountsView]) {
      this.track(view, 'viewing', ['getChildren', 'getTreeItem', 'resolveTreeItem', 'getParent']);
    }
  }

  /** Records this cause for all requests that these methods of an object lead to. */
  track(owner: object, cause: Cause, methods: readonly string[]): void {
    for (const method of methods) {
      const original: unknown = Reflect.get(owner, method);
      if (typeof original !== 'function' || this.tracked.has(original)) continue;
      const call = original.bind(owner) as (...parameters: readonly unknown[]) => unknown;
      const wrapper = (...parameters: readonly unknown[]) => this.cause.run(cause, () => call(...parameters));
      this.tracked.add(wrapper);
      Reflect.set(owner, method, wrapper);
    }
  }

  private check(path: string): void {
    const operation = writes.get(/\/rest\/(\w+)$/.exec(path)?.[1] ?? '');
    if (operation === undefined) return;
    const cause = this.cause.getStore();
    if (cause !== 'action') this.found.push(`${operation}, cause: ${cause ?? 'unknown'}\n${new Error().stack ?? ''}`);
  }
}

function pathOf(message: unknown): string {
  const path: unknown = typeof message === 'object' && message !== null ? Reflect.get(message, 'path') : undefined;
  return typeof path === 'string' ? path : '';
}
