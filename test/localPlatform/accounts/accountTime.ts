import type { Behaviour } from '../behaviour';
import { timeText } from '../times';

/** Formats a time stamp of a session or token as this platform does. */
export const accountTime = (
  form: Behaviour['accountTimes'],
  milliseconds: number | undefined,
): string | number | undefined =>
  milliseconds === undefined || form === 'milliseconds' ? milliseconds : timeText(milliseconds);
