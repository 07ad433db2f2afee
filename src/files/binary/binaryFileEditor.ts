import { randomBytes } from 'node:crypto';
import { type CustomDocument, Disposable, type Event, type FileChangeEvent, type Uri, type WebviewPanel } from 'vscode';
import type { Account } from '../../accounts/accounts';
import { type ContainerNames, locationText } from '../../containers/locationText';
import type { Listings } from '../../containers/listings';
import { type FilePlace, filePlaceOf, nameOf } from '../../containers/place';
import { failureText } from '../../ui/failureMessages';
import type { ReadOnlyFiles } from '../provider/readOnlyFiles';
import { flawSentence } from '../provider/textFlawText';
import { binaryFilePage, failurePage, pageCommands } from './binaryFilePage';

export interface BinaryFileEditorDeps {
  readonly find: (account: string) => Account | undefined;
  readonly environments: ContainerNames;
  readonly listings: Pick<Listings, 'entry'>;
  readonly readOnly: Pick<ReadOnlyFiles, 'reasonFor'>;
  readonly changed: Event<readonly FileChangeEvent[]>;
  /** Settles once the accounts are known. */
  readonly ready: () => Promise<unknown>;
}

/** Shows the details of a file whose bytes the platform can't return, without reading it. */
export class BinaryFileEditor {
  constructor(private readonly deps: BinaryFileEditorDeps) {}

  async resolveCustomEditor({ uri }: CustomDocument, panel: WebviewPanel): Promise<void> {
    panel.webview.options = { enableScripts: false, enableCommandUris: [...pageCommands], localResourceRoots: [] };
    let isOpen = true;
    const show = async () => {
      const html = await this.pageOf(uri);
      if (isOpen) {
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
  private async pageOf(uri: Uri): Promise<string> {
    const nonce = randomBytes(16).toString('hex');
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
