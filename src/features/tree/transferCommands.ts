import { homedir } from 'node:os';
import { env, FileChangeType, l10n, Uri, window, workspace } from 'vscode';
import { ExpectedError } from '../../ui/expectedError';
import { folderOfSelected, localFolder, localSource, localVersion } from '../../files/transfers/localFolder';
import { locationText } from '../../containers/locationText';
import { productionSentence } from '../../containers/protectedEnvironments';
import { childOf, failedObjectAt, type FilePlace, nameOf, parentOrSelf } from '../../containers/place';
import { findReadable } from '../../files/transfers/plan';
import type { Source } from '../../files/transfers/transfer';
import { isCanceled, isPlatformError } from '../../platform/errors';
import { failed } from '../../platform/failureTexts';
import { changeOnce, mayHaveHappened } from '../../platform/lostReply';
import { type FileEntry, isSameEntry } from '../../platform/wire/fileEntry';
import { confirmChange } from '../../ui/commands/protectedPrompt';
import { failureText } from '../../ui/failureMessages';
import { showWarningMessage } from '../../ui/notifications';
import { withProgress } from '../../ui/progress';
import { askValue } from '../../ui/quickPick';
import { sizeText } from '../../ui/sizeText';
import type { CommandTarget } from '../../trees/sharedElement';
import type { Services } from '../../services';
import { nameProblem } from './fileCommands';
import { runTransfer, type Transfer, transferInto } from './transferFlow';
import { versionOf } from '../../files/transfers/containerFolder';

export function transferCommands(services: Services) {
  const { targets, features, containers } = services;
  const upload = (kind: 'files' | 'folder') =>
    targets.onFolder(async (folder) => {
      ensureMayUpload(folder, services);
      const chosen = await window.showOpenDialog(openDialog(kind, folder));
      if (chosen !== undefined) {
        await uploadInto(folder, await Promise.all(chosen.map(localSource)), services);
      }
    });
  return {
    'gantry.folder.uploadFiles': upload('files'),

    'gantry.folder.uploadFolder': upload('folder'),

    'gantry.folder.uploadFromUrl': targets.onFolder(async (folder) => {
      containers.ensureOffered('Upload', folder);
      const url = await askUrl(folder);
      if (url !== undefined) {
        await fetchInto(folder, url, services);
      }
    }),

    'gantry.file.replaceByUpload': targets.onFile((file) => replaceByUpload(file, services)),

    'gantry.file.reveal': targets.onOne(async ({ place }) => {
      await features.tree.use(({ show }) => show(place));
    }),

    'gantry.file.download': targets.onAll((wanted) => {
      const [first, ...others] = wanted;
      return others.length === 0 && !first.isFolder
        ? downloadAs(first.place, services)
        : downloadInto(wanted, services);
    }),
  };
}

/** Fails before the person is asked anything. Texts are sent with Write, and other bytes with Upload. */
export function ensureMayUpload(folder: FilePlace, { containers }: Pick<Services, 'containers'>): void {
  if (containers.account(folder.account).lacks('Upload')) {
    containers.ensureOffered('Write', folder);
  }
}

export async function uploadInto(folder: FilePlace, sources: readonly Source[], services: Services): Promise<void> {
  const production = await productionSentence([folder], services.environments);
  await transferInto(folder, { kind: 'upload', folder: folder.path, sources, production }, services);
}

async function askUrl({ path }: FilePlace): Promise<URL | undefined> {
  const text = await askValue({
    title: l10n.t('Upload from URL to {0}', path),
    prompt: l10n.t('Enter a URL that the platform can reach. The platform downloads the file itself.'),
    placeHolder: 'https://example.com/site.zip',
    validateInput: (entered) =>
      webAddress(entered) ? undefined : l10n.t('Enter a URL that starts with https:// or http://.'),
  });
  return text === undefined ? undefined : webAddress(text);
}

function webAddress(text: string): URL | undefined {
  const url = URL.canParse(text.trim()) ? new URL(text.trim()) : undefined;
  return url !== undefined && /^https?:$/.test(url.protocol) ? url : undefined;
}

