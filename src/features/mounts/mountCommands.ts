import { l10n, window } from 'vscode';
import { ExpectedError } from '../../ui/expectedError';
import { failedObjectAt, type EnvironmentPlace } from '../../containers/place';
import type { ClientElement, ExportElement, MountElement, MountsView, MountViewElement } from './mountsView';
import { selectedRows } from '../../trees/rowTree';
import { isContainer, partOfRow, type Container } from '../../containers/environmentPart';
import { type Environment, nodeLabel } from '../../containers/environment';
import { isPlatformError, onPlatformError, undefinedIf } from '../../platform/errors';
import type { Listings } from '../../containers/listings';
import type { CrossMount, Mounts } from './mountStore';
import type { MountInput } from './mountInput';
import { withCancelableRead, withDetachableProgress } from '../../ui/progress';
import { askInTurn } from '../../ui/prompts';
import { confirmChange, confirmInProduction } from '../../containers/protectedPrompt';
import { nodeIn } from '../../containers/environmentIndex';
import { accountsOffering, listContainers } from '../../containers/environmentPartPrompts';
import { mountQuestions, type MountPromptDeps, mountInputFrom } from './mountPrompts';
import { reasonText } from '../../ui/failureMessages';
import { showWarningMessage } from '../../ui/notifications';
import { checkEach, runEach, reportFailures } from '../../ui/batchOutcomes';
import type { Services } from '../../services';
import { modalLines, maxNamed } from '../../ui/modalLines';
import { productionSentence } from '../../containers/protectedEnvironments';
import { showStatusMessage } from '../../ui/statusBar';

export function mountCommands(
  services: Services,
  mounts: Mounts,
  view: MountsView,
  selection: () => readonly MountViewElement[],
) {
  const meant = (received: readonly unknown[]) => selectedRows(received, view, selection);
  return {
    async 'gantry.mount.add'(received: unknown) {
      const element = view.find(received);
      const meant = await partOfRow(element?.kind === 'none' ? element.of : received, services);
      const target = meant && isContainer(meant) ? meant : undefined;
      await addMount({ target, within: meant?.environment }, services, mounts);
    },

    async 'gantry.mount.reveal'(...received: readonly unknown[]) {
      const [element] = meant(received);
      const place = element !== undefined && 'place' in element ? element.place : undefined;
      if (place !== undefined && !(await services.features.tree.use(({ show }) => show(place)))) {
        throw new ExpectedError(l10n.t("{0} doesn't exist in {1}.", place.path, services.environments.titleOf(place)));
      }
    },

    /** A keybinding removes whatever is selected: mounts, exports, or both. */
    async 'gantry.mount.remove'(...received: readonly unknown[]) {
      const elements = meant(received);
      if (await removeMounts(elements, services, mounts)) {
        await removeExports(elements, services, mounts);
      }
    },

    'gantry.export.remove': (...received: readonly unknown[]) => removeExports(meant(received), services, mounts),

    'gantry.mounts.refresh': () =>
      view.readAgain(() => {
        services.listings.forgetAll();
        mounts.refresh();
      }),
  };
}

/** Asks for a mount's settings, lets the platform check it, and creates it. Skips the target if it's known. */
async function addMount(
  { target, within }: { readonly target?: Container | undefined; readonly within?: Environment | undefined },
  services: Services,
  mounts: Mounts,
): Promise<void> {
  const { environments, listings } = services;
  if (target !== undefined) {
    const object = { environment: target.environment.title, layer: target.layer.id, nodeId: target.node?.id };
    services.accounts.find(target.environment.account)?.ensureOffered(addOperation(target), object);
  }
  const accounts = accountsOffering(services.accounts, ['AddMountPointById', 'AddMountPointByGroup'], within);
  // A source needs no rights, so it can be in any account.
  const sources = await listContainers(services);
  const all = await listContainers({ accounts, environments }, within);
  const isOffered = (one: Container) => accounts.find(one.environment.account)?.lacks(addOperation(one)) === false;
  const targets = { ...all, all: all.all.filter(isOffered) };
  const asking: MountPromptDeps = { sources, targets, target, listings };
  const title = target === undefined ? l10n.t('Add Mount Point') : l10n.t('Add Mount Point on {0}', nameOf(target));
  const entered = await askInTurn(title, mountQuestions(asking));
  const input = entered && mountInputFrom(asking, entered);
  if (input !== undefined && (await isWanted(input, services, mounts))) {
    await withDetachableProgress(l10n.t('Mounting {0}', input.place.path), () => mounts.add(input));
    showStatusMessage('check', l10n.t('Mounted {0}', input.place.path), shownFor);
  }
}

function addOperation({ node }: Container) {
  return node === undefined ? 'AddMountPointByGroup' : 'AddMountPointById';
}

/** In milliseconds. */
const shownFor = 5_000;

function nameOf({ environment, layer, node }: Container): string {
  return node === undefined ? `${environment.title} · ${layer.name}` : nodeLabel(node, environment);
}

