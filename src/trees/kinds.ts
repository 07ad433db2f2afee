import type { TreeItem } from 'vscode';
import type { Account } from '../accounts/accounts';
import type { FilePlace } from '../containers/place';
import type { CommandTarget, RowOf } from './sharedElement';

/** What a view does with rows of one kind. */
export interface Kind<Row, Any> {
  /** With the account, it can say which commands are absent. */
  readonly row: (row: Row, account?: Account) => TreeItem;
  readonly children?: (row: Row) => readonly Any[] | Promise<readonly Any[]>;
  /** The file or folder that commands act on. */
  readonly target?: (row: Row) => CommandTarget | undefined;
  /** The folder whose content is below the row, which is drawn again when that changes. */
  readonly folder?: (row: Row) => FilePlace | undefined;
  /** What Retry does below such a row, if drawing the row again doesn't ask again. */
  readonly retry?: (row: Row) => void;
}

/** Has an entry for every kind, so the compiler names one that is forgotten. */
export type Kinds<M, Any = RowOf<M>> = { readonly [K in keyof M]: Kind<RowOf<M, K>, Any> };

/** Calls a function with a row and what its view does with rows of that kind. */
export type OfKind<Any> = <R>(row: Any, use: <Row extends Any>(kind: Kind<Row, Any>, row: Row) => R) => R;

export function byKind<M>(kinds: Kinds<M>): OfKind<RowOf<M>> {
  return <K extends keyof M, R>(
    row: RowOf<M, K>,
    use: <Row extends RowOf<M>>(kind: Kind<Row, RowOf<M>>, row: Row) => R,
  ): R => use(kinds[row.kind], row);
}
