import { isDeepStrictEqual } from 'node:util';
import { type Disposable, EventEmitter } from 'vscode';
import type { Account } from '../../accounts/accounts';
import type { FileEntry, FileType } from '../../platform/wire/fileEntry';
import { type FilePlace, isPathWithin, keyOf } from '../../containers/place';
import { BoundedMap } from '../boundedMap';
import type { TextFlaw } from '../text';

/** Why a file can't be edited. Each reason is certain, not guessed from permissions that may apply to another user. */
export type ReadOnlyReason =
  | { readonly kind: 'flaw'; readonly flaw: TextFlaw }
  | { readonly kind: 'special'; readonly fileType: FileType }
  | { readonly kind: 'tokenLacksWrite' }
  /** It belongs to a whole layer whose nodes aren't all known. */
  | { readonly kind: 'nodesUnknown' }
  /** VS Code doesn't expose its text, so it wouldn't be known what a save overwrites. */
  | { readonly kind: 'tooLarge' }
  /** VS Code would show part of its name as a link in messages. */
  | { readonly kind: 'linkInName' }
  /** The compatibility check found that the platform doesn't save files safely. */
  | { readonly kind: 'unsafeHere' }
  /** The platform refused a write to this path. */
  | { readonly kind: 'refused' };

interface ReadOnlyChecks {
  areNodesUnknown(place: FilePlace): boolean;
  /** Whether the platform is known not to save any file here safely. */
  isWriteUnsafe(place: FilePlace): boolean;
  /** Whether it's open in an editor whose text VS Code doesn't expose. */
  hasOpaqueEditor(place: FilePlace): boolean;
}

/** The longest text that VS Code exposes to extensions, in bytes. */
const longestSynced = 50 * 1024 * 1024;
/** The longest file in such an editor whose base version is kept, in bytes. */
const longestOpaque = 16 * 1024 * 1024;

/** How many files of each kind are remembered. A forgotten one is checked again when the file is opened or saved. */
const maxMarks = 10_000;

type ListedFile = Pick<FileEntry, 'fileType' | 'length'>;

export class ReadOnlyFiles implements Disposable {
  private readonly flaws = new BoundedMap<string, TextFlaw>(maxMarks);
  private readonly refused = new BoundedMap<string, true>(maxMarks);
  private readonly changed = new EventEmitter<FilePlace>();
  readonly onDidChange = this.changed.event;

  constructor(
    private readonly find: (account: string) => Account | undefined,
    private readonly looks: ReadOnlyChecks,
  ) {}

  reasonFor(place: FilePlace, entry: ListedFile): ReadOnlyReason | undefined {
    return this.reasonInFile(place, entry) ?? this.reasonToRefuse(place);
  }

  /** The reasons that no permission changes. */
  private reasonInFile(
    place: FilePlace,
    { fileType = 'regular file', length = 0 }: ListedFile,
  ): ReadOnlyReason | undefined {
    if (fileType !== 'regular file' && fileType !== 'directory') {
      return { kind: 'special', fileType };
    }
    if (length > longestSynced || (length > longestOpaque && this.looks.hasOpaqueEditor(place))) {
      return { kind: 'tooLarge' };
    }
    if (/\[[^\]]*\]\([^)]*\)/.test(place.path)) {
      return { kind: 'linkInName' };
    }
    const flaw = this.flaws.get(keyOf(place));
    return flaw && { kind: 'flaw', flaw };
  }

  /** The reasons why the platform would refuse the write, or make it in a way that's unsafe. */
  private reasonToRefuse(place: FilePlace): ReadOnlyReason | undefined {
    if (this.find(place.account)?.lacks('Write') === true) {
      return { kind: 'tokenLacksWrite' };
    }
    if (this.looks.isWriteUnsafe(place)) {
      return { kind: 'unsafeHere' };
    }
    if (this.looks.areNodesUnknown(place)) {
      return { kind: 'nodesUnknown' };
    }
    return this.refused.has(keyOf(place)) ? { kind: 'refused' } : undefined;
  }

  /** Whether the account's token can't change anything in any folder, so that the Explorer offers no changes. */
  canChangeNothing(account: string): boolean {
    const found = this.find(account);
    return (['Create', 'Write', 'Copy', 'Rename', 'Delete', 'Upload'] as const).every((one) => found?.lacks(one));
  }

  /** Records the flaw found by the last read. */
  read(place: FilePlace, flaw: TextFlaw | undefined): void {
    const key = keyOf(place);
    const before = this.flaws.get(key);
    if (flaw === undefined) {
      this.flaws.delete(key);
    } else {
      this.flaws.set(key, flaw);
    }
    // How much is missing is a new object at each read.
    if (!isDeepStrictEqual(before, flaw)) {
      this.changed.fire(place);
    }
  }

  refuse(place: FilePlace): void {
    this.refused.set(keyOf(place), true);
    this.changed.fire(place);
  }

  /** Forgets a deleted or moved place and everything in it. */
  gone(place: FilePlace): void {
    const key = keyOf(place);
    const isMarked = this.flaws.has(key) || this.refused.has(key);
    this.forget((one) => isPathWithin(one, key));
    if (isMarked) {
      this.changed.fire(place);
    }
  }

  forgetAccount(account: string): void {
    this.forget((one) => one.startsWith(`${account}/`));
  }

  /** The number of marked files. */
  get size(): number {
    return this.flaws.size + this.refused.size;
  }

  /** Allows another attempt, because the permissions may have changed. The next save finds out. */
  tryAgain(place: FilePlace): void {
    if (this.refused.delete(keyOf(place))) {
      this.changed.fire(place);
    }
  }

  dispose(): void {
    this.changed.dispose();
  }

  private forget(isMeant: (key: string) => boolean): void {
    for (const marks of [this.flaws, this.refused]) {
      for (const key of [...marks.keys()].filter(isMeant)) {
        marks.delete(key);
      }
    }
  }
}
