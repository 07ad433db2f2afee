import { env, l10n } from 'vscode';

type Moment = Date | number;

const day = 24 * 60 * 60;
/** Each unit, and its length in seconds. */
const units = [
  ['minute', 60],
  ['hour', 60 * 60],
  ['day', day],
  ['month', (365.25 / 12) * day],
  ['year', 365.25 * day],
] as const;

/** Formats a time for a row, such as "5 minutes ago" or "in 3 months". The exact time belongs in the tooltip. */
export function formatRelativeTime(moment: Moment, now = Date.now()): string {
  const seconds = (Number(moment) - now) / 1000;
  // If rounding fills the next unit, use that: 59.7 minutes are an hour.
  const index = units.findIndex(([, length], at) => {
    const [, next] = units[at + 1] ?? [undefined, Infinity];
    return Math.abs(Math.round(seconds / length)) * length < next;
  });
  const [unit, length] = units[index] ?? units[0];
  const count = Math.round(seconds / length);
  if (count === 0) {
    return seconds > 0 ? l10n.t('in less than a minute') : l10n.t('just now');
  }
  // Not "yesterday": this counts 24 hours, not calendar days.
  return new Intl.RelativeTimeFormat(env.language, { numeric: 'always' }).format(count, unit);
}

/** Formats a time exactly, for tooltips and documents; `medium` includes seconds. */
export function formatExactTime(moment: Moment, timeStyle: 'short' | 'medium' = 'short'): string {
  return format(moment, { dateStyle: 'medium', timeStyle });
}

export function formatTimeOfDay(moment: Moment): string {
  return format(moment, { timeStyle: 'short' });
}

export function formatDate(moment: Moment): string {
  return format(moment, { dateStyle: 'medium' });
}

/** Formats a past time for a narrow row: the time of day if it's today, otherwise the day. So it changes at midnight. */
export function formatBriefTime(moment: Moment, now: Moment = Date.now()): string {
  const [date, today] = [new Date(moment), new Date(now)];
  if (date.toDateString() === today.toDateString()) {
    return formatTimeOfDay(date);
  }
  return date.getFullYear() === today.getFullYear()
    ? format(date, { month: 'short', day: 'numeric' })
    : formatDate(date);
}

/** Creating one takes far longer than formatting with it. */
const formats = new Map<string, Intl.DateTimeFormat>();

function format(moment: Moment, options: Intl.DateTimeFormatOptions): string {
  const key = JSON.stringify(options);
  const known = formats.get(key) ?? new Intl.DateTimeFormat(env.language, options);
  formats.set(key, known);
  return known.format(moment);
}

/** Formats a time span, such as "2 min 5 s". */
export function formatDuration(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000);
  const grouped = (amount: number) => Math.trunc(amount).toLocaleString(env.language);
  if (seconds < 60) {
    return l10n.t('{0} s', grouped(seconds));
  }
  if (seconds < 60 * 60) {
    return seconds % 60 === 0
      ? l10n.t('{0} min', grouped(seconds / 60))
      : l10n.t('{0} min {1} s', grouped(seconds / 60), grouped(seconds % 60));
  }
  const minutes = Math.round(seconds / 60);
  return minutes % 60 === 0
    ? l10n.t('{0} h', grouped(minutes / 60))
    : l10n.t('{0} h {1} min', grouped(minutes / 60), grouped(minutes % 60));
}
