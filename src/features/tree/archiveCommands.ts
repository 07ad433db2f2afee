import { ExpectedError } from '../../ui/expectedError';
import { env, FileChangeType, l10n } from 'vscode';
import { locationText } from '../../containers/locationText';
import { changeOnce } from '../../platform/lostReply';
import { isPlatformError, type PlatformErrorKind } from '../../platform/errors';
import { type FileEntry, isSameEntry } from '../../platform/wire/fileEntry';
import { confirmChange } from '../../ui/commands/protectedPrompt';
import { childOf, type FilePlace, nameOf, parentOrSelf } from '../../containers/place';
import { modalLines, showWarningMessage } from '../../ui/notifications';
import { withProgress } from '../../ui/progress';
import { askValue } from '../../ui/quickPick';
import { sizeText } from '../../ui/sizeText';
import { nameProblem } from './fileCommands';
import type { Services } from '../../services';
import { showStatusMessage } from '../../ui/statusBar';

/** Commands for what the platform downloads and unpacks. */
export function archiveCommands(services: Services) {
  const { targets, containers } = services;
  return {
    'gantry.folder.uploadFromUrl': targets.onFolder(async (folder) => {
      containers.ensureOffered('Upload', folder);
      const url = await askUrl(folder);
      if (url !== undefined) {
        await fetchInto(folder, url, services);
      }
    }),

    'gantry.archive.unpack': targets.onFile(async (archive) => {
      containers.ensureOffered('UnpackById', archive);
      const folder = await askUnpackFolder(archive);
      if (folder !== undefined && (await mayUnpack(archive, folder, [archive], services))) {
        await unpacking([archive], folder, services, (signal) =>
          services.serverOperations.unpack(archive, folder, { signal }),
        );
      }
    }),

    'gantry.archive.unpackOnType': targets.onFile(async (archive) => {
      containers.ensureOffered('UnpackByType', archive);
      const { type, nodes } = await nodesOfSameType(archive, services);
      const folder = await askUnpackFolder(archive);
      if (folder !== undefined && (await mayUnpack(archive, folder, nodes, services))) {
        await ensureSameType(archive, { type, nodes }, services);
        await unpacking([archive, ...nodes], folder, services, (signal) =>
          services.serverOperations.unpackOnType(archive, type, folder, { signal }),
        );
      }
    }),
  };
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
  const [there, ensureSameNodes] = await Promise.all([
    services.listings.list(folder),
    services.containers.rememberNodes([folder]),
  ]);
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
  const overwrite = there.has(name);
  if (overwrite && !(await mayReplace(name, folder, services))) {
    return;
  }
  const file = childOf(folder, name);
  // The platform skips a file that exists, without a word, and the questions may have been open for long.
  if (!isSameEntry(await services.listings.lookUp(file), there.get(name))) {
    throw new ExpectedError(l10n.t('{0} was changed in the meantime, so nothing was uploaded. Try again.', file.path));
  }
  await ensureSameNodes();
  try {
    await withProgress(l10n.t('Uploading {0} from URL', name), ({ signal }) =>
      changeOnce(
        () => services.serverOperations.fetchFrom(url.href, file, { overwrite }, { signal }),
        () => hasArrived(file, there.get(name), services),
      ),
    );
  } finally {
    services.announce([{ place: file, type: overwrite ? FileChangeType.Changed : FileChangeType.Created }]);
  }
  if (!(await services.listings.list(folder)).has(name)) {
    throw new ExpectedError(
      l10n.t("Couldn't upload {0}, although the platform reported success. Try again.", file.path),
    );
  }
  await services.features.tree.loaded?.reveal(file);
}

