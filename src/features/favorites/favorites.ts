import { commands, l10n, type TreeView, type Uri } from 'vscode';
import { containerPathQuestions } from '../../ui/commands/containerPrompt';
import type { Environment } from '../../containers/environment';
import { accountsOffering } from '../../ui/commands/environmentPartPrompts';
import { reachableEnvironment } from '../../containers/environmentIndex';
import type { Listings } from '../../containers/listings';
import { type FilePlace, filePlaceOf, nameOf } from '../../containers/place';
import type { Own } from '../../gantry';
import { changedFolders } from '../../trees/folderRows';
import type { Services } from '../../services';
import { type Favorite, type FavoriteChange, orderIn, type OrderMemory, scopeFor } from './favorite';
import { Favorites } from './favoriteStore';
import {
  askFilter,
  askKeyword,
  askOrder,
  createFavoritesView,
  type FavoriteElement,
  FavoritesDropController,
  type FavoritesView,
  type FavoriteViewElement,
  keywordProblem,
} from './favoritesView';
import { uriOf } from '../../containers/uris';
import type { OperationName } from '../../platform/contract';
import { onPlatformError, PlatformError } from '../../platform/errors';
import { commandsOnRows, rowsForKey, rowsMeant } from '../../trees/rowTree';
import { command, commandOnNothing, some } from '../../ui/commands/command';
import { batch, type ChangeConfirmation, step } from '../../ui/commands/runner';
import { ExpectedError } from '../../ui/expectedError';
import { modalLines, showWarningMessage } from '../../ui/notifications';
import { askInTurn, type Question } from '../../ui/prompts';

/** The user's favorite files and folders. */
export function createFavorites(services: Services, own: Own, treeView: TreeView<unknown>) {
  const { accounts, environments, containers, fileSystem, report, state } = services;
  const favorites = own(new Favorites(containers, environments));
  const order = orderIn(state);
  const view = own(createFavoritesView(services, favorites, () => order.get()));
  own(accounts.onDidSignOut(() => favorites.refresh()));
  own(
    fileSystem.onDidChangeFile((changes) => {
      view.refreshFolders(changedFolders(changes));
      favorites.noteChanges(changes);
    }),
  );
  const targetOf = (row: object | undefined) => view.targetOf(row);
  return {
    favorites,
    view,
    targetOf,
    dragAndDrop: new FavoritesDropController((uris) => addDropped(uris, favorites, services).catch(report)),
    refreshFolders: (folders: readonly FilePlace[]) => view.refreshFolders(folders),
    selectedTarget: async () => targetOf((await rowsForKey(() => view.selectedIn(treeView)))[0]),
    commands: favoriteCommands(services, favorites, view, order, treeView),
  };
}

function favoriteCommands(
  services: Services,
  favorites: Favorites,
  view: FavoritesView,
  order: OrderMemory,
  tree: TreeView<unknown>,
) {
  const onRows = commandsOnRows(view, tree);
  const onFavorites = onRows((rows) => rows.flatMap(favoriteIn));
  const { change, remove } = favoriteChanges(services, favorites);
  return {
    'gantry.favorite.add': command(
      'entries',
      // Entries below a favorite can become favorites, too.
      async (call) => {
        const own = call.isBare ? [] : await rowsMeant(call, view, () => view.selectedIn(tree));
        return (
          some(own.flatMap((row) => (row.kind === 'entry' ? (view.targetOf(row) ?? []) : []))) ??
          services.targets.all(call)
        );
      },
      (wanted) => addFavorites(wanted, favorites, services),
    ),

    'gantry.favorite.addByPath': command(
      'environment',
      ({ object }) => ({ row: view.find(object) }),
      ({ row }) =>
        addByPath(
          row?.kind === 'environment' || row?.kind === 'none' ? row.environment : undefined,
          favorites,
          services,
        ),
    ),

    'gantry.favorite.open': onFavorites(async (rows) => {
      for (const row of rows) {
        await open(row, { isAlone: rows.length === 1, favorites }, services);
      }
    }),

    'gantry.favorite.reveal': onRows(([row]) => (row !== undefined && 'place' in row ? row.place : undefined))(
      (place) => reveal(place, services),
    ),

    'gantry.favorite.rename': onRows(([row]) => (row?.kind === 'favorite' ? row : undefined))(change(askKeyword)),

    'gantry.favorite.editFilter': onRows((rows) => rows.flatMap(favoriteIn)[0])(change(askFilter)),

    'gantry.favorite.remove': onRows((rows) =>
      rows.filter(({ kind }) => kind !== 'noMatch').flatMap((row) => favoriteIn(row).map(({ favorite }) => favorite)),
    )(remove),

    'gantry.favorites.sort': commandOnNothing(async () => {
      if (await askOrder(order)) {
        view.refresh();
      }
    }),

    'gantry.favorites.refresh': commandOnNothing(() =>
      view.readAgain(() => {
        services.listings.forgetAll();
        favorites.refresh();
      }),
    ),
  };
}

