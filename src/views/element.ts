import type { Account } from '../accounts/accounts';
import type { Environment, Layer, Node } from '../environments/environment';
import type { FileEntry } from '../platform/wire/fileEntry';
import type { FilePlace } from '../remote/place';

/** What the Environments view shows, from the top down. */
export type Element =
  | { readonly kind: 'account'; readonly account: Account }
  | { readonly kind: 'environment'; readonly environment: Environment }
  | { readonly kind: 'layer'; readonly environment: Environment; readonly layer: Layer }
  | { readonly kind: 'node'; readonly place: FilePlace; readonly node: Node }
  | { readonly kind: 'entry'; readonly place: FilePlace; readonly entry: FileEntry }
  | { readonly kind: 'problem'; readonly id: string; readonly error: unknown };
