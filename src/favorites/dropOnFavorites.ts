import { type DataTransfer, Uri } from 'vscode';
import type { FavoriteViewElement } from './favoriteElement';

const uriList = 'text/uri-list';

/** Files and folders dropped anywhere on the view become favorites. Nothing can be dragged out of it. */
export class FavoritesDropController {
  /** @param add must not fail: nobody waits for it who could tell */
  constructor(private readonly add: (uris: readonly Uri[]) => Promise<void>) {}

  async handleDrop(_target: FavoriteViewElement | undefined, transfer: DataTransfer): Promise<void> {
    const list = (await transfer.get(uriList)?.asString()) ?? '';
    const lines = list.split(/\r?\n/).filter((line) => line !== '' && !line.startsWith('#'));
    await this.add(lines.map((line) => Uri.parse(line, true)));
  }
}
