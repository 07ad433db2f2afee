import { FileChangeType, l10n, type TreeView, window } from 'vscode';
import { type EnvironmentPlace, failedObjectAt, parentOrSelf } from '../../containers/place';
import type { Own } from '../../gantry';
import { changedFolders } from '../../trees/folderRows';
import type { Services } from '../../services';
import { type CrossMount, Mounts } from './mountStore';
import {
  type ClientElement,
  createMountsView,
  type ExportElement,
  type MountElement,
  type MountsView,
  type MountViewElement,
} from './mountsView';
import { type Environment, nodeLabel } from '../../containers/environment';
import { nodeIn } from '../../containers/environmentIndex';
import { type Container, isContainer, partOfRow } from '../../containers/environmentPart';
import { accountsOffering, listContainers } from '../../ui/commands/environmentPartPrompts';
import type { Listings } from '../../containers/listings';
import { productionSentence } from '../../containers/protectedEnvironments';
import { isPlatformError, onPlatformError, undefinedIf } from '../../platform/errors';
import { commandsOnRows } from '../../trees/rowTree';
import { command, commandOnNothing } from '../../ui/commands/command';
import { batch, type ChangeConfirmation, step } from '../../ui/commands/runner';
import { ExpectedError } from '../../ui/expectedError';
import { reasonText } from '../../ui/failureMessages';
import { agreed, maxNamed, modalLines, showWarningMessage } from '../../ui/notifications';
import { withCancelableRead } from '../../ui/progress';
import { askInTurn } from '../../ui/prompts';
import { type MountInput, mountInputFrom, mountQuestions, mountSummary, mountTitle } from './mountInput';

export function createMounts(services: Services, own: Own, treeView: TreeView<unknown>) {
  const { accounts, containers, fileSystem, announce, features } = services;
  const mounts = own(new Mounts(containers));
  const view = own(createMountsView(services, mounts));
  own(accounts.onDidSignOut(() => mounts.refresh()));
  own(
    mounts.onDidChange((places) => {
      // Other data shows there, but no file was edited.
      announce(
        places.map((place) => ({ place, type: FileChangeType.Changed })),
        { isCertain: false },
      );
      const folders = places.flatMap((place) => [place, parentOrSelf(place)]);
      features.tree.loaded?.refreshFolders(folders);
      features.favorites.loaded?.refreshFolders(folders);
    }),
  );
  own(fileSystem.onDidChangeFile((changes) => view.refreshFolders(changedFolders(changes))));
  return { mounts, view, commands: mountCommands(services, mounts, view, treeView) };
}

function mountCommands(services: Services, mounts: Mounts, view: MountsView, tree: TreeView<unknown>) {
  const { listings, environments, features } = services;
  const onRows = commandsOnRows(view, tree);
  const removeMounts = removalOfMounts(mounts, services);
  const removeExports = removalOfExports(mounts, services);
  return {
    'gantry.mount.add': command(
      'environment',
      async ({ object }) => {
        const row = view.find(object);
        const part = await partOfRow(row?.kind === 'none' ? row.of : object, services);
        return { within: part?.environment, target: part && isContainer(part) ? part : undefined };
      },
      addingMount(mounts, services),
    ),

    'gantry.mount.reveal': onRows(([row]) => (row !== undefined && 'place' in row ? row.place : undefined))(
      async (place) => {
        if (!(await features.tree.use(({ show }) => show(place)))) {
          throw new ExpectedError(l10n.t("{0} doesn't exist in {1}.", place.path, environments.titleOf(place)));
        }
      },
    ),

    /** A keybinding removes whatever is selected: mounts, exports, or both. */
    'gantry.mount.remove': onRows((rows) => rows)(async (rows) => {
      if (await removeMounts(removableMounts(rows))) {
        await removeExports(clientsIn(rows));
      }
    }),

    'gantry.export.remove': onRows(clientsIn)(removeExports),

    'gantry.mounts.refresh': commandOnNothing(() =>
      view.readAgain(() => {
        listings.forgetAll();
        mounts.refresh();
      }),
    ),
  };
}

interface MountTarget {
  readonly target: Container | undefined;
  readonly within: Environment | undefined;
}

