import type { Environment } from '../containers/environment';
import type { FilePlace } from '../containers/place';
import type { Favorite } from './favorite';
import type { EntryElement } from '../trees/environmentElement';
import type { RootElement } from '../trees/environmentRoots';
import type { Problem } from '../trees/problemRow';

/** What the Favorites view shows, from the top down. */
export type FavoriteViewElement =
  | RootElement
  | FavoriteElement
  /** Stands where nothing is, with the reason. */
  | { readonly kind: 'none'; readonly environment: Environment }
  | { readonly kind: 'noMatch'; readonly of: FavoriteElement }
  | { readonly kind: 'gone'; readonly of: FavoriteElement }
  | EntryElement
  | Problem;

export interface FavoriteElement {
  readonly kind: 'favorite';
  readonly favorite: Favorite;
  /** What it leads to; `undefined` where its layer or node is no longer there. */
  readonly place: FilePlace | undefined;
  /** The layer or node that it is kept for, as a person knows it. */
  readonly where: string;
  /** Nothing was there when it was last looked at. */
  readonly isGone: boolean;
}