function favoriteChanges({ environments, containers, report }: Services, favorites: Favorites) {
  /** Fails before the person is asked anything. */
  const ensureOffered = ({ account, environment, path }: Favorite, operations: readonly OperationName[]) => {
    const object = { path, environment: environments.titleOf({ account, environment }) };
    operations.forEach((operation) => containers.account(account).ensureOffered(operation, object));
  };
  const change = (ask: (favorite: Favorite) => Promise<FavoriteChange | undefined>) =>
    step({
      // The platform has no edit, so a change removes the favorite and adds it again.
      needs: ({ favorite }: FavoriteElement) => ensureOffered(favorite, ['RemoveFavorite', 'AddFavorite']),
      ask: ({ favorite }) => ask(favorite),
      run: ({ favorite }, changed) => favorites.replace(favorite, changed),
    });
  const restore = batch<Favorite>({
    run: (favorite) => favorites.add(favorite),
    nameOf: favoriteText,
    failed: (failed, all) => l10n.t("Couldn't restore {0} of {1} favorites.", failed, all),
  });
  const remove = batch<Favorite>({
    needs: (favorite) => ensureOffered(favorite, ['RemoveFavorite']),
    confirm: removalQuestion,
    run: (favorite) => favorites.remove(favorite),
    done: (removed) => ({
      information:
        removed.length === 1
          ? l10n.t('Removed “{0}” from favorites.', removed[0].keyword)
          : l10n.t('Removed {0} favorites.', removed.length),
      undo: () => restore(removed).catch(report),
    }),
    nameOf: favoriteText,
    failed: (failed, all) => l10n.t("Couldn't remove {0} of {1} favorites.", failed, all),
  });
  return { change, remove };
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
async function open(
  { favorite, place, where }: FavoriteElement,
  { isAlone, favorites }: { readonly isAlone: boolean; readonly favorites: Favorites },
  services: Services,
): Promise<void> {
  // The message may stay open for hours, and other favorites are to be opened after this one.
  const tellGone = (text: string) => void offerRemoval(text, favorite, favorites).catch(services.report);
  if (place === undefined) {
    tellGone(l10n.t("Couldn't open “{0}”: its layer or node no longer exists.", favorite.keyword));
    return;
  }
  // The cache may be old, so ask the platform before reporting it as missing.
  const entry = (await services.listings.entry(place)) ?? (await services.listings.lookUp(place));
  favorites.noteGone(place, entry === undefined);
  if (entry === undefined) {
    tellGone(l10n.t("Couldn't open “{0}”: {1} no longer exists on {2}.", favorite.keyword, place.path, where));
  } else if (entry.isDir) {
    await reveal(place, services);
  } else {
    await commands.executeCommand('vscode.open', uriOf(place), { preview: isAlone });
  }
}

async function offerRemoval(text: string, favorite: Favorite, favorites: Favorites): Promise<void> {
  const removeIt = l10n.t('Remove from Favorites');
  if ((await showWarningMessage(text, removeIt)) === removeIt) {
    await favorites.remove(favorite);
  }
}

function removalQuestion(all: readonly Favorite[]): ChangeConfirmation | undefined {
  return all.length === 1
    ? undefined
    : {
        when: 'always',
        question: l10n.t('Remove these {0} favorites?', all.length),
        paragraphs: [modalLines(all.map(favoriteText)), l10n.t("The files and folders themselves aren't deleted.")],
        button: l10n.t('Remove'),
      };
}

function favoriteText({ keyword, path }: Favorite): string {
  return `${keyword} (${path})`;
}

type AddServices = Pick<Services, 'accounts' | 'environments' | 'containers' | 'listings'>;

/** A file or folder to add as a favorite. */
interface Wanted {
  readonly place: FilePlace;
  /** Looked up if omitted. */
  readonly isFolder?: boolean;
  /** Defaults to the file's name. */
  readonly keyword?: string;
}

/** Adds files and folders as favorites. Lists their parent folders if necessary, but changes nothing else. */
async function addFavorites(wanted: readonly Wanted[], favorites: Favorites, services: AddServices): Promise<void> {
  if (wanted.length === 0) {
    throw new ExpectedError(l10n.t("Couldn't add a favorite. Open or select a container file or folder first."));
  }
  await batch<Wanted>({
    run: (one) => add(one, favorites, services),
    done: ([first, ...others]) => ({
      icon: 'star-full',
      status:
        others.length === 0
          ? l10n.t('Added “{0}” to the favorites of {1}', nameFor(first), services.environments.titleOf(first.place))
          : l10n.t('Added {0} favorites', others.length + 1),
    }),
    nameOf: ({ place }) => place.path,
    failed: (failed, all) => l10n.t("Couldn't add {0} of {1} favorites.", failed, all),
  })(wanted);
}

async function addDropped(uris: readonly Uri[], favorites: Favorites, services: AddServices): Promise<void> {
  const places = uris.flatMap((uri) => filePlaceOf(uri) ?? []);
  await addFavorites(
    places.map((place) => ({ place })),
    favorites,
    services,
  );
}

/** Asks for a container, a path in it, and a name. */
async function addByPath(within: Environment | undefined, favorites: Favorites, services: AddServices): Promise<void> {
  const prompt = l10n.t('Select a file or folder, or type its path');
  const accounts = accountsOffering(services.accounts, ['AddFavorite'], within);
  const { questions, place } = await containerPathQuestions(within, { ...services, accounts, prompt, wanted: 'any' });
  const entered = await askInTurn(l10n.t('Add Favorite by Path'), (entered) => {
    const chosen = place(entered);
    return chosen === undefined ? questions(entered) : [...questions(entered), keywordQuestion(chosen)];
  });
  const chosen = entered && place(entered);
  if (entered !== undefined && chosen !== undefined) {
    await addFavorites([{ place: chosen, keyword: (entered['keyword'] ?? '').trim() }], favorites, services);
  }
}

function keywordQuestion(chosen: FilePlace): Question {
  const prompt = l10n.t('Enter a name for the favorite {0}', chosen.path);
  return { key: 'keyword', prompt, value: nameOf(chosen) || '/', problem: keywordProblem };
}

async function add(
  wanted: Wanted,
  favorites: Favorites,
  { environments, containers, listings }: AddServices,
): Promise<void> {
  const { place } = wanted;
  const { account, environment: name, path } = place;
  const environment = await reachableEnvironment(place, containers.account(account), environments);
  if (environment === undefined) {
    throw new ExpectedError(l10n.t("Couldn't add the favorite: environment {0} no longer exists.", name));
  }
  const isDir = wanted.isFolder ?? (await isFolder(place, listings));
  const scope = scopeFor(place, environment);
  const favorite = { account, environment: name, scope, path, keyword: nameFor(wanted), filter: undefined, isDir };
  await favorites.add(favorite).catch(
    onPlatformError((error) => {
      throw isOneAlready(path, environments.titleOf(place), error);
    }, 'exists'),
  );
}

async function isFolder(place: FilePlace, listings: Listings): Promise<boolean> {
  const entry = await listings.entry(place);
  if (entry === undefined) {
    throw new ExpectedError(l10n.t("Couldn't add the favorite: {0} no longer exists.", place.path));
  }
  return entry.isDir;
}

function nameFor({ place, keyword = '' }: Wanted): string {
  return keyword === '' ? nameOf(place) || '/' : keyword;
}

function isOneAlready(path: string, title: string, cause: PlatformError): PlatformError {
  const message = l10n.t('{0} is already a favorite in {1}.', path, title);
  return new PlatformError({ kind: 'exists', operation: cause.operation, message, cause });
}