/** Asks for a mount's settings, lets the platform check it, and creates it. Skips the target if it's known. */
function addingMount(mounts: Mounts, services: Services) {
  const { accounts, environments, listings } = services;
  return step({
    needs({ target }: MountTarget) {
      if (target !== undefined) {
        const object = { environment: target.environment.title, layer: target.layer.name, nodeId: target.node?.id };
        accounts.find(target.environment.account)?.ensureOffered(addOperation(target), object);
      }
    },
    async ask({ target, within }) {
      const offering = accountsOffering(accounts, ['AddMountPointById', 'AddMountPointByGroup'], within);
      // A source needs no rights, so it can be in any account.
      const sources = await listContainers(services);
      const all = await listContainers({ accounts: offering, environments }, within);
      const isOffered = (one: Container) => offering.find(one.environment.account)?.lacks(addOperation(one)) === false;
      const asking = { sources, targets: { ...all, all: all.all.filter(isOffered) }, target };
      const entered = await askInTurn((soFar) => mountTitle(asking, soFar), mountQuestions(asking, listings));
      const input = entered && mountInputFrom(asking, entered);
      return (
        input && { input, summary: mountSummary(asking, entered), doubts: await doubtsAbout(input, mounts, services) }
      );
    },
    /** Says what will be mounted, with possible problems, and lets the person decide. */
    confirm(_, { input: { place, source }, summary, doubts }) {
      // The source's environment exports the folder from then on.
      const sourceNode = source.kind === 'host' ? undefined : source.nodeId;
      const isClear = doubts.length === 0;
      return {
        when: 'always',
        places: [place, ...environments.knownPlacesOf(place.account, sourceNode)],
        titles: environments,
        question: l10n.t('Mount at {0}?', place.path),
        paragraphs: [summary, ...doubts],
        button: isClear ? l10n.t('Mount') : l10n.t('Mount Anyway'),
      };
    },
    progress: (_, { input }) => l10n.t('Mounting {0}', input.place.path),
    run: (_, { input }) => mounts.add(input),
    done: (_, __, { input }) => ({ icon: 'check', status: l10n.t('Mounted {0}', input.place.path) }),
  });
}

function addOperation({ node }: Container) {
  return node === undefined ? 'AddMountPointByGroup' : 'AddMountPointById';
}

async function doubtsAbout(input: MountInput, mounts: Mounts, services: Services): Promise<readonly string[]> {
  const [crossMounts, hidden] = await withCancelableRead(l10n.t('Checking {0}', input.place.path), () =>
    Promise.all([crossingsOf(input, mounts), hiddenBy(input, services.listings)]),
  );
  return [...(await crossingDoubts(crossMounts, input, services)), ...hidden];
}

function crossingsOf({ place, nodeIds, source }: MountInput, mounts: Mounts): Promise<readonly CrossMount[]> {
  return source.kind === 'host' ? Promise.resolve([]) : mounts.crossMounts(place, nodeIds, source.nodeId);
}

async function crossingDoubts(
  crossMounts: readonly CrossMount[],
  { place }: MountInput,
  { accounts, environments }: Services,
): Promise<string[]> {
  const account = accounts.find(place.account);
  const known = account === undefined ? [] : await environments.of(account);
  return crossMounts.flatMap(({ nodeId, warnings, error }) => {
    const found = nodeIn(nodeId, known);
    const name = found === undefined ? String(nodeId) : nodeLabel(found.node, found.environment);
    const unchecked = l10n.t("Couldn't check {0}: {1}.", name, reasonText(error));
    return [...warnings.map((warning) => `${name}: ${warning}`), ...(error === undefined ? [] : [unchecked])];
  });
}

/** Returns doubts about the folder's entries, because they are hidden while something is mounted there. */
async function hiddenBy({ place, nodeIds }: MountInput, listings: Listings): Promise<string[]> {
  const found = await Promise.all(
    // The platform validates a folder that doesn't exist.
    nodeIds.map((nodeId) =>
      undefinedIf('notFound', listings.proven({ ...place, target: { ...place.target, nodeId } })).then(
        (listing) => listing?.size ?? 0,
        onPlatformError((error) => error),
      ),
    ),
  );
  const most = Math.max(0, ...found.filter((one) => typeof one === 'number'));
  const failure = found.find(isPlatformError);
  const doubts: string[] = [];
  if (most > 0) {
    doubts.push(
      l10n.t(
        "{0} isn't empty. Its current items ({1}) won't be accessible while something is mounted there.",
        place.path,
        most,
      ),
    );
  }
  if (failure !== undefined) {
    doubts.push(l10n.t("Couldn't check whether {0} is empty: {1}.", place.path, reasonText(failure)));
  }
  return doubts;
}

/** Returns the mounts among the rows. Says of those that the platform created that they are kept. */
function removableMounts(rows: readonly MountViewElement[]): readonly MountElement[] {
  const chosen = rows.filter((row) => row.kind === 'mount');
  const kept = chosen.filter(({ mount }) => mount.isSystem).map(nameOfMount);
  if (kept.length > 0) {
    void showWarningMessage(
      l10n.t("Couldn't unmount {0}: the platform created it and doesn't allow removing it.", kept.join(', ')),
    );
  }
  return chosen.filter(({ mount }) => !mount.isSystem);
}

