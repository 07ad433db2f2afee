import { Disposable, EventEmitter, type TreeDataProvider, type TreeItem } from 'vscode';
import type { Account, Accounts } from '../accounts/accounts';
import type { Environment, Layer } from '../environments/environment';
import type { Environments } from '../environments/environments';
import type { Listings } from '../remote/listings';
import { type FilePlace, keyOf } from '../remote/place';
import type { PlatformWork } from '../remote/platformWork';
import type { Element, ProblemElement } from './element';
import { itemOf } from './environmentItems';
import { FolderContents } from './folderContents';
import { Shown } from './shown';

type Parent = Exclude<Element, ProblemElement>;

/** Environments, their layers and nodes, and the files in them. */
export class EnvironmentsView implements TreeDataProvider<Element>, Disposable {
  private readonly changed = new EventEmitter<Element | Element[] | undefined>();
  private readonly shown = new Shown<Element>();
  private readonly parents = new WeakMap<Element, Parent>();
  private readonly unfolded = new Map<string, Map<string, Parent>>();
  private readonly contents: FolderContents;
  private readonly subscriptions: readonly Disposable[];
  readonly onDidChangeTreeData = this.changed.event;

  constructor(
    private readonly accounts: Accounts,
    private readonly environments: Environments,
    listings: Listings,
    work: PlatformWork,
  ) {
    this.contents = new FolderContents(listings, work);
    const refresh = () => this.refreshAll();
    this.subscriptions = [accounts.onDidChange(refresh), environments.onDidChange(refresh)];
  }

  getTreeItem(element: Element): TreeItem {
    return itemOf(element);
  }

  getParent(element: Element): Element | undefined {
    return this.parents.get(element);
  }

  async getChildren(element?: Element): Promise<Element[]> {
    if (element?.kind === 'problem') {
      return [];
    }
    const children = await this.childrenOf(element).catch((error: unknown) => [
      // Nothing is shown empty because it could not be fetched.
      problemAt(element, error),
    ]);
    if (element !== undefined) {
      children.forEach((child) => this.parents.set(child, element));
    }
    return this.shown.add(children);
  }

  /** The element that a command was called on, if it is one of this view's. */
  find(received: unknown): Element | undefined {
    return this.shown.find(received);
  }

  /** What is below an element is asked for again when it is next seen; what is known is not forgotten here. */
  refresh(element: Element | undefined): void {
    this.changed.fire(element);
  }

  /** These folders hold something else now: wherever they are shown, they are shown anew. */
  refreshFolders(folders: readonly FilePlace[]): void {
    const keys = new Set(folders.map(keyOf));
    const elements = [...keys].flatMap((key) => [...(this.unfolded.get(key)?.values() ?? [])]);
    if (elements.length > 0) {
      this.changed.fire(elements);
    }
  }

  /** A file or folder as it is shown in a folder that was unfolded. */
  async elementAt(folder: FilePlace, name: string): Promise<Element | undefined> {
    const parent = this.unfolded.get(keyOf(folder))?.values().next().value;
    const children = parent === undefined ? [] : await this.getChildren(parent);
    return children.find((child) => child.kind === 'entry' && !child.isConfiguration && child.entry.name === name);
  }

  dispose(): void {
    Disposable.from(...this.subscriptions, this.changed).dispose();
  }

  private refreshAll(): void {
    this.unfolded.clear();
    this.contents.forget();
    this.changed.fire(undefined);
  }

  private async childrenOf(element: Parent | undefined): Promise<Element[]> {
    switch (element?.kind) {
      case undefined:
        return this.roots();
      case 'account':
        return this.environmentsOf(element.account, element);
      case 'signedOut':
      case 'absence':
      case 'unlisted':
        return [];
      case 'environment':
        return element.environment.layers.map((layer) => ({ kind: 'layer', environment: element.environment, layer }));
      case 'layer':
        return nodesOf(element.environment, element.layer);
      case 'node':
        this.unfold(element);
        return this.contents.ofNode(element, (error) => problemAt(element, error, 'configuration'));
      case 'entry':
        this.unfold(element);
        return element.entry.isDir ? this.contents.ofFolder(element.place, element.via) : [];
    }
  }

  private unfold(element: Extract<Parent, { kind: 'node' | 'entry' }>): void {
    const key = keyOf(element.place);
    const ways = this.unfolded.get(key) ?? new Map<string, Parent>();
    this.unfolded.set(key, ways.set(itemOf(element).id ?? '', element));
  }

  private async roots(): Promise<Element[]> {
    await this.accounts.loaded;
    const [first, ...others] = this.accounts.list;
    if (first === undefined) {
      return [];
    }
    return others.length === 0
      ? this.environmentsOf(first, undefined)
      : [first, ...others].map((account) => ({ kind: 'account', account }));
  }

  private async environmentsOf(account: Account, of: Parent | undefined): Promise<Element[]> {
    if (account.isSignedOut) {
      return [{ kind: 'signedOut', account }];
    }
    const { environments, absences, failures, isUnlisted } = await this.environments.overview(account);
    return [
      ...environments.map((environment) => ({ kind: 'environment', environment }) as const),
      ...failures.map(({ name, error }) => problemAt(of, error, name)),
      ...absences.map((absence) => ({ kind: 'absence', absence }) as const),
      ...(isUnlisted ? [{ kind: 'unlisted', account } as const] : []),
    ];
  }
}

function nodesOf(environment: Environment, layer: Layer): Element[] {
  const { account, name } = environment;
  const at = { kind: 'file', account, environment: name, path: '/' } as const;
  if (layer.nodes.length === 0) {
    return [{ kind: 'node', node: unknownNode(layer), place: { ...at, target: { nodeGroup: layer.id } } }];
  }
  return layer.nodes.map((node) => ({
    kind: 'node',
    node,
    place: { ...at, target: { nodeGroup: layer.id, nodeId: node.id } },
  }));
}

/** Where the person named a layer alone, its nodes are not known: the platform chooses one. */
function unknownNode({ name }: Layer): Extract<Element, { kind: 'node' }>['node'] {
  const unsaid = { type: undefined, takesProjects: undefined, contextPattern: undefined };
  return { id: 0, name, isMaster: false, singleContext: false, ...unsaid };
}

function problemAt(of: Parent | undefined, error: unknown, part = ''): ProblemElement {
  const id = `problem ${part} ${of === undefined ? '' : (itemOf(of).id ?? '')}`;
  return { kind: 'problem', id, error, of };
}
