import { Disposable, window } from 'vscode';
import { type FilePlace, filePlaceOf, isSameContainer, keyOf } from '../containers/place';
import { BoundedMap } from './boundedMap';
import { activeFile, uriOfTab } from './tabs';

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
