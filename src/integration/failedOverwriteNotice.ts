import { Disposable, FileChangeType, l10n, Uri, window } from 'vscode';
import type { ContainerFileSystem } from '../files/containerFileSystem';
import type { FailedOverwrite, FailedRemoval, OverwriteBackups } from '../files/overwriteBackups';
import { encodeText } from '../files/text';
import { keyOf, nameOf, uriParts } from '../remote/place';
import { failureText, showErrorMessage, showWarningMessage } from '../ui/notifications';

/** Says where the previous content is when something couldn't be replaced, and offers to restore it. */
export function tellOfFailedOverwrites(backups: OverwriteBackups, fileSystem: ContainerFileSystem): Disposable {
  return Disposable.from(
    backups.onDidFailToOverwrite((failed) => void offerRestore(failed, backups, fileSystem)),
    backups.onDidFailToRemove((failed) => {
      fileSystem.announce([{ place: failed.left, type: FileChangeType.Created }]);
      void showWarningMessage(removalText(failed));
    }),
  );
}

async function offerRestore(
  failed: FailedOverwrite,
  backups: OverwriteBackups,
  fileSystem: ContainerFileSystem,
): Promise<void> {
  const name = nameOf(failed.place);
  const restore = l10n.t('Restore');
  let text =
    failed.backup.kind === 'text'
      ? l10n.t("Couldn't replace {0}. Its previous content is kept on this computer.", name)
      : l10n.t("Couldn't replace {0}. Its previous content is in {1}.", name, failed.backup.aside.path);
  while ((await showErrorMessage(text, restore)) === restore) {
    try {
      await putBack(failed, fileSystem);
      await backups.letGo(failed);
      window.setStatusBarMessage(l10n.t('$(check) {0} is restored', name), 5_000);
      return;
    } catch (error) {
      text = l10n.t(
        "Couldn't restore {0}. If something else has its name, rename or delete that first. {1}",
        name,
        failureText(error),
      );
    }
  }
}

/** Only where nothing has the name: what somebody else has put there stays. */
async function putBack({ place, backup }: FailedOverwrite, fileSystem: ContainerFileSystem): Promise<void> {
  const uri = Uri.from(uriParts(place));
  if (backup.kind === 'text') {
    await fileSystem.writeFile(uri, encodeText(backup.text), { create: true, overwrite: false });
  } else {
    await fileSystem.rename(Uri.from(uriParts(backup.aside)), uri);
  }
}

function removalText({ place, left, error }: FailedRemoval): string {
  return keyOf(left) === keyOf(place)
    ? l10n.t("Couldn't delete {0}: {1}", place.path, failureText(error))
    : l10n.t("Couldn't delete all of {0}. The rest is in {1}: {2}", place.path, left.path, failureText(error));
}
