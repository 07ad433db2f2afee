import { l10n } from 'vscode';

export type TransferKind = 'upload' | 'download' | 'copy';

/** What a user reads about a transfer. */
interface TransferText {
  /** The title of the progress. */
  readonly progress: string;
  /** The heading of its report. */
  readonly heading: string;
  done(files: number): string;
  failedOne(file: string, reason: string): string;
  failed(files: number, all: number): string;
}

/** @param folder the destination, as the user knows it */
export function transferText(kind: TransferKind, folder: string): TransferText {
  return texts[kind](folder);
}

const texts: Readonly<Record<TransferKind, (folder: string) => TransferText>> = {
  upload: (folder) => ({
    progress: l10n.t('Uploading to {0}', folder),
    heading: l10n.t('Upload to {0}', folder),
    done: (files) =>
      files === 1 ? l10n.t('Uploaded 1 file to {0}', folder) : l10n.t('Uploaded {0} files to {1}', files, folder),
    failedOne: (file, reason) => l10n.t("Couldn't upload {0} to {1}: {2}.", file, folder, reason),
    failed: (files, all) => l10n.t("Couldn't upload {0} of {1} files to {2}.", files, all, folder),
  }),
  download: (folder) => ({
    progress: l10n.t('Downloading to {0}', folder),
    heading: l10n.t('Download to {0}', folder),
    done: (files) =>
      files === 1 ? l10n.t('Downloaded 1 file to {0}', folder) : l10n.t('Downloaded {0} files to {1}', files, folder),
    failedOne: (file, reason) => l10n.t("Couldn't download {0} to {1}: {2}.", file, folder, reason),
    failed: (files, all) => l10n.t("Couldn't download {0} of {1} files to {2}.", files, all, folder),
  }),
  copy: (folder) => ({
    progress: l10n.t('Copying to {0}', folder),
    heading: l10n.t('Copy to {0}', folder),
    done: (files) =>
      files === 1 ? l10n.t('Copied 1 file to {0}', folder) : l10n.t('Copied {0} files to {1}', files, folder),
    failedOne: (file, reason) => l10n.t("Couldn't copy {0} to {1}: {2}.", file, folder, reason),
    failed: (files, all) => l10n.t("Couldn't copy {0} of {1} files to {2}.", files, all, folder),
  }),
};
