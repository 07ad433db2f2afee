import { ExpectedError } from '../../ui/expectedError';
import { l10n, type Uri } from 'vscode';
import type { Environment } from '../../containers/environment';
import { onPlatformError, PlatformError } from '../../platform/errors';
import type { Listings } from '../../containers/listings';
import { type FilePlace, nameOf, filePlaceOf } from '../../containers/place';
import type { Services } from '../../services';
import { scopeFor } from './favorite';
import type { Favorites } from './favoriteStore';
import { batch } from '../../ui/commands/runner';
import { askInTurn, type Question } from '../../ui/prompts';
import { containerPathQuestions } from '../../containers/containerPrompt';
import { accountsOffering } from '../../containers/environmentPartPrompts';
import { keywordProblem } from './favoritePrompts';

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
export async function addFavorites(
  wanted: readonly Wanted[],
  favorites: Favorites,
  services: AddServices,
): Promise<void> {
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

/** Adds files dropped on the view. */
export async function addDropped(uris: readonly Uri[], favorites: Favorites, services: AddServices): Promise<void> {
  const places = uris.flatMap((uri) => filePlaceOf(uri) ?? []);
  await addFavorites(
    places.map((place) => ({ place })),
    favorites,
    services,
  );
}

/** Asks for a container, a path in it, and a name. */
export async function addByPath(
  within: Environment | undefined,
  favorites: Favorites,
  services: AddServices,
): Promise<void> {
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
  const environment = (await environments.of(containers.account(account))).find((one) => one.name === name);
  if (environment === undefined) {
    throw new ExpectedError(l10n.t("Couldn't add the favorite: environment {0} no longer exists.", name));
  }
  const isDir = wanted.isFolder ?? (await isFolder(place, listings));
  const scope = scopeFor(place, environment);
  const favorite = { account, environment: name, scope, path, keyword: nameFor(wanted), filter: undefined, isDir };
  await favorites.add(favorite).catch(
    onPlatformError((error) => {
      throw isOneAlready(place, error);
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

function isOneAlready({ path, environment }: FilePlace, cause: PlatformError): PlatformError {
  const message = l10n.t('{0} is already a favorite in {1}.', path, environment);
  return new PlatformError({ kind: 'exists', operation: cause.operation, message, cause });
}
