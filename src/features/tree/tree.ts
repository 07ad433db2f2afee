// Loaded with the view. The imports keep the bundler from splitting what later features share into many small files.
import '../../ui/commands/containerPrompt';
import '../../files/wholeText';
import '../../trees/links';
import '../../ui/commands/runner';
import '../../ui/commands/targets';
import { type DataTransfer, DataTransferItem, type TreeView } from 'vscode';
import {
  type FilePlace,
  keyOf,
  nameOf,
  parentOf,
  parentOrSelf,
  type Place,
  placeOnLayer,
} from '../../containers/place';
import type { Own } from '../../gantry';
import type { Services } from '../../services';
import { changedFolders, folderRows, layersOf, nodeElement } from '../../trees/folderRows';
import { retryCommand } from '../../trees/row';
import { sharedKinds } from '../../trees/sharedRows';
import { commandOnNothing } from '../../ui/commands/command';
import { askAboutOpenFolders } from './folderTrustFlow';
import type { Account } from '../../accounts/accounts';
import { SharedCalls } from '../../async/sharedCalls';
import { type Environment, type Layer, undescribedNode } from '../../containers/environment';
import { listLogs, listNodeLogs } from '../../containers/logs/nodeLogs';
import { logFolder } from '../../containers/logs/stackLogs';
import type { FileEntry } from '../../platform/wire/fileEntry';
import {
  type AccountElement,
  byKind,
  type EntryElement,
  type NodeElement,
  type SharedElement,
  type SharedRows,
} from '../../trees/sharedElement';
import { RowTree, showRow } from '../../trees/rowTree';
import { uriOf } from '../../containers/uris';
import { environmentRowMimeType } from '../../manifest';
import { type Dropped, type DroppedFile, droppedUris, uriList } from '../../trees/dropped';

/** The Environments view. */
export function createTree(services: Services, own: Own, treeView: TreeView<unknown>) {
  const { accounts, fileSystem, watching, features, report } = services;
  const isDeployed = (folder: FilePlace) => features.deployments.loaded?.isDeployed(folder) === true;
  const view = own(new EnvironmentsView(services, isDeployed));
  view.keepTimes(treeView);
  own(accounts.onDidSignOut(() => view.forgetConfiguration()));
  own(treeView.onDidExpandElement(() => watching.active()));
  own(fileSystem.onDidChangeFile((changes) => view.refreshFolders(changedFolders(changes))));
  own(askAboutOpenFolders(services));
  return {
    view,
    dragAndDrop: new EnvironmentsDragController(view, (folder, dropped) =>
      features.treeCommands.use(({ drop }) => drop(folder, dropped)).catch(report),
    ),
    commands: {
      'gantry.view.retry': retryCommand,
      'gantry.environments.refresh': commandOnNothing(() => view.readAllAgain()),
    },
    find: (row: object | undefined) => view.find(row),
    targetOf: (row: object | undefined) => view.targetOf(row),
    selection: () => view.selectedIn(treeView),
    show: (place: Place) => showInTree(treeView, view, place),
    reveal: (place: FilePlace) => revealRow(treeView, view, place),
    refreshFolders: (folders: readonly FilePlace[]) => view.refreshFolders(folders),
    readAgain: (folder: FilePlace) => view.readAgain(() => view.refreshFolders([folder])),
  };
}

/** Shows environments, their layers and nodes, and the files in them. */
export class EnvironmentsView extends RowTree<SharedElement> {
  /** Requested only once per node, because the list of configuration paths doesn't change. */
  private readonly configuration = new SharedCalls<readonly FileEntry[]>('untilForgotten');
  private readonly folders: ReturnType<typeof folderRows>;

