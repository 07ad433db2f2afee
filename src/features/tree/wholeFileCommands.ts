import { FileChangeType, l10n, window } from 'vscode';
import { versionOf } from '../../files/transfers/containerFolder';
import { localSource } from '../../files/transfers/localFolder';
import { nameOf, parentOrSelf } from '../../containers/place';
import { productionSentence } from '../../containers/protectedEnvironments';
import type { Services } from '../../services';
import { ensureMayUpload } from './transferCommands';
import { runTransfer } from './transferFlow';

/** Commands for files that no editor can open. */
export function wholeFileCommands(services: Services) {
  const { targets, listings, folders, texts, announce, environments, features } = services;
  return {
    'gantry.file.replaceByUpload': targets.onFile(async (file) => {
      ensureMayUpload(file, services);
      const name = nameOf(file);
      // Of a layer, only the main node's file was seen.
      const isOneNode = file.target.nodeId !== undefined;
      const shown = isOneNode ? (listings.lastListed(file) ?? (await listings.lookUp(file))) : undefined;
      const [chosen] =
        (await window.showOpenDialog({
          openLabel: l10n.t('Replace'),
          title: l10n.t('Select Replacement for {0}', file.path),
        })) ?? [];
      const source = chosen && (await localSource(chosen));
      if (source === undefined) {
        return;
      }
      const folder = parentOrSelf(file);
      const production = await productionSentence([file], environments);
      const seen = new Map(shown === undefined ? [] : [[name, versionOf(shown)]]);
      try {
        await runTransfer(
          {
            ...{ kind: 'upload', folder: folder.path, destination: folders.destination(folder) },
            ...{ sources: [{ ...source, name }], production },
            ...{ seen, replaceSeen: production === undefined },
          },
          texts,
        );
      } finally {
        announce([{ place: file, type: FileChangeType.Changed }]);
      }
    }),

    'gantry.file.reveal': targets.onOne(async ({ place }) => {
      await features.tree.use(({ show }) => show(place));
    }),
  };
}
