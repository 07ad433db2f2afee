import { Disposable, EventEmitter, type TreeDataProvider, type TreeItem } from 'vscode';
import type { Account, Accounts } from '../accounts/accounts';
import type { Environment, Layer } from '../environments/environment';
import type { Environments } from '../environments/environments';
import type { Listings } from '../remote/listings';
import { childOf, type FilePlace } from '../remote/place';
import type { Element } from './element';
import { itemOf } from './environmentItems';
import { Shown } from './shown';

/** Environments, their layers and nodes, and the files in them. */
export class EnvironmentsView implements TreeDataProvider<Element>, Disposable {
  private readonly changed = new EventEmitter<Element | undefined>();
  private readonly shown = new Shown<Element>();
  private readonly subscriptions: readonly Disposable[];
  readonly onDidChangeTreeData = this.changed.event;

  constructor(
    private readonly accounts: Accounts,
    private readonly environments: Environments,
    private readonly listings: Listings,
  ) {
    const refresh = () => this.changed.fire(undefined);
    this.subscriptions = [accounts.onDidChange(refresh), environments.onDidChange(refresh)];
  }

  getTreeItem(element: Element): TreeItem {
    return itemOf(element);
  }

  async getChildren(element?: Element): Promise<Element[]> {
    try {
      return this.shown.add(await this.childrenOf(element));
    } catch (error) {
      // Nothing is shown empty because it could not be fetched.
      return [{ kind: 'problem', id: `problem ${element === undefined ? '' : (itemOf(element).id ?? '')}`, error }];
    }
  }

  /** The element that a command was called on, if it is one of this view's. */
  find(received: unknown): Element | undefined {
    return this.shown.find(received);
  }

  dispose(): void {
    Disposable.from(...this.subscriptions, this.changed).dispose();
  }

  private async childrenOf(element: Element | undefined): Promise<Element[]> {
    switch (element?.kind) {
      case undefined:
        return this.roots();
      case 'account':
        return this.environmentsOf(element.account);
      case 'environment':
        return element.environment.layers.map((layer) => ({ kind: 'layer', environment: element.environment, layer }));
      case 'layer':
        return nodesOf(element.environment, element.layer);
      case 'node':
        return this.entriesOf(element.place);
      case 'entry':
        return element.entry.isDir ? this.entriesOf(element.place) : [];
      case 'problem':
        return [];
    }
  }

  private async roots(): Promise<Element[]> {
    await this.accounts.loaded;
    const [first, ...others] = this.accounts.list;
    if (first === undefined) {
      return [];
    }
    return others.length === 0
      ? this.environmentsOf(first)
      : [first, ...others].map((account) => ({ kind: 'account', account }));
  }

  private async environmentsOf(account: Account): Promise<Element[]> {
    const environments = await this.environments.of(account);
    return environments.map((environment) => ({ kind: 'environment', environment }));
  }

  private async entriesOf(folder: FilePlace): Promise<Element[]> {
    const listing = await this.listings.list(folder);
    return [...listing.values()]
      .sort((a, b) => Number(b.isDir) - Number(a.isDir) || a.name.localeCompare(b.name))
      .map((entry) => ({ kind: 'entry', place: childOf(folder, entry.name), entry }));
  }
}

function nodesOf(environment: Environment, layer: Layer): Element[] {
  return layer.nodes.map((node) => ({
    kind: 'node',
    node,
    place: {
      kind: 'file',
      account: environment.account,
      environment: environment.name,
      target: { nodeGroup: layer.id, nodeId: node.id },
      path: '/',
    },
  }));
}