  /** @param isDeployed whether a folder's files can be compared with what was deployed */
  constructor(
    private readonly services: Pick<
      Services,
      'accounts' | 'environments' | 'containers' | 'listings' | 'serverOperations'
    >,
    isDeployed: (folder: FilePlace) => boolean,
  ) {
    const { accounts, environments } = services;
    const folders = folderRows(services, isDeployed);
    super({
      accounts,
      kinds: byKind<SharedRows>({
        ...sharedKinds,
        environment: { ...sharedKinds.environment, children: ({ environment }) => layersOf(environment) },
        layer: {
          ...sharedKinds.layer,
          children: ({ environment, layer }) => nodesOf(environment, layer),
        },
        node: {
          ...sharedKinds.node,
          folder: ({ place }) => place,
          children: (node) => this.belowNode(node),
          retry: (node) => this.askAgainBelow(node),
        },
        logs: {
          ...sharedKinds.logs,
          children: async ({ place, node }) =>
            this.logsBelow({ ...place, path: logFolder }, await listNodeLogs(place, node.type, services)),
          // Finds out whether an environment runs by now.
          retry: () => environments.refresh(),
        },
        entry: {
          ...folders.entry,
          folder: ({ isLog, place }) => (isLog === true ? undefined : place),
          children: async (entry) =>
            entry.isLog === true
              ? this.logsBelow(entry.place, await listLogs(entry.place, services))
              : ((await folders.entry.children?.(entry)) ?? []),
          retry: (entry) => this.askAgainBelow(entry),
        },
      }),
      ofAccount: (account, under) => this.overview(account, under),
      unfoldsAccounts: false,
    });
    this.folders = folders;
    const refresh = () => this.refresh();
    this.follow(environments.onDidChange(refresh), accounts.onDidChangeRights(refresh));
  }

  /** Makes the configuration of nodes be requested again when they're shown next. */
  forgetConfiguration(): void {
    this.configuration.forgetAll();
  }

  /** Reads everything again because the user asked to. */
  readAllAgain(): Promise<void> {
    return this.readAgain(() => {
      this.services.listings.forgetAll();
      this.forgetConfiguration();
      this.services.environments.refresh();
    });
  }

  /** Returns a file or folder below a folder that has a row, even a collapsed one. */
  async elementAt(folder: FilePlace, name: string): Promise<SharedElement | undefined> {
    const parent = this.rowsShowing([folder])[0] ?? (await this.rowOf(folder));
    const isMeant = (row: SharedElement) => row.kind === 'entry' && !row.isConfiguration && row.entry.name === name;
    return parent && this.findBelow(parent, isMeant);
  }

  private async overview(account: Account, under: AccountElement | undefined): Promise<SharedElement[]> {
    const { environments, absences, failures, isUnlisted } = await this.services.environments.overview(account);
    return [
      ...environments.map((environment) => ({ kind: 'environment', environment }) as const),
      ...failures.map(({ name, error }) => this.problem(under, error, { part: name })),
      ...absences.map((missing) => ({ kind: 'missing', missing }) as const),
      ...(isUnlisted ? [{ kind: 'unlisted', account } as const] : []),
    ];
  }

  /** If its environment was asleep, or being cloned, finds out whether it runs by now, which its own row says. */
  private askAgainBelow(row: NodeElement | EntryElement): void {
    const { environments } = this.services;
    const { account, environment } = row.place;
    if ((environments.known(account, environment)?.status ?? 'running') !== 'running') {
      environments.refresh(account);
    } else {
      this.refresh(row);
    }
  }

  private logsBelow(folder: FilePlace, entries: readonly FileEntry[]): EntryElement[] {
    return this.folders.rowsOf(folder, entries, 'logs').map((element) => ({
      ...element,
      place: { ...element.place, path: element.entry.absolutePath },
      isLog: true,
    }));
  }

  /** Finds a folder's row, below an expanded one or in the configuration of an expanded node. */
  private async rowOf(folder: FilePlace): Promise<SharedElement | undefined> {
    const isMeant = (row: SharedElement) => row.kind === 'entry' && row.place.path === folder.path;
    const above = this.rowsShowing([parentOrSelf(folder), { ...folder, path: '/' }]);
    const rows = await Promise.all(above.map((one) => this.findBelow(one, isMeant)));
    return rows.find((row) => row !== undefined);
  }

