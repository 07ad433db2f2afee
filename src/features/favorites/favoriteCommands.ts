import { ExpectedError } from '../../ui/expectedError';
import { commands, l10n } from 'vscode';
import type { FilePlace } from '../../containers/place';
import type { OperationName } from '../../platform/contract';
import type { Favorite, FavoriteChange } from './favorite';
import type { Favorites } from './favoriteStore';
import { confirm, showInformationMessage, showWarningMessage } from '../../ui/notifications';
import { checkEach, runEach, reportFailures, succeeded } from '../../ui/batchOutcomes';
import type { FavoriteElement, FavoritesView, FavoriteViewElement } from './favoritesView';
import { selectedRows } from '../../trees/rowTree';
import { addByPath, addFavorites } from './addFavoriteFlow';
import type { OrderMemory } from './favoriteOrder';
import { askFilter, askKeyword, askOrder } from './favoritePrompts';
import { uriOf } from '../../containers/uris';
import type { Services } from '../../services';
import type { CommandTarget } from '../../trees/sharedElement';
import { modalLines } from '../../ui/modalLines';

export function favoriteCommands(
  services: Services,
  favorites: Favorites,
  view: FavoritesView,
  order: OrderMemory,
  selection: () => readonly FavoriteViewElement[],
) {
  const adding = { ...services, favorites };
  /** Also accepts entries below a favorite, so that they can become favorites too. */
  const targetsOf = async (received: readonly unknown[]): Promise<readonly CommandTarget[]> => {
    const own = received.length === 0 ? [] : selectedRows(received, view, selection);
    const entries = own.filter((element) => element.kind === 'entry');
    return entries.length === 0
      ? services.targets.all(received)
      : entries.map(({ place, entry }) => ({ place, isFolder: entry.isDir }));
  };
  const meant = (received: readonly unknown[]) => selectedRows(received, view, selection).flatMap(favoriteIn);
  const change = async (
    received: readonly unknown[],
    ask: (favorite: Favorite) => Promise<FavoriteChange | undefined>,
  ) => {
    const [element] = meant(received);
    if (element === undefined) {
      return;
    }
    // The platform has no edit, so a change removes the favorite and adds it again.
    ensureOffered(element.favorite, ['RemoveFavorite', 'AddFavorite'], services);
    const changed = await ask(element.favorite);
    if (changed !== undefined) {
      await favorites.replace(element.favorite, changed);
    }
  };
  return {
    async 'gantry.favorite.add'(...received: readonly unknown[]) {
      await addFavorites(await targetsOf(received), adding);
    },

    async 'gantry.favorite.addByPath'(received: unknown) {
      const element = view.find(received);
      const where = element?.kind === 'environment' || element?.kind === 'none' ? element.environment : undefined;
      await addByPath(where, adding);
    },

    async 'gantry.favorite.open'(...received: readonly unknown[]) {
      const all = meant(received);
      for (const element of all) {
        await open(element, all.length === 1, services, favorites);
      }
    },

    async 'gantry.favorite.reveal'(...received: readonly unknown[]) {
      const [element] = selectedRows(received, view, selection);
      if (element !== undefined && 'place' in element && element.place !== undefined) {
        await reveal(element.place, services);
      }
    },

    async 'gantry.favorite.rename'(...received: readonly unknown[]) {
      const [element] = selectedRows(received, view, selection);
      if (element?.kind === 'favorite') {
        await change([element], askKeyword);
      }
    },

    'gantry.favorite.editFilter': (...received: readonly unknown[]) => change(received, askFilter),

    async 'gantry.favorite.remove'(...received: readonly unknown[]) {
      const rows = selectedRows(received, view, selection).filter(({ kind }) => kind !== 'noMatch');
      await remove(rows.flatMap(favoriteIn), services, favorites);
    },

    async 'gantry.favorites.sort'() {
      if (await askOrder(order)) {
        view.refresh();
      }
    },

    'gantry.favorites.refresh': () =>
      view.readAgain(() => {
        services.listings.forgetAll();
        favorites.refresh();
      }),
  };
}

