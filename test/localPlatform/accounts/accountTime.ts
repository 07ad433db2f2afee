import type { Behaviour } from '../behaviour';
import { timeText } from '../times';

/** A time stamp of a session or token, in the form this platform uses. */
export const accountTime = (
  form: Behaviour['accountTimes'],
  milliseconds: number | undefined,
): string | number | undefined =>
  milliseconds === undefined || form === 'milliseconds' ? milliseconds : timeText(milliseconds);
