import type { TreeItem, TreeView } from 'vscode';
import type { Account } from '../accounts/accounts';
import { SharedCalls } from '../async/sharedCalls';
import type { Containers } from '../containers/containers';
import { type Environment, type Layer, undescribedNode } from '../containers/environment';
import { listLogs, listNodeLogs, logFolder } from '../containers/nodeLogs';
import { type FilePlace, keyOf, parentOf, placeOnLayer, nameOf, type Place } from '../containers/place';
import type { ServerSideOperations } from '../containers/serverSideOperations';
import type { FileEntry } from '../platform/wire/fileEntry';
import { type FolderTreeDeps, FolderTreeProvider, layersOf, nodeElement } from '../trees/folderTreeProvider';
import { showRow } from '../trees/rowTreeProvider';
import type { AccountElement, EntryElement, NodeElement, SharedElement, TreeElement } from '../trees/sharedElement';
import { sharedRow } from '../trees/sharedRows';

interface EnvironmentsViewDeps extends FolderTreeDeps {
  readonly containers: Pick<Containers, 'account'>;
  readonly work: Pick<ServerSideOperations, 'configuration'>;
  /** Whether a folder's files can be compared with what was deployed. */
  readonly isDeployed: (folder: FilePlace) => boolean;
}

/** Shows environments, their layers and nodes, and the files in them. */
export class EnvironmentsView extends FolderTreeProvider<never> {
  protected override readonly unfoldsAccounts = false;
  /** Requested only once per node, because the list of configuration paths doesn't change. */
  private readonly configuration = new SharedCalls<readonly FileEntry[]>('untilForgotten');

  constructor(private readonly deps: EnvironmentsViewDeps) {
    super(deps);
  }

  getTreeItem(element: SharedElement): TreeItem {
    const { environment }: TreeElement = element;
    return this.withLacks(element, sharedRow(element, environment && this.accounts.find(environment.account)));
  }

  /** Makes the configuration of nodes be requested again when they're shown next. */
  forgetConfiguration(): void {
    this.configuration.forgetAll();
  }

  /** Returns a file or folder below a folder that has a row, even a collapsed one. */
  async elementAt(folder: FilePlace, name: string): Promise<SharedElement | undefined> {
    const parent = this.rowsShowing([folder])[0] ?? (await this.rowOf(folder));
    const children = parent === undefined ? [] : await this.getChildren(parent);
    return children.find((child) => child.kind === 'entry' && !child.isConfiguration && child.entry.name === name);
  }

  protected override async ofAccount(account: Account, under?: AccountElement): Promise<SharedElement[]> {
    const { environments, absences, failures, isUnlisted } = await this.environments.overview(account);
    return [
      ...environments.map((environment) => ({ kind: 'environment', environment }) as const),
      ...failures.map(({ name, error }) => this.problem(under, error, { part: name })),
      ...absences.map((missing) => ({ kind: 'missing', missing }) as const),
      ...(isUnlisted ? [{ kind: 'unlisted', account } as const] : []),
    ];
  }

  protected override async below(element: SharedElement): Promise<SharedElement[]> {
    switch (element.kind) {
      case 'environment':
        return layersOf(element.environment);
      case 'layer':
        return nodesOf(element.environment, element.layer);
      case 'node':
        this.noteFolder(element.place, element);
        return this.belowNode(element);
      case 'logs':
        return this.logsBelow(
          { ...element.place, path: logFolder },
          await listNodeLogs(element.place, element.node.type, this.deps),
        );
      case 'entry':
        return element.isLog === true
          ? this.logsBelow(element.place, await listLogs(element.place, this.deps))
          : this.entriesBelow(element);
      default:
        return [];
    }
  }

  protected override rowsOf(...of: Parameters<FolderTreeProvider<never>['rowsOf']>): EntryElement[] {
    const isDeployed = this.deps.isDeployed(of[0]);
    return super.rowsOf(...of).map((row) => ({ ...row, isDeployed }));
  }

  /** Finds out whether an environment runs by now. */
  protected override askAgain(of: SharedElement | undefined): void {
    if (of?.kind === 'logs') {
      this.environments.refresh();
    } else {
      super.askAgain(of);
    }
  }

  private logsBelow(folder: FilePlace, entries: readonly FileEntry[]): EntryElement[] {
    return this.rowsOf(folder, entries, 'logs').map((element) => ({
      ...element,
      place: { ...element.place, path: element.entry.absolutePath },
      isLog: true,
    }));
  }

  /** Finds a folder's row, below an expanded one or in the configuration of an expanded node. */
  private async rowOf(folder: FilePlace): Promise<SharedElement | undefined> {
    const above = this.rowsShowing([parentOf(folder) ?? folder, { ...folder, path: '/' }]);
    const rows = (await Promise.all(above.map((one) => this.getChildren(one)))).flat();
    return rows.find((row) => row.kind === 'entry' && row.place.path === folder.path);
  }

