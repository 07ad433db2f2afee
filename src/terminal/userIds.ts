import * as v from 'valibot';
import type { Account } from '../accounts/accounts';
import type { Environment } from '../containers/environment';
import type { Memory } from '../containers/environmentMemory';
import { isPlatformError, type PlatformErrorKind } from '../platform/errors';

const key = 'gantry.sshUserIds';
const kept = v.record(v.string(), v.number());

/** The kinds of errors by which a platform, or a token, can't say who the person is. */
const cannotSay: readonly PlatformErrorKind[] = [
  ...(['tokenLacksMethod', 'forbidden', 'notFound', 'invalid', 'protocol', 'platform'] as const),
];

/** The IDs by which SSH gates know the person, one for each account. They aren't secret. */
export class UserIds {
  constructor(private readonly memory: Memory) {}

  /** Returns what the person entered. */
  entered(account: string): number | undefined {
    return this.all()[account];
  }

  async enter(account: string, userId: number): Promise<void> {
    await this.memory.update(key, { ...this.all(), [account]: userId });
  }

  async forgetAccount(account: string): Promise<void> {
    const others = Object.entries(this.all()).filter(([slug]) => slug !== account);
    await this.memory.update(key, Object.fromEntries(others));
  }

  /** Returns the ID if the person entered it, or the platform says it. */
  async find(account: Account, environment: Environment, signal: AbortSignal): Promise<number | undefined> {
    return this.entered(account.slug) ?? (await idFromPlatform(account, signal)) ?? environment.ownUserId;
  }

  private all(): v.InferOutput<typeof kept> {
    const stored = v.safeParse(kept, this.memory.get(key));
    return stored.success ? stored.output : {};
  }
}

async function idFromPlatform(account: Account, signal: AbortSignal): Promise<number | undefined> {
  if (account.lacks('GetUserInfo')) {
    return undefined;
  }
  try {
    return (await account.call('GetUserInfo', {}, { signal })).uid;
  } catch (error) {
    if (isPlatformError(error) && cannotSay.includes(error.kind)) {
      return undefined;
    }
    throw error;
  }
}

/** Returns the ID in what a person typed: the number alone, or as part of the command that the dashboard shows. */
export function userIdIn(text: string): number | undefined {
  const [, digits] = /^\s*(?:(?:ssh\s+)?\d+-(?=\d+@))?(\d{1,15})(?:@\S+(?:\s+-p\s*\d+)?)?\s*$/.exec(text) ?? [];
  return digits === undefined ? undefined : Number(digits);
}
