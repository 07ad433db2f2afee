import type { Environment } from '../containers/environment';
import type { FilePlace } from '../containers/place';
import type { SharedElement } from '../trees/sharedElement';
import type { Favorite } from './favorite';

/** What the Favorites view shows besides the rows that all views have. */
export type OwnFavoriteElement =
  | FavoriteElement
  /** Shown where nothing is, with the reason. */
  | { readonly kind: 'none'; readonly environment: Environment }
  | { readonly kind: 'noMatch'; readonly of: FavoriteElement }
  | { readonly kind: 'gone'; readonly of: FavoriteElement };

export type FavoriteViewElement = OwnFavoriteElement | SharedElement;

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
