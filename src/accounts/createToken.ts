import type { PlatformClient } from '../platform/client';
import { isPlatformError, PlatformError, undefinedIf } from '../platform/errors';
import { writeTimestamp } from '../platform/wire/timestamp';
import type { TokenData } from './storedAccount';
import { customTemplate, lackedBy, missingFrom, neededMethods } from './tokenRights';

/** A session and the password that opened it. Token operations require both. */
export interface OpenedSession {
  readonly session: string;
  readonly password: string;
}

export interface WantedToken {
  readonly description: string;
  /** `undefined` for a token that doesn't expire. */
  readonly expiresAt: Date | undefined;
}

/** The platform's template for editors. */
const template = 'IDE Plugins';

/** Creates an access token that allows what Gantry needs and as little else as the platform permits. */
export async function createAccessToken(
  client: PlatformClient,
  { session, password }: OpenedSession,
  { description, expiresAt }: WantedToken,
  signal?: AbortSignal,
): Promise<TokenData> {
  const permits = await choosePermits(client, session, signal);
  const end = expiresAt === undefined ? {} : { expiresAt: writeTimestamp(expiresAt) };
  try {
    // Don't cancel the request: that could leave a token whose value is lost.
    const { token } = await client.call('CreateToken', { session, password, description, ...permits, ...end });
    return {
      token: token.key,
      tokenId: token.id,
      tokenTemplate: token.tokenTemplate ?? permits.tokenTemplate,
      lacks: lackedBy([token]),
      // The platform may grant a shorter lifetime than requested.
      expiresAt: (token.expiresAt ?? expiresAt)?.getTime(),
    };
  } catch (error) {
    throw isPlatformError(error) && (error.kind === 'forbidden' || error.kind === 'tokenLacksMethod')
      ? new CannotCreateTokens(error)
      : error;
  }
}

/** Deletes the token of a canceled sign-in. Failures are only logged, because no caller waits for the result. */
export async function deleteCreatedToken(
  client: PlatformClient,
  { session, password }: OpenedSession,
  { tokenId }: TokenData,
): Promise<void> {
  if (tokenId !== undefined) {
    await undefinedIf('any', client.call('DeleteTokens', { ids: String(tokenId), session, password }));
  }
}

/** The sign-in worked, but the platform doesn't let this account create access tokens. */
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
  const beyond = [...neededMethods.undocumentedMethods, ...neededMethods.optionalMethods];
  const all = [...neededMethods.documentedMethods, ...beyond];
  const { templates } = await client.call('GetTokenTemplates', { session }, { signal });
  const fitting = templates.find(({ name, apiList }) => name === template && missingFrom(apiList, all).length === 0);
  if (fitting !== undefined) {
    return { tokenTemplate: fitting.name };
  }
  // Some platforms mark the methods that list environments as private, but still allow them for tokens.
  const { apiList: offered } = await client.call('GetTokenApiList', { session, showPrivate: true }, { signal });
  // An empty list doesn't show what the platform supports.
  const unknownHere = offered.length === 0 ? [] : missingFrom(offered, beyond);
  return { tokenTemplate: customTemplate, apiList: all.filter((method) => !unknownHere.includes(method)).join(',') };
}
