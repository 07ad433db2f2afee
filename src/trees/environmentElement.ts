import type { Account } from '../accounts/accounts';
import type { Environment, Layer, Node } from '../containers/environment';
import type { FileEntry } from '../platform/wire/fileEntry';
import type { FilePlace } from '../containers/place';
import type { MissingEnvironmentElement, UnlistedElement } from './missingEnvironmentRows';
import type { SignedOutElement } from './signedOutRow';

/** What the Environments view shows, from the top down. */
export type EnvironmentElement =
  | { readonly kind: 'account'; readonly account: Account }
  | SignedOutElement
  | MissingEnvironmentElement
  | UnlistedElement
  | { readonly kind: 'environment'; readonly environment: Environment }
  | { readonly kind: 'layer'; readonly environment: Environment; readonly layer: Layer }
  | { readonly kind: 'node'; readonly place: FilePlace; readonly node: Node }
  | EntryElement
  | ProblemElement;

export interface EntryElement {
  readonly kind: 'entry';
  readonly place: FilePlace;
  readonly entry: FileEntry;
  /**
   * The configuration folder it is shown in, or is itself; `undefined` on the way down from the container's root. The same
   * file may be shown both ways.
   */
  readonly via: string | undefined;
  /** One of the places that the platform names as a container's configuration. */
  readonly isConfiguration: boolean;
}

export interface ProblemElement {
  readonly kind: 'problem';
  readonly id: string;
  readonly error: unknown;
  /** What could not be shown; nothing for the whole view. */
  readonly of: Exclude<EnvironmentElement, ProblemElement> | undefined;
}
