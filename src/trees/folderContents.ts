import { SharedCalls } from '../async/sharedCalls';
import type { FileEntry } from '../platform/wire/fileEntry';
import type { Listings } from '../containers/listings';
import { childOf, type FilePlace, keyOf } from '../containers/place';
import type { ServerSideOperations } from '../containers/serverSideOperations';
import type { EnvironmentElement, EntryElement, ProblemElement } from './environmentElement';

const byName = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });

/** The rows of folders, and of a node: what the platform names as its configuration comes first, then its root. */
export class FolderContents {
  private readonly configuration = new SharedCalls<readonly FileEntry[]>('untilForgotten');

  constructor(
    private readonly listings: Listings,
    private readonly work: ServerSideOperations,
  ) {}

  async ofFolder(folder: FilePlace, via: string | undefined): Promise<EntryElement[]> {
    return entriesOf(folder, (await this.listings.list(folder)).values(), via);
  }

  /** One of the two may fail without the other: a root that may not be listed leaves the configuration to work with. */
  async ofNode(
    { place }: Extract<EnvironmentElement, { kind: 'node' }>,
    problem: (error: unknown) => ProblemElement,
  ): Promise<EnvironmentElement[]> {
    const [configuration, root] = await Promise.allSettled([
      this.configurationOf(place),
      this.ofFolder(place, undefined),
    ]);
    if (root.status === 'rejected' && (configuration.status === 'rejected' || configuration.value.length === 0)) {
      throw root.reason;
    }
    const rows = configuration.status === 'fulfilled' ? configuration.value : [];
    const failed = [configuration, root].flatMap((part) => (part.status === 'rejected' ? [problem(part.reason)] : []));
    return [...rows, ...(root.status === 'fulfilled' ? root.value : []), ...failed];
  }

  forget(): void {
    this.configuration.forgetAll();
  }

  private async configurationOf(node: FilePlace): Promise<EntryElement[]> {
    // Asked for once: which places these are does not change while a node is looked at.
    const entries = await this.configuration.share(keyOf(node), () => this.work.configuration(node));
    return [...entries]
      .sort((a, b) => Number(b.isDir) - Number(a.isDir))
      .map((entry) => ({
        kind: 'entry',
        place: { ...node, path: entry.absolutePath },
        entry,
        via: entry.absolutePath,
        isConfiguration: true,
      }));
  }
}

/** The rows of what a folder holds: folders first, both by name. */
export function entriesOf(folder: FilePlace, entries: Iterable<FileEntry>, via: string | undefined): EntryElement[] {
  return [...entries]
    .sort((a, b) => Number(b.isDir) - Number(a.isDir) || byName.compare(a.name, b.name))
    .map((entry) => ({ kind: 'entry', place: childOf(folder, entry.name), entry, via, isConfiguration: false }));
}
