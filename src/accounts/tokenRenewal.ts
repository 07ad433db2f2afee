import { failed } from '../platform/failureTexts';
import { writeTimestamp } from '../platform/wire/timestamp';
import type { Proof, StoredAccount } from './storedAccount';
import type { PasswordOperations } from './passwordOperations';

/** Days before the end of a token at which the person is told of it. */
const noticeDays = 7;
const day = 24 * 60 * 60 * 1000;

/** How many days an account's token has left, once they are few enough to speak of. */
export function daysLeft(expiresAt: Date | undefined, now: number): number | undefined {
  const left = expiresAt === undefined ? undefined : Math.ceil((expiresAt.getTime() - now) / day);
  return left !== undefined && left > 0 && left <= noticeDays ? left : undefined;
}

/**
 * Gives the account's token a new end and a new value. The end comes first: should the second step fail, the token is as
 * good as it was.
 */
export async function renewToken(
  work: PasswordOperations,
  { tokenId, tokenTemplate }: StoredAccount,
  expiresAt: Date,
): Promise<Proof> {
  const listed = (await work.getTokens()).find(({ id }) => id === tokenId);
  if (listed === undefined) {
    throw failed({ kind: 'notFound', operation: 'GetTokens', target: '', obstacle: 'tokenGone' });
  }
  const { id, description = 'Gantry' } = listed;
  const template = listed.tokenTemplate ?? tokenTemplate ?? 'Custom';
  // Nobody documents what becomes of fields that are not sent, so all are.
  const permits = template === 'Custom' ? { apiList: listed.apiList.join(',') } : {};
  const settings = { description, tokenTemplate: template, ...permits, expiresAt: writeTimestamp(expiresAt) };
  const edited = await work.editToken({ id, ...settings });
  const { key, id: newId } = await work.regenerateToken(id);
  return {
    token: key,
    tokenId: newId,
    tokenTemplate: template,
    expiresAt: (edited.expiresAt ?? expiresAt).getTime(),
  };
}