/** Shows possible problems and lets the user decide. */
async function isWanted(input: MountInput, services: Services, mounts: Mounts): Promise<boolean> {
  const [crossMounts, hidden] = await withCancelableRead(l10n.t('Checking {0}', input.place.path), () =>
    Promise.all([crossingsOf(input, mounts), hiddenBy(input, services.listings)]),
  );
  const doubts = [...(await crossingDoubts(crossMounts, input, services)), ...hidden];
  const question = l10n.t('Mount at {0}?', input.place.path);
  // The source's environment exports the folder from then on.
  const sourceNode = input.source.kind === 'host' ? undefined : input.source.nodeId;
  const places = [input.place, ...services.environments.knownPlacesOf(input.place.account, sourceNode)];
  return doubts.length === 0
    ? confirmInProduction(places, services.environments, { question, paragraphs: [], button: l10n.t('Mount') })
    : confirmChange(places, services.environments, { question, paragraphs: doubts, button: l10n.t('Mount Anyway') });
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

/**
 * Unmounts the selection after confirmation. Keeps mounts created by the platform and says so.
 * Returns whether to continue with the rest of the selection, which isn't so if the user declines.
 */
async function removeMounts(
  elements: readonly MountViewElement[],
  services: Services,
  mounts: Mounts,
): Promise<boolean> {
  const chosen = elements.filter((element) => element.kind === 'mount');
  const removable = chosen.filter(({ mount }) => !mount.isSystem);
  if (removable.length < chosen.length) {
    const kept = chosen.filter(({ mount }) => mount.isSystem).map(nameOfMount);
    void showWarningMessage(
      l10n.t("Couldn't unmount {0}: the platform created it and doesn't allow removing it.", kept.join(', ')),
    );
  }
  if (removable.length === 0) {
    return true;
  }
  const { passed: toDelete, refused } = checkEach(removable, ({ mount }) => {
    const { account, target } = mount.place;
    const operation = target.nodeId === undefined ? 'RemoveMountPointByGroup' : 'RemoveMountPointById';
    services.accounts.find(account)?.ensureOffered(operation, failedObjectAt(mount.place));
  });
  const asked = { question: unmountQuestion(toDelete), lines: toDelete.map(mountLine), yes: l10n.t('Unmount') };
  const places = toDelete.flatMap(({ mount: { place, source } }) => [
    place,
    ...services.environments.knownPlacesOf(place.account, source.nodeId),
  ]);
  if (!(await confirmLosses(asked, places, services))) {
    return false;
  }
  const outcomes = [...refused, ...(await runEach(toDelete, ({ mount }) => mounts.remove(mount)))];
  await reportFailures(outcomes, nameOfMount, (failed, all) =>
    l10n.t("Couldn't unmount {0} of {1} mount points.", failed, all),
  );
  return true;
}

/** Stops exporting folders to their clients, after a confirmation that lists who loses what. */
async function removeExports(elements: readonly MountViewElement[], services: Services, mounts: Mounts): Promise<void> {
  const exports = elements.filter((element) => element.kind === 'export');
  warnOfUnlistedClients(exports);
  // An exported folder includes all its clients.
  const selected = [
    ...new Set([...exports.flatMap((one) => one.clients), ...elements.filter((element) => element.kind === 'client')]),
  ];
  const { passed: clients, refused } = checkEach(selected, ({ from }) =>
    services.accounts.find(from.place.account)?.ensureOffered('RemoveExport', failedObjectAt(from.place)),
  );
  const question =
    clients.length === 1 ? l10n.t('Stop this export?') : l10n.t('Stop exports to these {0} nodes?', clients.length);
  const asked = { question, lines: clients.map(clientLine), yes: l10n.t('Stop Export') };
  const affected = clients.flatMap(({ from, place }) => [from.place, ...(place === undefined ? [] : [place])]);
  if (clients.length === 0 || !(await confirmLosses(asked, affected, services))) {
    return;
  }
  const stopped = await runEach(clients, ({ from, client, place }) => mounts.removeExport(from, client, place));
  const outcomes = [...refused, ...stopped];
  await reportFailures(
    outcomes,
    ({ name }) => name,
    (failed, all) => l10n.t("Couldn't stop {0} of {1} exports.", failed, all),
  );
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

/** Confirms with a list of who loses what. If it's too long for a dialog, shows it in an editor and asks again. */
async function confirmLosses(
  { question, lines, yes }: { readonly question: string; readonly lines: readonly string[]; readonly yes: string },
  affected: readonly EnvironmentPlace[],
  { environments, texts }: Services,
): Promise<boolean> {
  const stays = l10n.t("The data itself isn't deleted.");
  const asked = { question, paragraphs: [modalLines(lines), stays], button: yes };
  if (lines.length <= maxNamed) {
    return confirmChange(affected, environments, asked);
  }
  let agreedAfterReading = false;
  const showAll = async () => {
    await window.showTextDocument(texts.add(l10n.t('Affected nodes.txt'), `${lines.join('\n')}\n`));
    const again = [await productionSentence(affected, environments), question].filter((one) => one !== undefined);
    agreedAfterReading = (await showWarningMessage(again.join(' '), yes)) === yes;
  };
  const others = new Map([[l10n.t('Show All'), showAll]]);
  return (await confirmChange(affected, environments, { ...asked, others })) || agreedAfterReading;
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
