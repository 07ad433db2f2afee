import type { Account } from '../accounts/accounts';
import type { Environment, Layer, Node } from '../containers/environment';
import type { MissingEnvironment } from '../containers/environments';
import type { FilePlace } from '../containers/place';
import type { FileEntry } from '../platform/wire/fileEntry';

/** What every row of a view has behind it. Whose it is, the element itself or one above it says. */
export interface TreeElement {
  readonly kind: string;
  readonly account?: Account;
  readonly environment?: Environment;
}

/** The elements of the rows that the views share, from the top down. */
export type SharedElement =
  | AccountElement
  | SignedOutElement
  | EnvironmentElement
  | MissingEnvironmentElement
  | UnlistedElement
  | LayerElement
  | NodeElement
  | LogsElement
  | EntryElement
  | ProblemElement;

export interface AccountElement {
  readonly kind: 'account';
  readonly account: Account;
  /** Shown with its content at first. */
  readonly isUnfolded: boolean;
}

/** Shown below one of several accounts in place of its content, once its platform no longer accepts the token. */
interface SignedOutElement {
  readonly kind: 'signedOut';
  readonly account: Account;
}

export interface EnvironmentElement {
  readonly kind: 'environment';
  readonly environment: Environment;
  readonly isUnfolded?: boolean;
}

/** An environment that existed before. */
interface MissingEnvironmentElement {
  readonly kind: 'missing';
  readonly missing: MissingEnvironment;
}

/** Shown below an account whose token may not list environments. */
interface UnlistedElement {
  readonly kind: 'unlisted';
  readonly account: Account;
}

export interface LayerElement {
  readonly kind: 'layer';
  readonly environment: Environment;
  readonly layer: Layer;
  readonly isUnfolded?: boolean;
  /** What a view adds to the description. */
  readonly fact?: string | undefined;
}

export interface NodeElement {
  readonly kind: 'node';
  readonly environment: Environment;
  readonly layer: Layer;
  readonly node: Node;
  readonly place: FilePlace;
  readonly isUnfolded?: boolean;
}

/** Shown below a node, above its logs. */
export interface LogsElement {
  readonly kind: 'logs';
  readonly environment: Environment;
  readonly layer: Layer;
  readonly node: Node;
  readonly place: FilePlace;
}

export interface EntryElement {
  readonly kind: 'entry';
  readonly place: FilePlace;
  readonly entry: FileEntry;
  /** The row by which it's reached, unless it's reached from the container's root. The same file may be shown both ways. */
  readonly via: string | undefined;
  /** The platform lists it as part of the container's configuration. */
  readonly isConfiguration: boolean;
  /** It's reached by the row of logs, so a click shows its end. */
  readonly isLog?: true;
  /** Its layer has other nodes, which may have the same file. */
  readonly isOnSeveralNodes: boolean;
  /** It can be compared with what was deployed. */
  readonly isDeployed?: boolean;
}

/** Shown in place of something that could not be fetched. */
export interface ProblemElement {
  readonly kind: 'problem';
  readonly id: string;
  readonly error: unknown;
  /** What could not be fetched, if the row above doesn't say it. */
  readonly what: string | undefined;
  /** The account, if the error belongs to one. */
  readonly slug: string | undefined;
  readonly retry: () => void;
}

/** The file or folder that a command acts on. */
export interface CommandTarget {
  readonly place: FilePlace;
  readonly isFolder: boolean;
  /** A row that only leads to the file or folder, so it isn't moved, renamed, or deleted there. */
  readonly isShortcut?: boolean;
}
