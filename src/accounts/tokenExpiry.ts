/** How many days before a token expires to notify the user. */
const noticeDays = 7;
/** How many days before it expires a token is marked. The shortest offered lifetime is a week, and a new token isn't marked. */
const markedDays = 3;
const day = 24 * 60 * 60 * 1000;

/** Returns the days until a token expires, if there are few enough to mention. */
export function daysLeft(expiresAt: Date | undefined, now: number): number | undefined {
  const left = expiresAt === undefined ? undefined : Math.ceil((expiresAt.getTime() - now) / day);
  return left !== undefined && left > 0 && left <= noticeDays ? left : undefined;
}

export function isEndingToken(expiresAt: Date | undefined, now: number): 'none' | 'far' | 'soon' | 'past' {
  if (expiresAt === undefined) {
    return 'none';
  }
  if (expiresAt.getTime() <= now) {
    return 'past';
  }
  return expiresAt.getTime() - now <= markedDays * day ? 'soon' : 'far';
}
