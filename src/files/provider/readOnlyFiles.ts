import { type Disposable, EventEmitter } from 'vscode';
import type { Account } from '../../accounts/accounts';
import type { FileEntry, FileType } from '../../platform/wire/fileEntry';
import { type FilePlace, keyOf } from '../../containers/place';
import { setNewest } from '../setNewest';
import type { TextFlaw } from '../text';

/** Why a file cannot be edited. Each of them is certain, not guessed from rights that may be another user's. */
export type ReadOnlyReason =
  | { readonly kind: 'flaw'; readonly flaw: TextFlaw }
  | { readonly kind: 'special'; readonly fileType: FileType }
  | { readonly kind: 'tokenLacksWrite' }
  /** A whole layer, of which not all nodes are known. */
  | { readonly kind: 'nodesUnknown' }
  /** VS Code doesn't tell what its editor shows, so what a save would overwrite couldn't be known. */
  | { readonly kind: 'tooLarge' }
  /** VS Code would show a part of its name as a link in messages about it. */
  | { readonly kind: 'linkInName' }
  /** The platform refused a write to this path. */
  | { readonly kind: 'refused' };

export interface ReadOnlyChecks {
  areNodesUnknown(place: FilePlace): boolean;
  /** Whether it is in an editor whose text VS Code doesn't tell. */
  hasOpaqueEditor(place: FilePlace): boolean;
}

/** The longest text of which VS Code tells extensions, in bytes. */
const longestSynced = 50 * 1024 * 1024;
/** The longest file for which what an editor began with is kept, in bytes. */
const longestOpaque = 16 * 1024 * 1024;

/** How many files of each kind are remembered. A forgotten one is checked again when the file is opened or saved. */
const mostMarks = 10_000;

export class ReadOnlyFiles implements Disposable {
  private readonly flaws = new Map<string, TextFlaw>();
  private readonly refused = new Map<string, true>();
  private readonly changed = new EventEmitter<FilePlace>();
  readonly onDidChange = this.changed.event;

  constructor(
    private readonly find: (account: string) => Account | undefined,
    private readonly looks: ReadOnlyChecks,
  ) {}

  reasonFor(
    place: FilePlace,
    { fileType = 'regular file', length = 0 }: Pick<FileEntry, 'fileType' | 'length'>,
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
    const key = keyOf(place);
    const flaw = this.flaws.get(key);
    if (flaw !== undefined) {
      return { kind: 'flaw', flaw };
    }
    if (this.find(place.account)?.lacks('Write') === true) {
      return { kind: 'tokenLacksWrite' };
    }
    if (this.looks.areNodesUnknown(place)) {
      return { kind: 'nodesUnknown' };
    }
    return this.refused.has(key) ? { kind: 'refused' } : undefined;
  }

  /** What the last reading of the file has shown. */
  read(place: FilePlace, flaw: TextFlaw | undefined): void {
    const key = keyOf(place);
    const before = this.flaws.get(key);
    if (flaw === undefined) {
      this.flaws.delete(key);
    } else {
      setNewest(this.flaws, key, flaw, mostMarks);
    }
    if (before !== flaw) {
      this.changed.fire(place);
    }
  }

  refuse(place: FilePlace): void {
    setNewest(this.refused, keyOf(place), true, mostMarks);
    this.changed.fire(place);
  }

  /** The place was deleted or moved, with everything in it. */
  gone(place: FilePlace): void {
    const key = keyOf(place);
    const isMarked = this.flaws.has(key) || this.refused.has(key);
    this.forget((one) => one === key || one.startsWith(`${key}/`));
    if (isMarked) {
      this.changed.fire(place);
    }
  }

  forgetAccount(account: string): void {
    this.forget((one) => one.startsWith(`${account}/`));
  }

  /** How many files can be marked. */
  get size(): number {
    return this.flaws.size + this.refused.size;
  }

  /** The rights in the container may have been changed: the next save finds out. */
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
