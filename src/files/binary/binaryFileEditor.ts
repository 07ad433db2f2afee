import { randomBytes } from 'node:crypto';
import {
  type CustomDocument,
  Disposable,
  type Event,
  type FileChangeEvent,
  type Webview,
  type WebviewPanel,
  commands,
  languages,
  type Tab,
  TabInputCustom,
  type Uri,
  window,
} from 'vscode';
import type { Account } from '../../accounts/accounts';
import { type ContainerNames, locationText } from '../../containers/locationText';
import type { Listings } from '../../containers/listings';
import { type FilePlace, filePlaceOf, nameOf } from '../../containers/place';
import { uriOf } from '../../containers/uris';
import { failureText } from '../../ui/failureMessages';
import type { ReadOnlyFiles } from '../provider/readOnlyFiles';
import { flawSentence } from '../wholeText';
import { binaryFilePage, failurePage, pageCommands } from './binaryFilePage';
import { binaryFileViewType } from '../../manifest';
import { tabsOf, uriOfTab } from '../tabs';

interface BinaryFileEditorDeps {
  readonly find: (account: string) => Account | undefined;
  readonly environments: ContainerNames;
  readonly listings: Pick<Listings, 'entry'>;
  readonly readOnly: Pick<ReadOnlyFiles, 'reasonFor'>;
  readonly changed: Event<readonly FileChangeEvent[]>;
  /** Settles once the accounts are known. */
  readonly ready: () => Promise<unknown>;
}

/** The part of VS Code's panel that the page needs. */
type Panel = Pick<WebviewPanel, 'onDidDispose'> & { readonly webview: Pick<Webview, 'options' | 'html'> };

/** Shows the details of a file whose bytes the platform can't return, without reading it. */
export class BinaryFileEditor {
  constructor(private readonly deps: BinaryFileEditorDeps) {}

  async resolveCustomEditor({ uri }: CustomDocument, panel: Panel): Promise<void> {
    panel.webview.options = { enableScripts: false, enableCommandUris: [...pageCommands], localResourceRoots: [] };
    // One per editor, so that an unchanged page is the same text.
    const nonce = randomBytes(16).toString('hex');
    let isOpen = true;
    const show = async () => {
      const html = await this.pageOf(uri, nonce);
      // Setting a page loads it again, which takes the focus away from its links.
      if (isOpen && html !== panel.webview.html) {
        panel.webview.html = html;
      }
    };
    const following = this.deps.changed((changes) => {
      if (changes.some((change) => change.uri.toString() === uri.toString())) {
        void show();
      }
    });
    const closing = panel.onDidDispose(() => {
      isOpen = false;
      Disposable.from(following, closing).dispose();
    });
    await show();
  }

  /** Returns the page, which also shows a failure. */
  private async pageOf(uri: Uri, nonce: string): Promise<string> {
    try {
      await this.deps.ready();
      const place = filePlaceOf(uri);
      return place === undefined ? failurePage(uri.path, nonce) : await this.pageAt(place, uri, nonce);
    } catch (error) {
      return failurePage(failureText(error), nonce);
    }
  }

  private async pageAt(place: FilePlace, uri: Uri, nonce: string): Promise<string> {
    const { find, environments, listings, readOnly } = this.deps;
    const entry = await listings.entry(place);
    const reason = readOnly.reasonFor(place, entry ?? {});
    const file = {
      ...{ uri, name: nameOf(place), path: place.path, entry },
      location: locationText(place, environments),
      reason: reason?.kind === 'flaw' ? flawSentence(reason.flaw) : undefined,
      dashboard: find(place.account)?.address,
    };
    return binaryFilePage(file, nonce);
  }
}

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

function isBinaryPage({ input }: Tab): boolean {
  return input instanceof TabInputCustom && input.viewType === binaryFileViewType;
}
