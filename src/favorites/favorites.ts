import { type Disposable, EventEmitter, type FileChangeEvent, FileChangeType } from 'vscode';
import { SharedCalls } from '../async/sharedCalls';
import type { Account } from '../accounts/accounts';
import type { Environment } from '../containers/environment';
import { type FilePlace, filePlaceOf, isPathWithin, keyOf } from '../containers/place';
import type { Containers } from '../containers/containers';
import { type Favorite, type FavoriteChange, favoriteKey, type NewFavorite } from './favorite';
import { createFavorite, type FavoriteList, listFavorites, replaceFavorite } from './favoriteOperations';

export interface EnvironmentName {
  readonly account: string;
  readonly environment: string;
}

/** Each account's favorites on the platform, loaded on first use and cached until refreshed or changed here. */
export class Favorites implements Disposable {
  private readonly asked = new SharedCalls<FavoriteList>('untilForgotten');
  private readonly known = new Map<string, readonly Favorite[]>();
  private readonly gone = new Set<string>();
  private readonly changed = new EventEmitter<EnvironmentName | undefined>();
  /** Fires when the favorites of one environment, or of all, change or resolve differently. */
  readonly onDidChange = this.changed.event;

  constructor(private readonly containers: Pick<Containers, 'account'>) {}

  of(environment: Environment): Promise<FavoriteList> {
    const key = environmentKey({ account: environment.account, environment: environment.name });
    return this.asked.share(key, () => this.ask(environment, key));
  }

  /** Reloads the favorites of one environment, or of all. */
  refresh(name?: EnvironmentName): void {
    if (name === undefined) {
      this.asked.forgetAll();
      this.gone.clear();
    } else {
      this.asked.forget(environmentKey(name));
    }
    this.changed.fire(name);
  }

  async add(favorite: NewFavorite): Promise<void> {
    await this.changing(favorite, (account) => createFavorite(account, favorite));
  }

  async remove(favorite: Favorite): Promise<void> {
    await this.replaceBy(undefined, favorite);
  }

  /** Changes the keyword or filter. Restores the old favorite if the change fails halfway. */
  async replace(favorite: Favorite, wanted: FavoriteChange): Promise<void> {
    await this.replaceBy({ ...favorite, ...wanted }, favorite);
  }

  /** Whether the target was missing when last checked. */
  isGone(place: FilePlace): boolean {
    return this.gone.has(keyOf(place));
  }

  /** Records whether the target exists, after a check or a change. */
  noteGone(place: FilePlace, isGone: boolean): void {
    const key = keyOf(place);
    if (isGone !== this.gone.has(key)) {
      this.gone[isGone ? 'add' : 'delete'](key);
      this.changed.fire(place);
    }
  }

  /** Updates from VS Code's file events which favorites are broken, without a request. */
  noteChanges(changes: readonly FileChangeEvent[]): void {
    for (const { uri, type } of changes) {
      const place = filePlaceOf(uri);
      if (place !== undefined && type === FileChangeType.Deleted) {
        const lost = this.knownIn(place).filter(({ path }) => isPathWithin(path, place.path));
        lost.forEach(({ path }) => this.noteGone({ ...place, path }, true));
      } else if (place !== undefined && type === FileChangeType.Created) {
        this.noteGone(place, false);
      }
    }
  }

  dispose(): void {
    this.changed.dispose();
  }

  private async ask(environment: Environment, key: string): Promise<FavoriteList> {
    const list = await listFavorites(this.containers.account(environment.account), environment);
    this.known.set(key, list.favorites);
    return list;
  }

  private async replaceBy(replacement: NewFavorite | undefined, favorite: Favorite): Promise<void> {
    const samePath = this.knownIn(favorite).filter(
      (other) => other.path === favorite.path && favoriteKey(other) !== favoriteKey(favorite),
    );
    await this.changing(favorite, (account) => replaceFavorite(account, favorite, replacement, samePath));
  }

  /** Drops the cached favorites after a change, even if it fails. */
  private async changing(
    { account, environment }: EnvironmentName,
    work: (account: Account) => Promise<void>,
  ): Promise<void> {
    try {
      await work(this.containers.account(account));
    } finally {
      this.refresh({ account, environment });
    }
  }

  private knownIn(name: EnvironmentName): readonly Favorite[] {
    return this.known.get(environmentKey(name)) ?? [];
  }
}

export function environmentKey({ account, environment }: EnvironmentName): string {
  return `${account}/${environment}`;
}
