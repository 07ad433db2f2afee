import type { Account } from '../../accounts/accounts';
import type { SessionEntry } from '../../platform/wire/accounts';
import type { TokenEntry } from '../../platform/wire/tokens';
import type { RowOf, SharedRows } from '../../trees/sharedElement';

/** The rows that only the Access view has. */
export interface AccessRows {
  /** The token may not read it, and the password has not been entered. */
  locked: { readonly account: Account; readonly what: 'everything' | 'sessions' };
  unlocked: { readonly account: Account; readonly until: Date };
  /** What the token that Gantry uses lacks. */
  lacking: { readonly account: Account };
  lackedMethod: { readonly account: Account; readonly method: string };
  tokens: { readonly account: Account; readonly tokens: readonly TokenElement[] };
  token: {
    readonly account: Account;
    readonly token: TokenEntry;
    /** `undefined` if it can't be determined. */
    readonly template: string | undefined;
    /** Whether Gantry itself signs in with this token. */
    readonly isUsed: boolean;
    /** Whether the account has other tokens of the same name. */
    readonly hasTwin: boolean;
  };
  service: { readonly token: TokenElement; readonly service: string; readonly methods: readonly string[] };
  method: { readonly token: TokenElement; readonly method: string };
  sessions: { readonly account: Account };
  session: { readonly account: Account; readonly session: SessionEntry };
}

export type AccessElement = RowOf<AccessRows & SharedRows>;
export type TokenElement = RowOf<AccessRows, 'token'>;