  /**
   * What the platform names as the node's configuration comes first, then its root. One of the two may fail without the
   * other: a root that may not be listed leaves the configuration to work with.
   */
  private async belowNode(element: NodeElement): Promise<SharedElement[]> {
    const [configuration, root] = await Promise.allSettled([
      this.configurationOf(element.place),
      this.entriesIn(element.place, undefined),
    ]);
    if (root.status === 'rejected' && (configuration.status === 'rejected' || configuration.value.length === 0)) {
      throw root.reason;
    }
    const parts = [configuration, root];
    const [shortcuts, entries] = parts.map((part) => (part.status === 'fulfilled' ? part.value : []));
    const { environment, layer, node, place } = element;
    return [
      ...(shortcuts ?? []),
      ...(place.target.nodeId === undefined ? [] : [{ kind: 'logs', environment, layer, node, place } as const]),
      ...(entries ?? []),
      ...parts.flatMap((part) =>
        part.status === 'rejected' ? [this.problem(element, part.reason, { part: 'configuration' })] : [],
      ),
    ];
  }

  private async configurationOf(node: FilePlace): Promise<EntryElement[]> {
    const entries = await this.configuration.share(keyOf(node), () => this.deps.work.configuration(node));
    const isOnSeveralNodes = this.hasSeveralNodes(node);
    return [...entries]
      .sort((a, b) => Number(b.isDir) - Number(a.isDir))
      .map((entry) => ({
        kind: 'entry',
        place: { ...node, path: entry.absolutePath },
        entry,
        via: entry.absolutePath,
        isConfiguration: true,
        isOnSeveralNodes,
      }));
  }
}

function nodesOf(environment: Environment, layer: Layer): NodeElement[] {
  return layer.nodes.length === 0
    ? [unknownNode(environment, layer)]
    : layer.nodes.map((node) => nodeElement(environment, layer, node));
}

/** A placeholder for a layer that was entered without nodes. The platform chooses the node. */
function unknownNode(environment: Environment, layer: Layer): NodeElement {
  const node = { ...undescribedNode(0), name: layer.name };
  return { kind: 'node', environment, layer, node, place: placeOnLayer(environment, layer.id, undefined) };
}

/** Selects a new entry if its folder has a row and the view is visible. */
export function revealRow(tree: TreeView<SharedElement>, view: EnvironmentsView): (place: FilePlace) => Promise<void> {
  return async (place) => {
    const folder = parentOf(place);
    const element = tree.visible && folder !== undefined ? await view.elementAt(folder, nameOf(place)) : undefined;
    if (element !== undefined) {
      await tree.reveal(element, { select: true, focus: false });
    }
  };
}

/** Shows the view and reveals a place in it. Returns whether the place exists. */
export function showInTree(tree: TreeView<SharedElement>, view: EnvironmentsView): (place: Place) => Promise<boolean> {
  const shown = { tree, id: 'gantry.environments' } as const;
  return (place) => showRow(shown, () => rowOfPlace(place, (parent) => view.getChildren(parent)), { expand: true });
}

type Shows = (element?: SharedElement) => Promise<readonly SharedElement[]>;

/** Finds a place's row from the root down, loading collapsed rows on the way. */
async function rowOfPlace(place: Place, childrenOf: Shows): Promise<SharedElement | undefined> {
  let found: SharedElement | undefined;
  for (;;) {
    const next = (await childrenOf(found)).find((child) => leadsTo(child, place));
    if (next === undefined) {
      return found !== undefined && isAt(found, place) ? found : undefined;
    }
    found = next;
    if (isAt(found, place)) {
      return found;
    }
  }
}

/** Whether the row is the place or one of its ancestors. */
function leadsTo(element: SharedElement, place: Place): boolean {
  switch (element.kind) {
    case 'account':
      return element.account.slug === place.account;
    case 'environment':
      return (
        place.kind !== 'account' &&
        element.environment.account === place.account &&
        element.environment.name === place.environment
      );
    case 'layer':
      return place.kind === 'file' && element.layer.id === place.target.nodeGroup;
    case 'node':
      // All nodes of a layer have its files, so any node will do.
      return place.kind === 'file' && [undefined, element.node.id].includes(place.target.nodeId);
    case 'entry':
      return (
        place.kind === 'file' &&
        !element.isConfiguration &&
        (element.place.path === place.path || place.path.startsWith(`${element.place.path}/`))
      );
    default:
      return false;
  }
}

function isAt(element: SharedElement, place: Place): boolean {
  switch (element.kind) {
    case 'account':
    case 'environment':
      return element.kind === place.kind;
    case 'layer':
      return place.kind === 'file' && place.path === '/' && place.target.nodeId === undefined;
    case 'node':
      return place.kind === 'file' && place.path === '/';
    case 'entry':
      return place.kind === 'file' && element.place.path === place.path;
    default:
      return false;
  }
}
