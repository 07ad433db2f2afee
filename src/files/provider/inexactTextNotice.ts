import { commands, type Disposable, type Event, l10n, Uri } from 'vscode';
import { flawSentence } from './textFlawText';
import type { InexactFile } from './readFile';
import { tabsOf } from '../tabs';
import type { CommandId } from '../../manifest';
import { keyOf, nameOf, uriParts } from '../../containers/place';
import { showWarningMessage } from '../../ui/notifications';
import { sizeText } from '../../ui/sizeText';

/** Offers a read-only editor when the user opens a file that the platform can't return exactly. */
export function offerReadOnlyText(found: Event<InexactFile>): Disposable {
  const shown = new Set<string>();
  return found((file) => {
    const { place } = file;
    const key = keyOf(place);
    // Extensions read files too, and VS Code reads a file several times before its editor is shown.
    if (shown.has(key) || !tabsOf(place).some(({ isActive }) => isActive)) {
      return;
    }
    shown.add(key);
    void offer(file).finally(() => shown.delete(key));
  });
}

async function offer({ place, length, flaw }: InexactFile): Promise<void> {
  const show = l10n.t('Show as Read-Only Text');
  const text = l10n.t(
    "Couldn't open {0}. {1} Use SFTP or the platform's dashboard to get the exact file.",
    length === undefined ? nameOf(place) : l10n.t('{0} ({1})', nameOf(place), sizeText(length)),
    flawSentence(flaw),
  );
  if ((await showWarningMessage(text, show)) === show) {
    await commands.executeCommand('gantry.file.showAsText' satisfies CommandId, Uri.from(uriParts(place)));
  }
}