/** Returns the decoded last part of a path. */
function lastName({ pathname }: URL): string {
  const name = pathname.slice(pathname.lastIndexOf('/') + 1);
  try {
    return decodeURIComponent(name);
  } catch {
    // A percent sign that isn't part of an encoded character stays as is.
    return name;
  }
}

async function fetchInto(folder: FilePlace, url: URL, services: Services): Promise<void> {
  const { containers, listings } = services;
  const [nodes, ensureSameNodes] = await Promise.all([containers.nodes(folder), containers.rememberNodes([folder])]);
  const listed = await Promise.all(nodes.map((node) => listings.list(node)));
  const name = await askValue({
    title: l10n.t('Upload from URL to {0}', folder.path),
    prompt: l10n.t('Enter a name for the file'),
    value: lastName(url),
    // An existing file is fine, because replacing it is confirmed later.
    validateInput: (entered) => nameProblem(entered, { taken: () => false }),
  });
  if (name === undefined) {
    return;
  }
  const before = listed.map((entries) => entries.get(name));
  const overwrite = before.some((entry) => entry !== undefined);
  if (overwrite && !(await mayReplace(name, folder, services))) {
    return;
  }
  const file = childOf(folder, name);
  const onNodes = () => Promise.all(nodes.map((node) => listings.lookUp(childOf(node, name))));
  // The platform skips a file that exists, without a word, and the questions may have been open for long.
  if (!(await onNodes()).every((entry, index) => isSameEntry(entry, before[index]))) {
    throw new ExpectedError(l10n.t('{0} was changed in the meantime, so nothing was uploaded. Try again.', file.path));
  }
  await ensureSameNodes();
  const change = { place: file, type: overwrite ? FileChangeType.Changed : FileChangeType.Created };
  let isMade = false;
  try {
    await withProgress(l10n.t('Uploading {0} from URL', name), ({ signal }) =>
      changeOnce(
        () => services.serverOperations.fetchFrom(url.href, file, { overwrite }, { signal }),
        async () => hasArrived(file, before, await onNodes()),
      ),
    );
    isMade = true;
    if ((await onNodes()).includes(undefined)) {
      throw new ExpectedError(
        l10n.t("Couldn't upload {0}, although the platform reported success. Try again.", file.path),
      );
    }
  } catch (error) {
    services.announce([change], { isCertain: isMade || mayHaveHappened(error) });
    throw error;
  }
  services.announce([change]);
  await services.features.tree.loaded?.reveal(file);
}

/** A file that's new or changed on each node counts as fetched. Its expected length isn't known. */
function hasArrived(
  file: FilePlace,
  before: readonly (FileEntry | undefined)[],
  after: readonly (FileEntry | undefined)[],
): boolean {
  if (after.some((entry, index) => entry === undefined || isSameEntry(entry, before[index]))) {
    return false;
  }
  const text = l10n.t(
    "The platform didn't confirm the upload of {0}. The file exists ({1}); check that it's complete.",
    nameOf(file),
    sizeText(after[0]?.length ?? 0, env.language),
  );
  void showWarningMessage(text);
  return true;
}

function mayReplace(name: string, folder: FilePlace, { environments }: Services): Promise<boolean> {
  const consequence = l10n.t(
    'The current content of the file in {0} ({1}) will be lost.',
    folder.path,
    locationText(folder, environments),
  );
  const question = l10n.t('“{0}” already exists. Replace it?', name);
  return confirmChange([folder], environments, { question, paragraphs: [consequence], button: l10n.t('Replace') });
}

/** Replaces a file by one from this computer, also if no editor can open it. */
async function replaceByUpload(file: FilePlace, services: Services): Promise<void> {
  const { listings, environments } = services;
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
  const sources = [{ ...source, name }];
  const replaceSeen = production === undefined;
  await transferInto(folder, { kind: 'upload', folder: folder.path, sources, production, seen, replaceSeen }, services);
}