/** A new or changed file counts as fetched. Its expected length isn't known. */
async function hasArrived(file: FilePlace, before: FileEntry | undefined, { listings }: Services): Promise<boolean> {
  const after = await listings.lookUp(file);
  if (after === undefined || isSameEntry(after, before)) {
    return false;
  }
  const text = l10n.t(
    "The platform didn't confirm the upload of {0}. The file exists ({1}); check that it's complete.",
    nameOf(file),
    sizeText(after.length ?? 0, env.language),
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

async function askUnpackFolder(archive: FilePlace): Promise<string | undefined> {
  const here = parentOrSelf(archive).path;
  const folder = await askValue({
    title: l10n.t('Unpack {0}', nameOf(archive)),
    prompt: l10n.t('Enter the path of the destination folder'),
    value: here,
    valueSelection: [here.length, here.length],
    validateInput: (text) => (text.startsWith('/') ? undefined : l10n.t('Enter an absolute path, such as /var/www.')),
  });
  return folder === '/' ? folder : folder?.replace(/\/+$/, '');
}

function mayUnpack(
  archive: FilePlace,
  folder: string,
  on: readonly FilePlace[],
  { environments }: Services,
): Promise<boolean> {
  const question = l10n.t('Unpack “{0}” into {1}?', nameOf(archive), folder);
  const each = l10n.t('Each node unpacks its own copy of {0}.', archive.path);
  const loss = l10n.t('Existing files with the same names will be replaced.');
  const consequence = on.length === 1 ? loss : `${each} ${loss}`;
  const paragraphs = [modalLines(on.map((one) => locationText(one, environments))), consequence];
  return confirmChange([archive, ...on], environments, { question, paragraphs, button: l10n.t('Unpack') });
}

/** With these errors, nothing was unpacked. */
const beforeUnpacking: ReadonlySet<PlatformErrorKind> = new Set(['unauthenticated', 'tokenLacksMethod', 'notFound']);

/** @param archives the selected archive, and its location on each node that unpacks its own copy */
async function unpacking(
  archives: readonly [FilePlace, ...FilePlace[]],
  folder: string,
  { announce, listings }: Services,
  unpack: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const [archive] = archives;
  const tell = () => {
    const into = archives.map((one) => ({ ...one, path: folder }));
    into.forEach((one) => listings.forget(one));
    const place = (one: FilePlace) => childOf(one, nameOf(archive));
    announce(into.map((one) => ({ place: place(one), type: FileChangeType.Created, unpacked: archive.path })));
  };
  try {
    await withProgress(l10n.t('Unpacking {0}', nameOf(archive)), ({ signal }) => unpack(signal));
  } catch (error) {
    if (!isPlatformError(error) || !beforeUnpacking.has(error.kind)) {
      // Some files may have been unpacked.
      tell();
    }
    throw error;
  }
  tell();
  showStatusMessage('check', l10n.t('Unpacked {0} into {1}', nameOf(archive), folder), 5000);
}

/** Nodes can come while the questions are open, and the platform unpacks on each node that has the type. */
async function ensureSameType(
  archive: FilePlace,
  asked: Awaited<ReturnType<typeof nodesOfSameType>>,
  services: Services,
): Promise<void> {
  const now = await nodesOfSameType(archive, services, 0);
  const idsOf = (nodes: readonly FilePlace[]) => nodes.map(({ target }) => target.nodeId).sort();
  if (now.type !== asked.type || idsOf(now.nodes).join() !== idsOf(asked.nodes).join()) {
    throw new ExpectedError(
      l10n.t(
        "Couldn't unpack {0}: {1} has other nodes of this type than before the question, so nothing was unpacked. Try again to unpack on those that it has now.",
        nameOf(archive),
        services.environments.titleOf(archive),
      ),
    );
  }
}

/**
 * Returns the nodes that UnpackByType affects, in any layer.
 * @param maxAge of the platform's list of nodes, in milliseconds
 */
async function nodesOfSameType(archive: FilePlace, { environments, containers }: Services, maxAge?: number) {
  const all = await environments.now(containers.account(archive.account), maxAge);
  const layers = all.find(({ name }) => name === archive.environment)?.layers ?? [];
  const nodes = layers.flatMap(({ id, nodes: inLayer }) => inLayer.map((node) => ({ layer: id, node })));
  const own = nodes.find(({ layer, node }) =>
    archive.target.nodeId === undefined ? layer === archive.target.nodeGroup : node.id === archive.target.nodeId,
  );
  const type = own?.node.type;
  if (type === undefined) {
    throw new ExpectedError(
      l10n.t(
        "Couldn't unpack: the platform doesn't report the node type of {0}. Use Unpack instead.",
        locationText(archive, environments),
      ),
    );
  }
  return {
    type,
    nodes: nodes
      .filter(({ node }) => node.type === type)
      .map(({ layer, node }) => ({ ...archive, target: { nodeGroup: layer, nodeId: node.id } })),
  };
}
