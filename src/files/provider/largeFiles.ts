import { type Disposable, env, EventEmitter, FileSystemError, l10n, TabInputText, window, workspace } from 'vscode';
import { type FilePlace, keyOf, nameOf } from '../../containers/place';
import { uriOf } from '../../containers/uris';
import { escapeLinks } from '../../ui/escapeMarkup';
import { sizeText } from '../../ui/sizeText';
import { tabsOf } from '../tabs';

/** The default limit in bytes, if the user hasn't set one. VS Code itself asks only from 50 MB or 1 GB on. */
const usualLimit = 5 * 1024 * 1024;
const megabyte = 1024 * 1024;

interface LargeFile {
  readonly place: FilePlace;
  readonly length: number;
}

/**
 * Prevents a large file from being read until the user agrees. VS Code then shows "Open Anyway" in the editor, and
 * nothing for background tabs. Only editors are refused: copies, downloads and other extensions can read the file.
 */
export class LargeFiles implements Disposable {
  /** Refused files whose tabs have stayed active since. The next read means that the user chose to open the file. */
  private readonly refused = new Map<string, FilePlace>();
  /** Files that the user chose to open anyway, as long as they have a tab. */
  private readonly agreed = new Map<string, FilePlace>();
  private readonly refusing = new EventEmitter<LargeFile>();
  readonly onDidRefuse = this.refusing.event;
  // There's no close event for a tab that is only hidden by another one.
  private readonly following = window.tabGroups.onDidChangeTabs(() => {
    forgetUnless(this.refused, isInFront);
    forgetUnless(this.agreed, (place) => tabsOf(place).length > 0);
  });

  isRefused(place: FilePlace): boolean {
    return this.refused.has(keyOf(place));
  }

  /** Throws for a large file that an editor is about to show, unless the user chose to open it anyway. */
  demandRead(place: FilePlace, length = 0): void {
    if (!this.isUnwanted(place, length)) {
      return;
    }
    const key = keyOf(place);
    if (this.refused.delete(key)) {
      this.agreed.set(key, place);
      return;
    }
    this.refused.set(key, place);
    this.refusing.fire({ place, length });
    throw tooLarge(place, length);
  }

  /**
   * Throws in the same case, but for a stat that was requested before the file was refused: VS Code reads only after
   * the stat, and offers to open the file only if the stat fails.
   */
  demandStat(place: FilePlace, length = 0): void {
    if (this.isUnwanted(place, length)) {
      throw tooLarge(place, length);
    }
  }

  dispose(): void {
    this.following.dispose();
    this.refusing.dispose();
  }

  private isUnwanted(place: FilePlace, length: number): boolean {
    // No setting is below a megabyte, and for each file of a folder, looking it up takes most of the time of a stat.
    return length > megabyte && length > limitFor(place) && !this.agreed.has(keyOf(place)) && isOpening(place);
  }
}

function forgetUnless(places: Map<string, FilePlace>, holds: (place: FilePlace) => boolean): void {
  for (const [key, place] of places) {
    if (!holds(place)) {
      places.delete(key);
    }
  }
}

function limitFor(place: FilePlace): number {
  const set = workspace.getConfiguration('workbench', uriOf(place)).inspect('editorLargeFileConfirmation');
  const value = set?.workspaceFolderValue ?? set?.workspaceValue ?? set?.globalValue;
  return typeof value === 'number' && value > 0 ? value * megabyte : usualLimit;
}

/** VS Code creates the tab first, then reads the file, and only then creates the document. */
function isOpening(place: FilePlace): boolean {
  const uri = uriOf(place).toString();
  return isInFront(place) && !workspace.textDocuments.some((document) => document.uri.toString() === uri);
}

function isInFront(place: FilePlace): boolean {
  return tabsOf(place).some(({ isActive, input }) => isActive && input instanceof TabInputText);
}

/**
 * VS Code recognizes this error by its name, but the API has no constructor for it. If a stat fails with it, the editor
 * offers to open the file anyway.
 */
function tooLarge(place: FilePlace, length: number): FileSystemError {
  const text = l10n.t(
    "{0} wasn't opened because it's large ({1}). Try again to open it anyway.",
    nameOf(place),
    sizeText(length, env.language),
  );
  const error = new FileSystemError(escapeLinks(text));
  error.name = 'EntryTooLarge (FileSystemError)';
  return error;
}
