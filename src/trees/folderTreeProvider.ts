import type { Accounts } from '../accounts/accounts';
import type { Environment, Layer, Node } from '../containers/environment';
import type { Environments } from '../containers/environments';
import type { Listings } from '../containers/listings';
import { childOf, type FilePlace, keyOf, placeOnLayer } from '../containers/place';
import type { FileEntry } from '../platform/wire/fileEntry';
import { RowTreeProvider } from './rowTreeProvider';
import type { EntryElement, LayerElement, NodeElement, SharedElement, TreeElement } from './sharedElement';

const byName = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });

export interface FolderTreeDeps {
  readonly accounts: Accounts;
  readonly environments: Environments;
  readonly listings: Listings;
}

/** A view in which folders can be unfolded. */
export abstract class FolderTreeProvider<Own extends TreeElement> extends RowTreeProvider<Own> {
  /** The rows that show what folders hold, by folder and their ids: one folder may be shown in several places. */
  private readonly unfolded = new Map<string, Map<string, Own | SharedElement>>();

  protected readonly environments: Environments;
  protected readonly listings: Listings;

  constructor({ accounts, environments, listings }: FolderTreeDeps) {
    super(accounts);
    this.environments = environments;
    this.listings = listings;
    const refresh = () => this.refresh();
    this.follow(environments.onDidChange(refresh), this.accounts.onDidChangeRights(refresh));
  }

  override refresh(): void {
    this.unfolded.clear();
    super.refresh();
  }

  /** Refreshes these folders wherever they are shown. */
  refreshFolders(folders: readonly FilePlace[]): void {
    const rows = this.rowsShowing(folders);
    if (rows.length > 0) {
      this.refreshRows(rows);
    }
  }

  protected rowsShowing(folders: readonly FilePlace[]): (Own | SharedElement)[] {
    const keys = new Set(folders.map(keyOf));
    return [...keys].flatMap((key) => [...(this.unfolded.get(key)?.values() ?? [])]);
  }

  protected async entriesBelow(row: EntryElement): Promise<EntryElement[]> {
    this.noteFolder(row.place, row);
    return row.entry.isDir ? this.entriesIn(row.place, row.via) : [];
  }

  protected async entriesIn(folder: FilePlace, via: string | undefined): Promise<EntryElement[]> {
    return this.rowsOf(folder, (await this.listings.list(folder)).values(), via);
  }

  /** Returns a folder's rows: folders first, both sorted by name. */
  protected rowsOf(folder: FilePlace, entries: Iterable<FileEntry>, via: string | undefined): EntryElement[] {
    const isOnSeveralNodes = this.hasSeveralNodes(folder);
    const sorted = [...entries].sort((a, b) => Number(b.isDir) - Number(a.isDir) || byName.compare(a.name, b.name));
    return sorted.map((entry) => {
      const place = childOf(folder, entry.name);
      return { kind: 'entry', place, entry, via, isConfiguration: false, isOnSeveralNodes };
    });
  }

  protected hasSeveralNodes({ account, environment, target }: FilePlace): boolean {
    const layer = this.environments.knownLayer(account, environment, target.nodeGroup);
    return layer !== undefined && layer.nodes.length > 1;
  }

  /** Remembers that a row shows what a folder holds. */
  protected noteFolder(folder: FilePlace, row: Own | SharedElement): void {
    const rows = this.unfolded.get(keyOf(folder)) ?? new Map<string, Own | SharedElement>();
    this.unfolded.set(keyOf(folder), rows.set(this.getTreeItem(row).id ?? '', row));
  }
}

export function layersOf(environment: Environment): LayerElement[] {
  return environment.layers.map((layer) => ({ kind: 'layer', environment, layer }));
}

export function nodeElement(environment: Environment, layer: Layer, node: Node, isUnfolded = false): NodeElement {
  return { kind: 'node', environment, layer, node, place: placeOnLayer(environment, layer.id, node.id), isUnfolded };
}
