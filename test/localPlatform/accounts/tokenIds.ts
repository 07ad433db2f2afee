import type { Call } from '../operation';
import { codes, Refusal } from '../refusal';
import type { Token } from './account';

/** Returns the account's token with this ID. Fails with 5 if there is none. */
export const ownToken = ({ platform, account }: Call, id: number): Token => {
  const token = platform.accounts.tokensOf(account.uid).find((candidate) => candidate.id === id);
  if (token === undefined) throw new Refusal(codes.notFound, `token [${id}] not found`, {}, 'hx-core');
  return token;
};

/** Returns the account's tokens in `ids`: numbers separated by commas or semicolons, or `*` for all. */
export const listedTokens = (call: Call, ids: string): readonly Token[] => {
  if (ids.trim() === '*') return call.platform.accounts.tokensOf(call.account.uid);
  const parts = ids.split(/[,;]/u).map((part) => part.trim());
  if (!parts.every((part) => /^\d+$/u.test(part))) {
    throw new Refusal(codes.invalidParameter, 'invalid parameter [ids]', {}, 'hx-core');
  }
  return parts.map((part) => ownToken(call, Number(part)));
};