/** Returns the favorite that the row represents or is a placeholder for. */
function favoriteIn(element: FavoriteViewElement): FavoriteElement[] {
  switch (element.kind) {
    case 'favorite':
      return [element];
    case 'gone':
    case 'noMatch':
      return [element.of];
    default:
      return [];
  }
}

async function reveal(place: FilePlace, { features, environments }: Services): Promise<void> {
  if (!(await features.tree.use(({ show }) => show(place)))) {
    throw new ExpectedError(l10n.t('{0} no longer exists in {1}.', place.path, environments.titleOf(place)));
  }
}

/** Shows a folder or opens a file. If it doesn't exist, reports that instead. */
async function open(element: FavoriteElement, alone: boolean, services: Services, favorites: Favorites): Promise<void> {
  const { favorite, place, where } = element;
  const { listings } = services;
  if (place === undefined) {
    await tellGone(
      element,
      l10n.t("Couldn't open “{0}”: its layer or node no longer exists.", favorite.keyword),
      favorites,
    );
    return;
  }
  // The cache may be old, so ask the platform before reporting it as missing.
  const entry = (await listings.entry(place)) ?? (await listings.lookUp(place));
  favorites.noteGone(place, entry === undefined);
  if (entry === undefined) {
    await tellGone(
      element,
      l10n.t("Couldn't open “{0}”: {1} no longer exists on {2}.", favorite.keyword, place.path, where),
      favorites,
    );
  } else if (entry.isDir) {
    await reveal(place, services);
  } else {
    await commands.executeCommand('vscode.open', uriOf(place), { preview: alone });
  }
}

async function tellGone({ favorite }: FavoriteElement, text: string, favorites: Favorites): Promise<void> {
  const removeIt = l10n.t('Remove from Favorites');
  if ((await showWarningMessage(text, removeIt)) === removeIt) {
    await favorites.remove(favorite);
  }
}

/** Fails before the person is asked anything. */
function ensureOffered(
  { account, environment, path }: Favorite,
  operations: readonly OperationName[],
  { containers, environments }: Services,
): void {
  const object = { path, environment: environments.titleOf({ account, environment }) };
  operations.forEach((operation) => containers.account(account).ensureOffered(operation, object));
}

async function remove(elements: readonly FavoriteElement[], services: Services, favorites: Favorites): Promise<void> {
  const { passed: toDelete, refused } = checkEach(
    elements.map(({ favorite }) => favorite),
    (favorite) => ensureOffered(favorite, ['RemoveFavorite'], services),
  );
  if (toDelete.length === 0 || !(await mayRemove(toDelete))) {
    return;
  }
  const outcomes = [...refused, ...(await runEach(toDelete, (favorite) => favorites.remove(favorite)))];
  const removed = succeeded(outcomes);
  void offerUndo(removed, favorites);
  await reportFailures(outcomes, nameOf, (failed, all) => l10n.t("Couldn't remove {0} of {1} favorites.", failed, all));
}

async function mayRemove(toDelete: readonly Favorite[]): Promise<boolean> {
  if (toDelete.length === 1) {
    return true;
  }
  const question = l10n.t('Remove these {0} favorites?', toDelete.length);
  const consequence = l10n.t("The files and folders themselves aren't deleted.");
  return confirm(question, [modalLines(toDelete.map(nameOf)), consequence], l10n.t('Remove'));
}

async function offerUndo(removed: readonly Favorite[], favorites: Favorites): Promise<void> {
  const [first] = removed;
  if (first === undefined) {
    return;
  }
  const text =
    removed.length === 1
      ? l10n.t('Removed “{0}” from favorites.', first.keyword)
      : l10n.t('Removed {0} favorites.', removed.length);
  const undo = l10n.t('Undo');
  if ((await showInformationMessage(text, undo)) === undo) {
    const outcomes = await runEach(removed, (favorite) => favorites.add(favorite));
    await reportFailures(outcomes, nameOf, (failed, all) =>
      l10n.t("Couldn't restore {0} of {1} favorites.", failed, all),
    );
  }
}

function nameOf({ keyword, path }: Favorite): string {
  return `${keyword} (${path})`;
}
