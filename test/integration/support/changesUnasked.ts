import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe } from 'node:diagnostics_channel';
import { operationsByName } from '../../../src/platform/contract';
import type { Parts } from '../../../src/extension';

/** Sessions come and go by themselves: at sign-out, and when an unlocked account is locked again. */
const ofSessions: readonly string[] = ['Signin', 'Signout', 'SignoutSessions'];
const changing = new Map(
  Object.entries(operationsByName)
    .filter(([name, { effect }]) => effect === 'write' && !ofSessions.includes(name))
    .map(([name, { path }]) => [path, name]),
);

type Cause = 'asked' | 'looking';

/**
 * Who makes each request: a test that does something, or VS Code for a person who does, has asked for what it leads to.
 * What follows from anything else - looking, hovering, opening, watching, closing - may change nothing.
 */
export class ChangesUnasked {
  private readonly cause = new AsyncLocalStorage<Cause>();
  private readonly wrapped = new WeakSet<object>();
  private readonly found: string[] = [];

  constructor() {
    // undici tells of a request where it is made, so that what led there is still known.
    subscribe('undici:request:create', (message) => this.note(pathOf(message)));
  }

  /** From here on, what a test does is asked for. */
  beginTest(): void {
    this.cause.enterWith('asked');
  }

  takeFound(): readonly string[] {
    return this.found.splice(0);
  }

  /** Tells apart what VS Code calls: to look, or because somebody wants a change. */
  tellApart({ files, watching, environmentsView, accessView, projects, sharing }: Parts): void {
    this.tell(files.fileSystem, 'asked', ['writeFile', 'createDirectory', 'delete', 'rename', 'copy']);
    this.tell(files.fileSystem, 'looking', ['stat', 'readDirectory', 'readFile', 'watch']);
    this.tell(watching, 'looking', ['lookAround']);
    for (const view of [environmentsView, accessView, projects.view, sharing.favoritesView, sharing.mountsView]) {
      this.tell(view, 'looking', ['getChildren', 'getTreeItem', 'resolveTreeItem', 'getParent']);
    }
  }

  /** What these methods lead to has this cause. */
  tell(whole: object, cause: Cause, methods: readonly string[]): void {
    for (const method of methods) {
      const own: unknown = Reflect.get(whole, method);
      if (typeof own !== 'function' || this.wrapped.has(own)) continue;
      const call = own.bind(whole) as (...given: readonly unknown[]) => unknown;
      const told = (...given: readonly unknown[]) => this.cause.run(cause, () => call(...given));
      this.wrapped.add(told);
      Reflect.set(whole, method, told);
    }
  }

  private note(path: string): void {
    const operation = changing.get(/\/rest\/(\w+)$/.exec(path)?.[1] ?? '');
    if (operation === undefined) return;
    const cause = this.cause.getStore();
    if (cause !== 'asked') this.found.push(`${operation}, ${cause ?? 'by itself'}: ${new Error().stack ?? ''}`);
  }
}

function pathOf(message: unknown): string {
  const request: unknown =
    typeof message === 'object' && message !== null ? Reflect.get(message, 'request') : undefined;
  const path: unknown = typeof request === 'object' && request !== null ? Reflect.get(request, 'path') : undefined;
  return typeof path === 'string' ? path.replace(/\?.*$/, '') : '';
}
