import type { FileEntry } from '../platform/wire/fileEntry';
import { readTimestamp } from '../platform/wire/timestamp';
import { type LogSource, LogTail } from './logTail';

export interface Least {
  readonly lines: number;
  readonly characters: number;
}

/** Reads the end of a log, until there are so many lines or characters. */
export async function endOfLog(source: LogSource, { lines, characters }: Least) {
  const tail = await LogTail.open(source);
  const isEnough = () => tail.text.length > characters || tail.text.split('\n').length > lines;
  while (!tail.isFromStart && !isEnough() && (await tail.loadEarlier()) === 'added') {
    // Goes on until there are enough lines.
  }
  return { text: tail.text, isWhole: tail.isFromStart };
}

/** Logs that say why a service didn't start, the most telling first. */
const telling: readonly RegExp[] = [/err/i, /catalina|server\.log|run\.log|node|mysqld|postgres|fpm/i];
/** Written to whether a service works or not. */
const beside = /access|slow|\/(?:audit|btmp|cron|dpkg|jelastic|maillog|messages|secure|yum)/i;
/** In milliseconds. Services write several logs while they fail to start. */
const atTheSameTime = 5 * 60 * 1000;

interface Failure {
  /** In milliseconds since the epoch. */
  readonly moment: number;
  /** The node's type, such as `nginxphp`. */
  readonly type?: string | undefined;
}

/** Returns the log that most likely says why a service failed to start at a moment, by name, of those written to since then. */
export function logThatMatters(logs: readonly FileEntry[], { moment, type = '' }: Failure): FileEntry | undefined {
  const stack =
    /^(?:nginx|apache|httpd|tomcat|mysql|mariadb|postgres|node|redis|mongo|haproxy|php)/i.exec(type)?.[0] ?? '';
  const candidates = logs.filter(({ absolutePath, length }) => length !== 0 && !beside.test(absolutePath));
  const changed = candidates.map((log) => ({ log, at: readTimestamp(log.lastModified)?.getTime() ?? 0 }));
  // The platform's clock may be behind.
  const since = Math.min(moment, Math.max(0, ...changed.map(({ at }) => at))) - atTheSameTime;
  const recent = changed.filter(({ at }) => at >= since).map(({ log }) => log);
  const rank = ({ absolutePath, name }: FileEntry) => {
    const kind = telling.findIndex((pattern) => pattern.test(name));
    return (kind < 0 ? telling.length : kind) * 2 + (stack !== '' && absolutePath.includes(stack) ? 0 : 1);
  };
  return [...recent].sort((one, other) => rank(one) - rank(other))[0];
}
