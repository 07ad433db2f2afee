import type { TreeItem } from 'vscode';
import type { Accounts } from '../accounts/accounts';
import { type Environment, nodeLabel } from '../containers/environment';
import type { Environments } from '../containers/environments';
import type { Listings } from '../containers/listings';
import type { FilePlace } from '../containers/place';

import type { Client, Export, Mount } from './mount';
import type { Mounts } from './mounts';
import { environmentsIn } from '../trees/environmentRoots';
import { entriesOf } from '../trees/folderContents';
import type {
  ExportElement,
  MountElement,
  MountLayerElement,
  MountNodeElement,
  MountViewElement,
} from './mountElement';
import { exportsTitle, mountId, mountRow, unknownNodeText } from './mountRows';
import { rootsOf, RowTreeProvider } from '../trees/rowTreeProvider';
import { layerOf, mainNodeOf, nodeIn, rootOf } from '../containers/environmentIndex';

export interface MountsViewDeps {
  readonly accounts: Accounts;
  readonly environments: Environments;
  readonly mounts: Mounts;
  readonly listings: Listings;
}

/** The data that nodes share: what is mounted where, by layer and node, and what each node exports to whom. */
export class MountsView extends RowTreeProvider<MountViewElement> {
  constructor(private readonly deps: MountsViewDeps) {
    super();
    const { accounts, environments, mounts } = deps;
    const refresh = () => this.refresh();
    this.follow(...[accounts, environments, mounts].map(({ onDidChange }) => onDidChange(refresh)));
  }

  getTreeItem(element: MountViewElement): TreeItem {
    return mountRow(element);
  }

  refresh(): void {
    this.unfolded.clear();
    this.showAnew(undefined);
  }

  /** Asks again for what the row of a problem stands for. */
  retry(received: unknown): boolean {
    const element = this.find(received);
    if (element?.kind !== 'problem') {
      return false;
    }
    const parent = this.getParent(element);
    switch (parent?.kind) {
      case undefined:
      case 'account':
        this.deps.environments.refresh();
        break;
      case 'mount':
      case 'entry':
        this.deps.listings.forget(parent.place);
        this.showAnew(parent);
        break;
      default:
        // What failed is not kept, so showing it anew asks again.
        this.showAnew(parent);
    }
    return true;
  }

  protected override problem(of: MountViewElement | undefined, error: unknown): MountViewElement {
    return problemAt(of, error);
  }

  protected override async below(element: MountViewElement | undefined): Promise<MountViewElement[]> {
    const { accounts, environments } = this.deps;
    switch (element?.kind) {
      case undefined:
        return rootsOf(accounts, (account) => environmentsIn(account, environments));
      case 'account':
        return environmentsIn(element.account, environments);
      case 'environment':
        return element.environment.layers.map((layer) => ({ kind: 'layer', environment: element.environment, layer }));
      case 'layer':
        return this.sharedIn(element);
      case 'node':
        return this.sharedOn(element);
      case 'export':
        return [...element.clients];
      case 'mount':
        this.unfolded.note(element.place, mountId(element.mount), element);
        return this.entriesIn(element.place, mountId(element.mount));
      case 'entry':
        this.unfolded.note(element.place, mountRow(element).id ?? '', element);
        return element.entry.isDir ? this.entriesIn(element.place, element.via) : [];
      default:
        return [];
    }
  }

  /** What all nodes of the layer have in common, and the nodes. */
  private async sharedIn({ environment, layer }: MountLayerElement): Promise<MountViewElement[]> {
    const { common, own } = await this.deps.mounts.of(environment, layer);
    const known = await this.known(environment);
    const ids = new Set(layer.nodes.map(({ id }) => id));
    // A layer whose nodes are not known shows what the platform says of them all the same.
    const others = [...own].flatMap(([id, mounts]) => (ids.has(id) ? [] : mounts));
    return [
      ...[...common, ...others].map((mount) => mountElement(mount, environment, known)),
      ...layer.nodes.map((node): MountNodeElement => {
        const place = rootOf(environment, layer, node.id);
        return { kind: 'node', environment, layer, node, place, mounts: own.get(node.id) ?? [] };
      }),
    ];
  }

  /** Exports that cannot be learnt do not hide the mounts. */
  private async sharedOn(element: MountNodeElement): Promise<MountViewElement[]> {
    const { environment, node, mounts, place } = element;
    const known = await this.known(environment);
    const rows = mounts.map((mount) => mountElement(mount, environment, known));
    try {
      const exported = await this.deps.mounts.exportsOf(place);
      const where = nodeLabel(node, environment);
      const exports = exported.map((from) => exportElement(from, { where, environment, known }));
      const all = [...rows, ...exports];
      return all.length === 0 ? [{ kind: 'none', of: element }] : all;
    } catch (error) {
      return [...rows, { ...problemAt(element, error), what: exportsTitle() }];
    }
  }

  private async entriesIn(folder: FilePlace, via: string | undefined): Promise<MountViewElement[]> {
    return entriesOf(folder, (await this.deps.listings.list(folder)).values(), via);
  }

  /** The environments in which nodes are found by their numbers. */
  private async known({ account }: Environment): Promise<readonly Environment[]> {
    const found = this.deps.accounts.find(account);
    return found === undefined ? [] : this.deps.environments.of(found);
  }
}

function mountElement(mount: Mount, environment: Environment, known: readonly Environment[]): MountElement {
  const { source, place } = mount;
  const layer = layerOf(place, [environment]);
  const node = layer?.nodes.find(({ id }) => id === place.target.nodeId);
  const standsFor = node ?? (layer && mainNodeOf(layer));
  const from = source.nodeId === undefined ? undefined : nodeIn(source.nodeId, known);
  const host = from === undefined ? source.host : nodeLabel(from.node, from.environment, environment);
  const target = standsFor === undefined ? place.target : { ...place.target, nodeId: standsFor.id };
  return {
    kind: 'mount',
    mount,
    where: node === undefined ? (layer?.name ?? place.target.nodeGroup) : nodeLabel(node, environment),
    source: [host, source.path].filter((part) => part !== undefined && part !== '').join(':'),
    place: { ...place, target },
  };
}

interface Seen {
  /** The exporting node in words, and its environment. */
  readonly where: string;
  readonly environment: Environment;
  readonly known: readonly Environment[];
}

function exportElement(from: Export, seen: Seen): ExportElement {
  const clients = from.clients.map((client) => clientElement(from, client, seen));
  return { kind: 'export', from, where: seen.where, clients, place: from.place };
}

function clientElement(from: Export, client: Client, { environment, known }: Seen) {
  const found = nodeIn(client.nodeId, known);
  const name =
    found === undefined ? unknownNodeText(client.nodeId) : nodeLabel(found.node, found.environment, environment);
  const place = found && {
    ...from.place,
    environment: found.environment.name,
    target: { nodeGroup: found.layer.id, nodeId: client.nodeId },
    path: client.path,
  };
  return { kind: 'client', from, client, name, place } as const;
}

function problemAt(of: MountViewElement | undefined, error: unknown) {
  const id = `problem ${of === undefined ? '' : (mountRow(of).id ?? '')}`;
  return { kind: 'problem', id, error, account: accountOf(of) } as const;
}

function accountOf(element: MountViewElement | undefined): string | undefined {
  switch (element?.kind) {
    case 'account':
      return element.account.slug;
    case 'environment':
    case 'layer':
      return element.environment.account;
    case 'node':
    case 'mount':
    case 'entry':
      return element.place.account;
    default:
      return undefined;
  }
}
