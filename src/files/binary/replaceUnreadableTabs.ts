import { commands, languages, type Tab, TabInputCustom, Uri, window } from 'vscode';
import { type FilePlace, uriParts } from '../../containers/place';
import { binaryFileViewType } from '../../manifest';
import { tabsOf, uriOfTab } from '../tabs';

/**
 * Replaces the editor that is opening a file with the page that says why the file can't be read, and what to do.
 * Call this when the read fails.
 * @param stats VS Code's pending stats of the file, which it awaits before the editor shows the error
 */
export async function replaceUnreadableTabs(place: FilePlace, stats: Promise<unknown>): Promise<void> {
  if (openingTabs(place).length === 0) {
    return;
  }
  await stats;
  await roundTrips();
  for (const tab of openingTabs(place)) {
    await replaceTab(tab, Uri.from(uriParts(place)));
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

function isBinaryPage({ input }: Tab): boolean {
  return input instanceof TabInputCustom && input.viewType === binaryFileViewType;
}
