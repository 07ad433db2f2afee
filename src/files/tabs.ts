import { type Tab, TabInputCustom, TabInputNotebook, TabInputText, window, type Uri, Disposable } from 'vscode';
import { type FilePlace, filePlaceOf, isSameContainer, keyOf } from '../containers/place';
import { uriOf } from '../containers/uris';
import { BoundedMap } from './boundedMap';

/** Returns the file that an editor shows: as text, in a custom editor, or as a notebook. */
export function uriOfTab(tab: Tab | undefined): Uri | undefined {
  const input = tab?.input;
  return input instanceof TabInputText || input instanceof TabInputCustom || input instanceof TabInputNotebook
    ? input.uri
    : undefined;
}

export function activeFile(): Uri | undefined {
  return window.activeTextEditor?.document.uri ?? uriOfTab(window.tabGroups.activeTabGroup.activeTab);
}

/** Returns the tab with the file's unsaved changes, even if it wasn't activated since the window opened. */
export function dirtyTabOf(place: FilePlace): Tab | undefined {
  return tabsOf(place).find(({ isDirty, input }) => isDirty && input instanceof TabInputText);
}

export function tabsOf(place: FilePlace): readonly Tab[] {
  const uri = uriOf(place).toString();
  return window.tabGroups.all.flatMap(({ tabs }) => tabs).filter((tab) => uriOfTab(tab)?.toString() === uri);
}

const maxFiles = 200;

/** The files in containers that were opened in this window, which forgets them when it closes. */
export class RecentFiles implements Disposable {
  private readonly files = new BoundedMap<string, FilePlace>(maxFiles);
  private readonly following: Disposable;

  constructor() {
    window.tabGroups.all.flatMap(({ tabs }) => tabs).forEach((tab) => this.note(uriOfTab(tab)));
    const noteActive = () => this.note(activeFile());
    noteActive();
    this.following = Disposable.from(
      window.onDidChangeActiveTextEditor(noteActive),
      window.tabGroups.onDidChangeTabs(noteActive),
    );
  }

  /** Returns the files of a container, those opened last first. */
  of(container: FilePlace): readonly FilePlace[] {
    return [...this.files.values()].filter((file) => isSameContainer(file, container)).reverse();
  }

  forget(file: FilePlace): void {
    this.files.delete(keyOf(file));
  }

  forgetAccount(account: string): void {
    for (const file of [...this.files.values()].filter((one) => one.account === account)) {
      this.forget(file);
    }
  }

  dispose(): void {
    this.following.dispose();
  }

  private note(uri: ReturnType<typeof activeFile>): void {
    const file = uri && filePlaceOf(uri);
    if (file !== undefined) {
      this.files.set(keyOf(file), file);
    }
  }
}
