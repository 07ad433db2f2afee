const written =
  /^(\d{4})-(\d{2})-(\d{2})[ T](\d{2}):(\d{2})(?::(\d{2}))?(?:\.(\d{1,9}))?\s*(Z|UTC|GMT|[+-]\d{2}:?\d{2})?$/i;
/** The format of `Date.toString()` in JavaScript and Java. Without a time zone, it would be read as local time. */
const dateString =
  /^[A-Z][a-z]{2} [A-Z][a-z]{2} \d{1,2} (\d{4} \d{2}:\d{2}:\d{2} (GMT|UTC)[+-]?\d{0,4}( \(.*\))?|\d{2}:\d{2}:\d{2} (GMT|UTC|Z)([+-]\d{4})? \d{4})$/;
const pattern = /^(\d{4})-(\d{2})-(\d{2}) (\d{2}):(\d{2}):(\d{2})$/;
/** Smaller numbers are seconds: as milliseconds, they would be before spring 1973. */
const leastMilliseconds = 100_000_000_000;

/** Parses a time in any known format. Without a time zone, it's UTC. Returns undefined if it can't be read. */
export function readTimestamp(value: unknown): Date | undefined {
  if (typeof value === 'number') return fromNumber(value);
  if (typeof value !== 'string') return undefined;
  const text = value.trim();
  if (/^\d{9,15}$/.test(text)) return fromNumber(Number(text));
  const parts = written.exec(text);
  if (parts === null) return dateString.test(text) ? valid(new Date(text)) : undefined;
  const [, year = '', month = '', day = '', hour = '', minute = '', second = '00', fraction = '', zone = 'Z'] = parts;
  const offset = /^[+-]/.test(zone) ? `${zone.slice(0, 3)}:${zone.slice(-2)}` : 'Z';
  const milliseconds = fraction.padEnd(3, '0').slice(0, 3);
  return valid(new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}.${milliseconds}${offset}`));
}

/** Formats a time for requests: UTC, `yyyy-MM-dd hh:mm:ss`, 24 hours. */
export function writeTimestamp(moment: Date): string {
  return moment.toISOString().slice(0, 19).replace('T', ' ');
}

export function isRequestTimestamp(text: string): boolean {
  if (!pattern.test(text)) return false;
  const moment = readTimestamp(text);
  return moment !== undefined && writeTimestamp(moment) === text;
}

function fromNumber(value: number): Date | undefined {
  return value > 0 ? valid(new Date(value < leastMilliseconds ? value * 1000 : value)) : undefined;
}

function valid(moment: Date): Date | undefined {
  return Number.isNaN(moment.getTime()) ? undefined : moment;
}
