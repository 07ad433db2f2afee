import {
  commands,
  Disposable,
  type Event,
  type FileChangeEvent,
  FileChangeType,
  languages,
  type Tab,
  TabInputCustom,
  TabInputNotebook,
  TabInputText,
  type Uri,
  window,
  workspace,
} from 'vscode';
import { KeyedQueue } from '../async/waiting';
import { type FilePlace, filePlaceOf, isInSameNodes, isPathWithin, isSameContainer, keyOf } from '../containers/place';
import { uriOf } from '../containers/uris';
import { binaryFileViewType } from '../manifest';
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

/**
 * Returns the active file for what can be clicked without a question. `undefined` while another tab is in front already:
 * until its file is read, VS Code goes on naming the editor before as the active one.
 */
export function fileInFront(): Uri | undefined {
  const uri = activeFile();
  const shown = uriOfTab(window.tabGroups.activeTabGroup.activeTab);
  return shown === undefined || shown.toString() === uri?.toString() ? uri : undefined;
}

/** Whether the file of the tab in front has no text yet, or none at all. The active editor may be the one before. */
export function isFrontUnread(): boolean {
  const shown = uriOfTab(window.tabGroups.activeTabGroup.activeTab)?.toString();
  return shown !== undefined && workspace.textDocuments.every(({ uri }) => uri.toString() !== shown);
}

/** Calls back when another file may be in front, also one without a text editor or in another group. */
export function onDidChangeFront(update: () => void): Disposable {
  return Disposable.from(
    window.onDidChangeActiveTextEditor(update),
    window.tabGroups.onDidChangeTabs(update),
    window.tabGroups.onDidChangeTabGroups(update),
  );
}

/** Returns the tab with the file's unsaved changes, even if it wasn't activated since the window opened. */
export function dirtyTabOf(place: FilePlace): Tab | undefined {
  return tabsOf(place).find(({ isDirty, input }) => isDirty && input instanceof TabInputText);
}

export function tabsOf(place: FilePlace): readonly Tab[] {
  const uri = uriOf(place).toString();
  return window.tabGroups.all.flatMap(({ tabs }) => tabs).filter((tab) => uriOfTab(tab)?.toString() === uri);
}

/** Returns a file at or below a place that has unsaved changes: a text, a notebook, or one in a custom editor. */
export function unsavedIn(place: FilePlace): FilePlace | undefined {
  const texts = workspace.textDocuments.filter(({ isDirty }) => isDirty).map(({ uri }) => uri);
  // VS Code has no text of the others, and none of an editor that wasn't activated since the window opened.
  const tabs = window.tabGroups.all.flatMap((group) => group.tabs).filter(({ isDirty }) => isDirty);
  return [...texts, ...tabs.map(uriOfTab)]
    .flatMap((uri) => (uri && filePlaceOf(uri)) ?? [])
    .find((file) => isSameContainer(file, place) && isPathWithin(file.path, place.path));
}

const maxFiles = 200;

/**
 * The files in containers that were opened in this window, and weren't deleted or renamed since. It forgets them when it
 * closes.
 */
export class RecentFiles implements Disposable {
  private readonly files = new BoundedMap<string, FilePlace>(maxFiles);
  private readonly following: Disposable;

  constructor(changed: Event<readonly FileChangeEvent[]>) {
    window.tabGroups.all.flatMap(({ tabs }) => tabs).forEach((tab) => this.note(uriOfTab(tab)));
    this.note(activeFile());
    this.following = Disposable.from(
      window.onDidChangeActiveTextEditor((editor) => this.note(editor?.document.uri)),
      // Once a tab is closed, its editor is the active one for another moment, so only the tabs count.
      window.tabGroups.onDidChangeTabs(() => this.note(uriOfTab(window.tabGroups.activeTabGroup.activeTab))),
      changed((changes) => {
        const deleted = changes.filter(({ type }) => type === FileChangeType.Deleted);
        deleted.flatMap(({ uri }) => filePlaceOf(uri) ?? []).forEach((place) => this.forgetIn(place));
      }),
    );
  }

