import type { PlatformClient } from '../platform/client';
import { isPlatformError, PlatformError, undefinedIf } from '../platform/errors';
import { writeTimestamp } from '../platform/wire/timestamp';
import type { Proof } from './storedAccount';
import { customTemplate, missingFrom, neededMethods } from './tokenRights';

/** A session, and the password it was opened with: work on tokens asks for both. */
export interface OpenedSession {
  readonly session: string;
  readonly password: string;
}

export interface WantedToken {
  /** How the platform lists it. */
  readonly description: string;
  /** `undefined` for a token that does not end by itself. */
  readonly expiresAt: Date | undefined;
}

/** The template made for editors. */
const template = 'IDE Plugins';

/** Makes an access token that permits what Gantry needs, and as little beyond it as the platform lets us say. */
export async function createAccessToken(
  client: PlatformClient,
  { session, password }: OpenedSession,
  { description, expiresAt }: WantedToken,
  signal?: AbortSignal,
): Promise<Proof> {
  const permits = await choosePermits(client, session, signal);
  const end = expiresAt === undefined ? {} : { expiresAt: writeTimestamp(expiresAt) };
  try {
    // Not to be cut off on its way: there would be a token that nobody knows the value of.
    const { token } = await client.call('CreateToken', { session, password, description, ...permits, ...end });
    return {
      token: token.key,
      tokenId: token.id,
      tokenTemplate: token.tokenTemplate ?? permits.tokenTemplate,
      // A platform may have given it less time than was asked for.
      expiresAt: (token.expiresAt ?? expiresAt)?.getTime(),
    };
  } catch (error) {
    throw isPlatformError(error) && (error.kind === 'forbidden' || error.kind === 'tokenLacksMethod')
      ? new CannotCreateTokens(error)
      : error;
  }
}

/** For one who gave up meanwhile and waits for nothing any more: where it fails, the log of requests says so. */
export async function deleteCreatedToken(
  client: PlatformClient,
  { session, password }: OpenedSession,
  { tokenId }: Proof,
): Promise<void> {
  if (tokenId !== undefined) {
    await undefinedIf('any', client.call('DeleteTokens', { ids: String(tokenId), session, password }));
  }
}

/** The account signed in, and the platform does not let it make access tokens. */
export class CannotCreateTokens extends PlatformError {
  constructor(cause: PlatformError) {
    const { kind, operation, result, address, message } = cause;
    super({ kind, operation, result, address, message, cause });
  }
}

async function choosePermits(
  client: PlatformClient,
  session: string,
  signal: AbortSignal | undefined,
): Promise<{ readonly tokenTemplate: string; readonly apiList?: string }> {
  const all = [...neededMethods.ofTheContract, ...neededMethods.beyondTheContract];
  const { templates } = await client.call('GetTokenTemplates', { session }, { signal });
  const fitting = templates.find(({ name, apiList }) => name === template && missingFrom(apiList, all).length === 0);
  if (fitting !== undefined) {
    return { tokenTemplate: fitting.name };
  }
  // Some platforms treat the methods that list environments as private, but still let a token have them.
  const { apiList: offered } = await client.call('GetTokenApiList', { session, showPrivate: true }, { signal });
  // An empty list doesn't show what the platform supports.
  const unknownHere = offered.length === 0 ? [] : missingFrom(offered, neededMethods.beyondTheContract);
  return { tokenTemplate: customTemplate, apiList: all.filter((method) => !unknownHere.includes(method)).join(',') };
}