/** Unmounts after a confirmation that lists who loses what. */
function removalOfMounts(mounts: Mounts, services: Services) {
  const { accounts, environments } = services;
  return batch<MountElement>({
    needs({ mount: { place } }) {
      const operation = place.target.nodeId === undefined ? 'RemoveMountPointByGroup' : 'RemoveMountPointById';
      accounts.find(place.account)?.ensureOffered(operation, failedObjectAt(place));
    },
    confirm(all) {
      const asked = { question: unmountQuestion(all), lines: all.map(mountLine), yes: l10n.t('Unmount') };
      const places = all.flatMap(({ mount: { place, source } }) => [
        place,
        ...environments.knownPlacesOf(place.account, source.nodeId),
      ]);
      return lossesQuestion(asked, places, services);
    },
    run: ({ mount }) => mounts.remove(mount),
    nameOf: nameOfMount,
    failed: (failed, all) => l10n.t("Couldn't unmount {0} of {1} mount points.", failed, all),
  });
}

/** Returns the rows of clients. An exported folder includes all its clients. */
function clientsIn(rows: readonly MountViewElement[]): readonly ClientElement[] {
  const exports = rows.filter((row) => row.kind === 'export');
  warnOfUnlistedClients(exports);
  return [...new Set([...exports.flatMap((one) => one.clients), ...rows.filter((row) => row.kind === 'client')])];
}

/** Stops exporting folders to their clients, after a confirmation that lists who loses what. */
function removalOfExports(mounts: Mounts, services: Services) {
  return batch<ClientElement>({
    needs: ({ from: { place } }) =>
      services.accounts.find(place.account)?.ensureOffered('RemoveExport', failedObjectAt(place)),
    confirm(all) {
      const question =
        all.length === 1 ? l10n.t('Stop this export?') : l10n.t('Stop exports to these {0} nodes?', all.length);
      const affected = all.flatMap(({ from, place }) => [from.place, ...(place === undefined ? [] : [place])]);
      return lossesQuestion({ question, lines: all.map(clientLine), yes: l10n.t('Stop Export') }, affected, services);
    },
    run: ({ from, client, place }) => mounts.removeExport(from, client, place),
    nameOf: ({ name }) => name,
    failed: (failed, all) => l10n.t("Couldn't stop {0} of {1} exports.", failed, all),
  });
}

/** Warns about exports without listed clients, which can't be stopped from the exporting node. */
function warnOfUnlistedClients(exports: readonly ExportElement[]): void {
  const nameless = exports.filter(({ clients }) => clients.length === 0).map(({ place }) => place.path);
  if (nameless.length > 0) {
    void showWarningMessage(
      l10n.t(
        "Couldn't stop the export of {0}: the platform doesn't report which nodes use it. Unmount it on each node that uses it.",
        nameless.join(', '),
      ),
    );
  }
}

/** Lists who loses what. If it's too long for a dialog, a button shows it in an editor and asks again. */
function lossesQuestion(
  { question, lines, yes }: { readonly question: string; readonly lines: readonly string[]; readonly yes: string },
  places: readonly EnvironmentPlace[],
  { environments, texts }: Services,
): ChangeConfirmation {
  const showAll = async () => {
    await window.showTextDocument(texts.add(l10n.t('Affected nodes.txt'), `${lines.join('\n')}\n`));
    const again = [await productionSentence(places, environments), question].filter((one) => one !== undefined);
    return (await showWarningMessage(again.join(' '), yes)) === yes ? agreed : undefined;
  };
  return {
    when: 'always',
    places,
    titles: environments,
    question,
    paragraphs: [modalLines(lines), l10n.t("The data itself isn't deleted.")],
    button: yes,
    others: new Map(lines.length > maxNamed ? [[l10n.t('Show All'), showAll]] : []),
  };
}

function unmountQuestion(toDelete: readonly MountElement[]): string {
  const [first] = toDelete;
  return toDelete.length === 1 && first !== undefined
    ? l10n.t('Unmount “{0}”?', first.mount.place.path)
    : l10n.t('Unmount these {0} mount points?', toDelete.length);
}

function nameOfMount({ mount, where }: MountElement): string {
  return l10n.t('{0} on {1}', mount.place.path, where);
}

function mountLine({ mount, where, source }: MountElement): string {
  return l10n.t('{0} loses access to {1} at {2}', where, source, mount.place.path);
}

function clientLine({ from, client, name }: ClientElement): string {
  return l10n.t('{0} loses access to {1} at {2}', name, from.place.path, client.path);
}
