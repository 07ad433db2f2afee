import type { TreeItem } from 'vscode';
import type { Account } from '../accounts/accounts';
import type { FilePlace } from '../containers/place';
import type { CommandTarget, RowOf } from './sharedElement';

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
