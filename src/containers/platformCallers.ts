import type { Account } from '../accounts/accounts';

/** Whoever can call the platform for an account, found by the authority of its URIs; throws where nobody can. */
export interface PlatformCallers {
  account(slug: string): Account;
}
