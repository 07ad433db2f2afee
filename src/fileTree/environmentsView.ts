import type { TreeItem } from 'vscode';
import type { Account, Accounts } from '../accounts/accounts';
import type { Environment, Layer } from '../containers/environment';
import { rootOf } from '../containers/environmentIndex';
import type { Environments } from '../containers/environments';
import type { Listings } from '../containers/listings';
import { type FilePlace, parentOf } from '../containers/place';
import type { ServerSideOperations } from '../containers/serverSideOperations';
import type { EnvironmentElement, ProblemElement } from '../trees/environmentElement';
import { environmentTreeRow } from './environmentRows';
import { FolderContents } from '../trees/folderContents';
import { rootsOf, RowTreeProvider } from '../trees/rowTreeProvider';

type Parent = Exclude<EnvironmentElement, ProblemElement>;

/** Environments, their layers and nodes, and the files in them. */
export class EnvironmentsView extends RowTreeProvider<EnvironmentElement> {
  private readonly contents: FolderContents;

  constructor(
    private readonly accounts: Accounts,
    private readonly environments: Environments,
    listings: Listings,
    work: ServerSideOperations,
  ) {
    super();
    this.contents = new FolderContents(listings, work);
    const refresh = () => this.refreshAll();
    this.follow(accounts.onDidChange(refresh), environments.onDidChange(refresh));
  }

  getTreeItem(element: EnvironmentElement): TreeItem {
    return environmentTreeRow(element);
  }

  /** What is below an element is asked for again when it is next seen; what is known is not forgotten here. */
  refresh(element: EnvironmentElement | undefined): void {
    this.showAnew(element);
  }

  /** A file or folder as it is shown in a folder that has a row, be it folded as yet. */
  async elementAt(folder: FilePlace, name: string): Promise<EnvironmentElement | undefined> {
    const parent = this.unfolded.showing([folder])[0] ?? (await this.rowOf(folder));
    const children = parent === undefined ? [] : await this.getChildren(parent);
    return children.find((child) => child.kind === 'entry' && !child.isConfiguration && child.entry.name === name);
  }

  /** A folder's row, where it stands below an unfolded one or among the configuration of an unfolded node. */
  private async rowOf(folder: FilePlace): Promise<EnvironmentElement | undefined> {
    const above = this.unfolded.showing([parentOf(folder) ?? folder, { ...folder, path: '/' }]);
    const rows = (await Promise.all(above.map((one) => this.getChildren(one)))).flat();
    return rows.find((row) => row.kind === 'entry' && row.place.path === folder.path);
  }

  private refreshAll(): void {
    this.unfolded.clear();
    this.contents.forget();
    this.showAnew(undefined);
  }

  protected override problem(of: EnvironmentElement | undefined, error: unknown): EnvironmentElement {
    return problemAt(of?.kind === 'problem' ? of.of : of, error);
  }

  protected override async below(element: EnvironmentElement | undefined): Promise<EnvironmentElement[]> {
    switch (element?.kind) {
      case undefined:
        return rootsOf(this.accounts, (account) => this.environmentsOf(account, undefined));
      case 'account':
        return this.environmentsOf(element.account, element);
      case 'signedOut':
      case 'absence':
      case 'unlisted':
      case 'problem':
        return [];
      case 'environment':
        return element.environment.layers.map((layer) => ({ kind: 'layer', environment: element.environment, layer }));
      case 'layer':
        return nodeElements(element.environment, element.layer);
      case 'node':
        this.unfolded.note(element.place, environmentTreeRow(element).id ?? '', element);
        return this.contents.ofNode(element, (error) => problemAt(element, error, 'configuration'));
      case 'entry':
        this.unfolded.note(element.place, environmentTreeRow(element).id ?? '', element);
        return element.entry.isDir ? this.contents.ofFolder(element.place, element.via) : [];
    }
  }

  private async environmentsOf(account: Account, of: Parent | undefined): Promise<EnvironmentElement[]> {
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

function nodeElements(environment: Environment, layer: Layer): EnvironmentElement[] {
  return layer.nodes.length === 0
    ? [{ kind: 'node', node: unknownNode(layer), place: rootOf(environment, layer) }]
    : layer.nodes.map((node) => ({ kind: 'node', node, place: rootOf(environment, layer, node.id) }));
}

/** Where the person named a layer alone, its nodes are not known: the platform chooses one. */
function unknownNode({ name }: Layer): Extract<EnvironmentElement, { kind: 'node' }>['node'] {
  const unsaid = { type: undefined, takesProjects: undefined, contextPattern: undefined };
  return { id: 0, name, isMaster: false, singleContext: false, ...unsaid };
}

function problemAt(of: Parent | undefined, error: unknown, part = ''): ProblemElement {
  const id = `problem ${part} ${of === undefined ? '' : (environmentTreeRow(of).id ?? '')}`;
  return { kind: 'problem', id, error, of };
}
