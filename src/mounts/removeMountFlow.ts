import { l10n, window } from 'vscode';
import type { Mounts } from './mounts';
import { showWarningMessage } from '../ui/notifications';
import { runEach, reportFailures } from '../ui/batchOutcomes';
import type { ClientElement, ExportElement, MountElement, MountViewElement } from './mountElement';
import type { ShownTexts } from '../ui/shownTexts';
import { modalLines, mostNamed } from '../ui/modalLines';
import type { Environments } from '../containers/environments';
import type { EnvironmentPlace } from '../containers/place';
import { productionSentence } from '../containers/protectedEnvironments';
import { confirmChange } from '../containers/protectedPrompt';

export interface RemoveMountDeps {
  readonly mounts: Mounts;
  readonly environments: Environments;
  readonly texts: Pick<ShownTexts, 'add'>;
}

/**
 * Unmounts the selection after confirmation. Keeps mounts created by the platform and says so.
 * Returns whether to continue with the rest of the selection, which isn't so if the user declines.
 */
export async function removeMounts(elements: readonly MountViewElement[], deps: RemoveMountDeps): Promise<boolean> {
  const chosen = elements.filter((element) => element.kind === 'mount');
  const toDelete = chosen.filter(({ mount }) => !mount.isSystem);
  if (toDelete.length < chosen.length) {
    const kept = chosen.filter(({ mount }) => mount.isSystem).map(nameOfMount);
    void showWarningMessage(
      l10n.t("Couldn't unmount {0}: the platform created it and doesn't allow removing it.", kept.join(', ')),
    );
  }
  if (toDelete.length === 0) {
    return true;
  }
  const asked = { question: unmountQuestion(toDelete), lines: toDelete.map(mountLine), yes: l10n.t('Unmount') };
  const places = toDelete.flatMap(({ mount: { place, source } }) => [
    place,
    ...deps.environments.knownPlacesOf(place.account, source.nodeId),
  ]);
  if (!(await confirmLosses(asked, places, deps))) {
    return false;
  }
  const outcomes = await runEach(toDelete, ({ mount }) => deps.mounts.remove(mount));
  await reportFailures(outcomes, nameOfMount, (failed, all) =>
    l10n.t("Couldn't unmount {0} of {1} mount points.", failed, all),
  );
  return true;
}

/** Stops exporting folders to their clients, after a confirmation that lists who loses what. */
export async function removeExports(elements: readonly MountViewElement[], deps: RemoveMountDeps): Promise<void> {
  const exports = elements.filter((element) => element.kind === 'export');
  warnOfUnlistedClients(exports);
  // An exported folder includes all its clients.
  const clients = [
    ...new Set([...exports.flatMap((one) => one.clients), ...elements.filter((element) => element.kind === 'client')]),
  ];
  const question =
    clients.length === 1 ? l10n.t('Stop this export?') : l10n.t('Stop exports to these {0} nodes?', clients.length);
  const asked = { question, lines: clients.map(clientLine), yes: l10n.t('Stop Export') };
  const affected = clients.flatMap(({ from, place }) => [from.place, ...(place === undefined ? [] : [place])]);
  if (clients.length === 0 || !(await confirmLosses(asked, affected, deps))) {
    return;
  }
  const outcomes = await runEach(clients, ({ from, client, place }) => deps.mounts.removeExport(from, client, place));
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
        "Couldn't stop the export of {0}: the platform doesn't report which nodes use it. Unmount it on those nodes.",
        nameless.join(', '),
      ),
    );
  }
}

/** Confirms with a list of who loses what. If it's too long for a dialog, shows it in an editor and asks again. */
async function confirmLosses(
  { question, lines, yes }: { readonly question: string; readonly lines: readonly string[]; readonly yes: string },
  affected: readonly EnvironmentPlace[],
  { environments, texts }: RemoveMountDeps,
): Promise<boolean> {
  const stays = l10n.t("The data itself isn't deleted.");
  const asked = { question, paragraphs: [modalLines(lines), stays], button: yes };
  if (lines.length <= mostNamed) {
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
