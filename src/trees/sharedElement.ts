import type { Account } from '../accounts/accounts';
import type { Environment, Layer, Node } from '../containers/environment';
import type { MissingEnvironment } from '../containers/environments';
import type { FilePlace } from '../containers/place';
import type { FileEntry } from '../platform/wire/fileEntry';
import type { TreeItem } from 'vscode';

/** Any row of a view. `M` maps each kind of row to its data. */
export type RowOf<M, K extends keyof M = keyof M> = { [P in K]: M[P] & { readonly kind: P } }[K];

/** What every row of a view has behind it. Whose it is, the element itself or one above it says. */
export interface TreeElement {
  readonly kind: string;
  readonly account?: Account;
  readonly environment?: Environment;
}

/** The data of each kind of row that several views show, from accounts down to files. */
export interface SharedRows {
  account: {
    readonly account: Account;
    /** Initially expanded. */
    readonly isUnfolded: boolean;
  };
  /** Shown below one of several accounts in place of its content, once its platform no longer accepts the token. */
  signedOut: { readonly account: Account };
  environment: { readonly environment: Environment; readonly isUnfolded?: boolean };
  /** An environment that existed before. */
  missing: { readonly missing: MissingEnvironment };
  /** Shown below an account whose token may not list environments. */
  unlisted: { readonly account: Account };
  layer: {
    readonly environment: Environment;
    readonly layer: Layer;
    readonly isUnfolded?: boolean;
    /** What a view adds to the description. */
    readonly fact?: string | undefined;
  };
  node: OfNode & { readonly isUnfolded?: boolean };
  /** Shown below a node, above its logs. */
  logs: OfNode;
  entry: {
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
  };
  /** Shown in place of something that could not be fetched. */
  problem: {
    readonly id: string;
    readonly error: unknown;
    /** What could not be fetched, if the row above doesn't say it. */
    readonly what: string | undefined;
    /** The account, if the error belongs to one. */
    readonly slug: string | undefined;
    readonly retry: () => void;
  };
}

interface OfNode {
  readonly environment: Environment;
  readonly layer: Layer;
  readonly node: Node;
  readonly place: FilePlace;
}

export type SharedElement = RowOf<SharedRows>;
export type AccountElement = RowOf<SharedRows, 'account'>;
export type EnvironmentElement = RowOf<SharedRows, 'environment'>;
export type LayerElement = RowOf<SharedRows, 'layer'>;
export type NodeElement = RowOf<SharedRows, 'node'>;
export type EntryElement = RowOf<SharedRows, 'entry'>;
export type ProblemElement = RowOf<SharedRows, 'problem'>;

export interface CommandTarget {
  readonly place: FilePlace;
  readonly isFolder: boolean;
  /** A row that only leads to the file or folder, so it isn't moved, renamed, or deleted there. */
  readonly isShortcut?: boolean;
}

/** What a view does with rows of one kind. */
export interface Kind<One, Row> {
  /** With the account, it can say which commands are absent. */
  readonly row: (row: One, account?: Account) => TreeItem;
  readonly children?: (row: One) => readonly Row[] | Promise<readonly Row[]>;
  /** The file or folder that commands act on. */
  readonly target?: (row: One) => CommandTarget | undefined;
  /** The folder whose content is below the row, which is drawn again when that changes. */
  readonly folder?: (row: One) => FilePlace | undefined;
  /** Whether the row's description depends on the time, so that it's drawn again when that changes. */
  readonly isTimed?: (row: One) => boolean;
  /** What Retry does below such a row, if drawing the row again doesn't ask again. */
  readonly retry?: (row: One) => void;
}

/** Has an entry for every kind, so the compiler names one that is forgotten. */
export type Kinds<M, Row = RowOf<M>> = { readonly [K in keyof M]: Kind<RowOf<M, K>, Row> };

/** Calls a function with a row and what its view does with rows of that kind. */
export type OfKind<Row> = <R>(row: Row, use: <One extends Row>(kind: Kind<One, Row>, row: One) => R) => R;

export function byKind<M>(kinds: Kinds<M>): OfKind<RowOf<M>> {
  return <K extends keyof M, R>(
    row: RowOf<M, K>,
    use: <One extends RowOf<M>>(kind: Kind<One, RowOf<M>>, row: One) => R,
  ): R => use(kinds[row.kind], row);
}
