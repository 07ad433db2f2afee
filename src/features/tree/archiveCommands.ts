import { ExpectedError } from '../../ui/expectedError';
import { FileChangeType, l10n } from 'vscode';
import { locationText } from '../../containers/locationText';
import { isPlatformError, type PlatformErrorKind } from '../../platform/errors';
import { confirmChange } from '../../ui/commands/protectedPrompt';
import { childOf, type FilePlace, nameOf, parentOrSelf } from '../../containers/place';
import { modalLines } from '../../ui/notifications';
import { withProgress } from '../../ui/progress';
import { askValue } from '../../ui/quickPick';
import type { Services } from '../../services';
import { showStatusMessage } from '../../ui/statusBar';

/** Commands for what the platform unpacks. */
export function archiveCommands(services: Services) {
  const { targets, containers } = services;
  return {
    'gantry.archive.unpack': targets.onFile(async (archive) => {
      containers.ensureOffered('UnpackById', archive);
      services.serverOperations.nodeToUnpackOn(archive);
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
