import type { Account } from '../../accounts/accounts';
import type { TokenEntry } from '../../platform/wire/tokens';
import type { SessionEntry } from '../../platform/wire/accounts';
import type { SharedElement } from '../../trees/sharedElement';

export type AccessElement = OwnAccessElement | SharedElement;

/** The rows that only the Access view has. */
export type OwnAccessElement =
  /** The token may not read it, and the password has not been entered. */
  | { readonly kind: 'locked'; readonly account: Account; readonly what: 'everything' | 'sessions' }
  | { readonly kind: 'unlocked'; readonly account: Account; readonly until: Date }
  /** What the token that Gantry uses lacks. */
  | { readonly kind: 'lacking'; readonly account: Account }
  | { readonly kind: 'lackedMethod'; readonly account: Account; readonly method: string }
  | { readonly kind: 'tokens'; readonly account: Account; readonly tokens: readonly TokenElement[] }
  | TokenElement
  | {
      readonly kind: 'service';
      readonly token: TokenElement;
      readonly service: string;
      readonly methods: readonly string[];
    }
  | { readonly kind: 'method'; readonly token: TokenElement; readonly method: string }
  | { readonly kind: 'sessions'; readonly account: Account }
  | { readonly kind: 'session'; readonly account: Account; readonly session: SessionEntry };

export interface TokenElement {
  readonly kind: 'token';
  readonly account: Account;
  readonly token: TokenEntry;
  /** `undefined` if it can't be determined. */
  readonly template: string | undefined;
  /** Whether Gantry itself signs in with this token. */
  readonly isUsed: boolean;
  /** Whether the account has other tokens of the same name. */
  readonly hasTwin: boolean;
}
