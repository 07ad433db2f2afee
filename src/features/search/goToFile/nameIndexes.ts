import { type FilePlace, isPathWithin, isSameContainer } from '../../../containers/place';
import { NameIndex, type NameIndexDeps } from './nameIndex';

/** All indexes together may hold so many names and folders. */
const maxNames = 100_000;

/** The indexes of file names in this window, by folder. One index also serves the folders below. */
export class NameIndexes {
  /** The least recently used first. */
  private all: readonly NameIndex[] = [];

  /** @param exclude patterns for files and folders that aren't in any index */
  constructor(
    private readonly deps: Omit<NameIndexDeps, 'room'>,
    private readonly exclude: () => readonly string[],
    private readonly bound = maxNames,
  ) {}

  /** The number of names and folders in all indexes. */
  get size(): number {
    return this.all.reduce((sum, { size }) => sum + size, 0);
  }

  /** Returns the index with the names below a folder. A new one is empty until it's refreshed. */
  of(folder: FilePlace): NameIndex {
    const exclude = this.exclude();
    this.drop(({ exclude: old }) => old.join('\n') !== exclude.join('\n'));
    const known = this.all.find((one) => one.covers(folder));
    const index = known ?? this.create(folder, exclude);
    this.all = [...this.all.filter((one) => one !== index), index];
    return index;
  }

  /** Calls `work` with each index, for what was noticed. */
  forEach(work: (index: NameIndex) => void): void {
    this.all.forEach(work);
  }

  forgetAccount(account: string): void {
    this.drop(({ root }) => root.account === account);
  }

  dispose(): void {
    this.drop(() => true);
  }

  private create(folder: FilePlace, exclude: readonly string[]): NameIndex {
    // The new one will have their names, too.
    this.drop(({ root }) => isSameContainer(root, folder) && isPathWithin(root.path, folder.path));
    return new NameIndex(folder, exclude, { ...this.deps, room: (index) => this.roomFor(index) });
  }

  /** Forgets other indexes if necessary, those that weren't used for the longest time first. The newest may be on show. */
  private roomFor(index: NameIndex): number {
    for (const other of this.all) {
      if (this.size < this.bound) {
        break;
      }
      if (other !== index && other !== this.all.at(-1)) {
        this.drop((one) => one === other);
      }
    }
    return this.bound - this.size;
  }

  private drop(isDropped: (index: NameIndex) => boolean): void {
    const dropped = this.all.filter(isDropped);
    this.all = this.all.filter((one) => !dropped.includes(one));
    dropped.forEach((one) => one.dispose());
  }
}