  /** Returns the files of a container, those opened last first. */
  of(container: FilePlace): readonly FilePlace[] {
    return [...this.files.values()].filter((file) => isSameContainer(file, container)).reverse();
  }

  forgetAccount(account: string): void {
    this.forgetAll((file) => file.account === account);
  }

  dispose(): void {
    this.following.dispose();
  }

  /** Forgets a file, or all files in a folder. */
  private forgetIn(place: FilePlace): void {
    this.forgetAll((file) => isPathWithin(file.path, place.path) && isInSameNodes(file, place));
  }

  private forgetAll(isMeant: (file: FilePlace) => boolean): void {
    for (const file of [...this.files.values()].filter(isMeant)) {
      this.files.delete(keyOf(file));
    }
  }

  private note(uri: Uri | undefined): void {
    const file = uri && filePlaceOf(uri);
    if (file !== undefined) {
      this.files.set(keyOf(file), file);
    }
  }
}

/** The pages that say why a file can't be read, and what to do. VS Code's error is replaced with them. */
export class UnreadablePages {
  private readonly queue = new KeyedQueue();

  constructor(private readonly report: (error: unknown) => void) {}

  /**
   * Shows a page in place of the editor that is opening a file. Call this when the read fails.
   * @param stats VS Code's pending stats of the file, which it awaits before the editor shows the error
   */
  show(place: FilePlace, stats: Promise<unknown>): void {
    this.queue.take(keyOf(place), () => replaceTabs(place, stats)).catch(this.report);
  }

  /** Settles once the file's page stays as it is. It's shown twice, the second time in place of what was opened since. */
  async shown(place: FilePlace): Promise<void> {
    await this.queue.take(keyOf(place), () => Promise.resolve());
  }
}

async function replaceTabs(place: FilePlace, stats: Promise<unknown>): Promise<void> {
  if (openingTabs(place).length === 0) {
    return;
  }
  await stats;
  await roundTrips();
  for (const tab of openingTabs(place)) {
    await replaceTab(tab, uriOf(place));
  }
}

/** Returns the tabs in front, because extensions read files, too. */
function openingTabs(place: FilePlace): readonly Tab[] {
  return tabsOf(place).filter((tab) => tab.isActive && !tab.isDirty && !isBinaryPage(tab));
}

async function replaceTab(tab: Tab, uri: Uri): Promise<void> {
  const { isPreview, group } = tab;
  const options = { viewColumn: group.viewColumn, preview: isPreview, preserveFocus: !group.isActive };
  const open = () => commands.executeCommand('vscode.openWith', uri, binaryFileViewType, options);
  await open();
  // VS Code itself replaces a preview.
  const left = group.tabs.find((one) => one === tab);
  if (left !== undefined) {
    await window.tabGroups.close(left, true);
  }
  await roundTrips();
  if (group.tabs.some((one) => one.isActive && isBinaryPage(one) && isOf(one, uri))) {
    // Shows the page again if the error came later. Otherwise, this changes nothing.
    await open();
  }
}

/**
 * Waits until VS Code has handled the messages that it has got so far and what follows from them. No event tells when
 * an editor shows its error, and it does so even over a page that was opened meanwhile.
 */
async function roundTrips(): Promise<void> {
  for (let count = 0; count < 3; count += 1) {
    await languages.getLanguages();
  }
}

function isOf(tab: Tab, uri: Uri): boolean {
  return uriOfTab(tab)?.toString() === uri.toString();
}

/** Whether it's a notebook or a custom editor, of which VS Code exposes no text. */
export function isOpaqueTab(tab: Tab): boolean {
  return tab.input instanceof TabInputNotebook || (tab.input instanceof TabInputCustom && !isBinaryPage(tab));
}

function isBinaryPage({ input }: Tab): boolean {
  return input instanceof TabInputCustom && input.viewType === binaryFileViewType;
}