  /**
   * Returns the node's configuration first, as the platform names it, then what is in `/`. Either request may fail alone:
   * if `/` may not be listed, the configuration is still shown.
   */
  private async belowNode(element: NodeElement): Promise<SharedElement[]> {
    const [configuration, root] = await Promise.allSettled([
      this.configurationOf(element.place),
      this.folders.listed(element.place, undefined),
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
    const entries = await this.configuration.share(keyOf(node), () =>
      this.services.serverOperations.configuration(node),
    );
    const isOnSeveralNodes = this.folders.isOnSeveralNodes(node);
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

/** Selects a file or folder if its folder has a row and the view is visible. */
async function revealRow(treeView: TreeView<unknown>, view: EnvironmentsView, place: FilePlace): Promise<void> {
  const folder = parentOf(place);
  const element = treeView.visible && folder !== undefined ? await view.elementAt(folder, nameOf(place)) : undefined;
  if (element !== undefined) {
    await treeView.reveal(element, { select: true, focus: false });
  }
}

/** Shows the view and reveals a place in it. Returns whether the place exists. */
function showInTree(treeView: TreeView<unknown>, view: EnvironmentsView, place: Place): Promise<boolean> {
  const shown = { tree: treeView, id: 'gantry.environments' } as const;
  return showRow(shown, () => view.findDown((row) => leadsTo(row, place)), { expand: true });
}

/** Whether the row is the place, or above it. */
function leadsTo(element: SharedElement, place: Place): 'here' | 'below' | undefined {
  switch (element.kind) {
    case 'account':
      return element.account.slug === place.account ? hereIf(place.kind === 'account') : undefined;
    case 'environment': {
      const { account, name } = element.environment;
      const isAbove = place.kind !== 'account' && account === place.account && name === place.environment;
      return isAbove ? hereIf(place.kind === 'environment') : undefined;
    }
    default:
      return place.kind === 'file' ? leadsToFile(element, place) : undefined;
  }
}

function leadsToFile(element: SharedElement, { path, target }: FilePlace): 'here' | 'below' | undefined {
  switch (element.kind) {
    case 'layer':
      return element.layer.id === target.nodeGroup ? hereIf(path === '/' && target.nodeId === undefined) : undefined;
    case 'node':
      // All nodes of a layer have its files, so any node will do.
      return [undefined, element.node.id].includes(target.nodeId) ? hereIf(path === '/') : undefined;
    case 'entry': {
      const isAbove = !element.isConfiguration && `${path}/`.startsWith(`${element.place.path}/`);
      return isAbove ? hereIf(path === element.place.path) : undefined;
    }
    default:
      return undefined;
  }
}

function hereIf(isHere: boolean): 'here' | 'below' {
  return isHere ? 'here' : 'below';
}

/** Lets rows be dragged to folders, editors and other views, and files be dropped on folders. */
export class EnvironmentsDragController {
  constructor(
    private readonly view: Pick<EnvironmentsView, 'targetOf'>,
    private readonly drop: (folder: FilePlace, dropped: Dropped) => Promise<void>,
  ) {}

  handleDrag(source: readonly SharedElement[], transfer: DataTransfer): void {
    const dragged = source.filter((element) => element.kind === 'entry');
    if (dragged.length > 0) {
      const list = dragged.map(({ place }) => uriOf(place).toString()).join('\r\n');
      transfer.set(environmentRowMimeType, new DataTransferItem(dragged));
      transfer.set(uriList, new DataTransferItem(list));
    }
  }

  async handleDrop(target: SharedElement | undefined, transfer: DataTransfer): Promise<void> {
    const onto = this.view.targetOf(target);
    const folder = onto?.isFolder === false ? parentOf(onto.place) : onto?.place;
    const dropped = folder && (await read(transfer));
    if (folder !== undefined && dropped !== undefined) {
      await this.drop(folder, dropped);
    }
  }
}

async function read(transfer: DataTransfer): Promise<Dropped | undefined> {
  const own: unknown = transfer.get(environmentRowMimeType)?.value;
  if (Array.isArray(own)) {
    return { kind: 'entries', entries: own as readonly EntryElement[] };
  }
  const found = droppedFiles(transfer);
  if (found.length > 0) {
    return { kind: 'files', files: found };
  }
  const dropped = await droppedUris(transfer);
  return dropped.length === 0 ? undefined : { kind: 'uris', uris: dropped };
}

/** Ignores files with a URI, because the URI list contains them too, and there they can also be folders. */
function droppedFiles(transfer: DataTransfer): DroppedFile[] {
  return [...transfer].flatMap(([, item]) => {
    const file = item.asFile();
    return file === undefined || file.uri !== undefined ? [] : [{ name: file.name, read: () => file.data() }];
  });
}
