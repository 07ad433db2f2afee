import type { Environment } from '../../containers/environment';
import type { FilePlace } from '../../containers/place';
import type { SharedElement } from '../../trees/sharedElement';
import type { Favorite } from './favorite';

/** The rows that only the Favorites view has. */
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
  /** Its target; `undefined` if its layer or node no longer exists. */
  readonly place: FilePlace | undefined;
  /** The node and environment where it opens, as the tree names them; `undefined` if they no longer exist. */
  readonly location: string | undefined;
  /** The display name of the layer or node that it belongs to. */
  readonly where: string;
  /** Its target was missing when last checked. */
  readonly isGone: boolean;
}