/** Returns a source for each place. One that no longer exists can't be read, which is then reported. */
export function sourcesOf(places: readonly FilePlace[], { listings, folders }: Services): Promise<Source[]> {
  return Promise.all(
    places.map(async (place): Promise<Source> => {
      // The cached listing may be old, so list the folder again before treating it as deleted.
      const entry = (await listings.entry(place)) ?? (await listings.lookUp(place));
      if (entry !== undefined) {
        return folders.source(place, entry);
      }
      const missing = {
        kind: 'notFound',
        operation: 'Read',
        target: place.path,
        object: failedObjectAt(place),
      } as const;
      return { kind: 'unreadable', name: nameOf(place), reason: failed(missing) };
    }),
  );
}

/** Reads the file before it asks where to save it, because the platform may not return it exactly. */
async function downloadAs(file: FilePlace, services: Services): Promise<void> {
  const title = l10n.t('Downloading {0}', file.path);
  const [source] = await sourcesOf([file], services);
  if (source?.kind === 'unreadable') {
    throw isPlatformError(source.reason) ? source.reason : noExactBytes(file, source.reason);
  }
  if (source?.kind !== 'file') {
    return;
  }
  const bytes = await withProgress(title, ({ signal }) => source.read(signal)).catch((error: unknown) => {
    throw isPlatformError(error) || isCanceled(error) ? error : noExactBytes(file, error);
  });
  const defaultUri = Uri.joinPath(downloadFolder(), nameOf(file));
  const chosen = await window.showSaveDialog({ defaultUri, title: l10n.t('Download {0}', file.path) });
  if (chosen === undefined) {
    return;
  }
  const name = chosen.path.slice(chosen.path.lastIndexOf('/') + 1);
  const folder = Uri.joinPath(chosen, '..');
  // Another attempt writes what was read, too.
  const read = { kind: 'file' as const, name, read: () => Promise.resolve(bytes) };
  const transfer: Transfer = {
    kind: 'download',
    folder: folder.fsPath,
    destination: folderOfSelected(chosen),
    // The dialog has asked.
    sources: [read],
    seen: new Map([[name, await localVersion(chosen)]]),
    replaceSeen: true,
  };
  await runTransfer(transfer, services.texts);
}

function noExactBytes({ path }: FilePlace, cause: unknown): Error {
  return new ExpectedError(
    l10n.t(
      "Couldn't download {0}. {1} Use SFTP or the platform's dashboard to get the exact file.",
      path,
      failureText(cause),
    ),
    { cause },
  );
}

/** Asks for a folder only if at least one file can be downloaded. */
async function downloadInto(wanted: readonly CommandTarget[], services: Services): Promise<void> {
  const places = wanted.map(({ place }) => place);
  const found = await withProgress(l10n.t('Preparing the download'), async ({ signal }) =>
    findReadable(await sourcesOf(places, services), signal),
  );
  if (!found.isAnyReadable) {
    throw nothingExact(found.failures);
  }
  const [folder] =
    (await window.showOpenDialog({
      canSelectFiles: false,
      canSelectFolders: true,
      defaultUri: downloadFolder(),
      title: l10n.t('Select Download Folder'),
      openLabel: l10n.t('Download Here'),
    })) ?? [];
  if (folder !== undefined) {
    const { sources } = found;
    const destination = localFolder(folder);
    await runTransfer({ kind: 'download', folder: folder.fsPath, sources, destination }, services.texts);
  }
}

/** A platform's error, such as a lost connection, says more than that no file is exact. */
function nothingExact(failures: readonly unknown[]): unknown {
  const text = l10n.t(
    "Couldn't download the selection: the platform can't return any of its files exactly. Use SFTP or the platform's dashboard to get them.",
  );
  return failures.find(isPlatformError) ?? new ExpectedError(text, { cause: failures[0] });
}

/** Returns the workspace folder on this computer, or else the home directory. */
function downloadFolder(): Uri {
  const local = workspace.workspaceFolders?.find(({ uri }) => uri.scheme === 'file' || uri.scheme === 'vscode-remote');
  return local?.uri ?? Uri.file(homedir());
}

function openDialog(kind: 'files' | 'folder', { path }: FilePlace) {
  const openLabel = l10n.t('Upload');
  return kind === 'files'
    ? { canSelectMany: true, openLabel, title: l10n.t('Select Files to Upload to {0}', path) }
    : {
        canSelectFiles: false,
        canSelectFolders: true,
        openLabel,
        title: l10n.t('Select Folder to Upload to {0}', path),
      };
}
