import { type Disposable, type Event, l10n, window } from 'vscode';
import type { LargeFile } from './largeFiles';
import { nameOf } from '../../containers/place';
import { sizeText } from '../../ui/sizeText';

/** VS Code's editor says that a file is very large, and this says how large. */
export function tellSizes(refused: Event<LargeFile>): Disposable {
  return refused(({ place, length }) => {
    window.setStatusBarMessage(l10n.t('$(warning) {0} is {1}', nameOf(place), sizeText(length)), 15_000);
  });
}
