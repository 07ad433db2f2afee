import type { FileEntry } from '../platform/wire/fileEntry';
import type { Listings } from '../containers/listings';
import { childOf, type FilePlace, keyOf } from '../containers/place';
import type { ServerSideOperations } from '../containers/serverSideOperations';
import type { EnvironmentElement, EntryElement, ProblemElement } from './environmentElement';

const byName = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });

/** The rows of folders, and of a node: what the platform names as its configuration comes first, then its root. */
export class FolderContents {
  private readonly configuration = new Map<string, Promise<readonly FileEntry[]>>();

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
    this.configuration.clear();
  }

  private async configurationOf(node: FilePlace): Promise<EntryElement[]> {
    const entries = await this.entriesOf(node);
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

  /** Asked for once: which places these are does not change while a node is looked at. */
  private entriesOf(node: FilePlace): Promise<readonly FileEntry[]> {
    const key = keyOf(node);
    const asked = this.configuration.get(key) ?? this.work.configuration(node);
    this.configuration.set(key, asked);
    asked.catch(() => {
      if (this.configuration.get(key) === asked) {
        this.configuration.delete(key);
      }
    });
    return asked;
  }
}

/** The rows of what a folder holds: folders first, both by name. */
export function entriesOf(folder: FilePlace, entries: Iterable<FileEntry>, via: string | undefined): EntryElement[] {
  return [...entries]
    .sort((a, b) => Number(b.isDir) - Number(a.isDir) || byName.compare(a.name, b.name))
    .map((entry) => ({ kind: 'entry', place: childOf(folder, entry.name), entry, via, isConfiguration: false }));
}
