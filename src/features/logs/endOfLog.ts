import { deployLogNames } from '../../containers/logs/stackLogs';
import { withoutLogins } from '../../containers/secretFiles';
import type { FileEntry } from '../../platform/wire/fileEntry';
import { readTimestamp } from '../../platform/wire/timestamp';
import { type LogSource, LogTail } from './logTail';

export interface Least {
  readonly lines: number;
  readonly characters: number;
}

/** Reads the end of a log, until there are so many lines or characters. Leaves out logins in URLs. */
export async function endOfLog(source: LogSource, { lines, characters }: Least) {
  const tail = await LogTail.open(source);
  const isEnough = () => tail.text.length > characters || tail.text.split('\n').length > lines;
  while (!tail.isFromStart && !isEnough() && (await tail.loadEarlier()) === 'added') {
    // Goes on until there are enough lines.
  }
  return { text: withoutLogins(tail.text), isWhole: tail.isFromStart };
}

/** Logs that say why a service didn't start, the most telling first. */
const telling: readonly RegExp[] = [/err/i, /catalina|server\.log|run\.log|node|mysqld|postgres|fpm/i];
/** Written to whether a service works or not. */
const beside = /access|slow|\/(?:audit|btmp|cron|dpkg|jelastic|maillog|messages|secure|yum)/i;
/** Written by deployments. Of those with the same time, the most telling is the first. */
const ofDeployments: readonly string[] = [
  deployLogNames.hooks,
  deployLogNames.update,
  deployLogNames.autoResolve,
  deployLogNames.deploy,
];
/** In milliseconds. Services write several logs while they fail to start. */
const atTheSameTime = 5 * 60 * 1000;

export interface Failure {
  /** Whether a deployment failed, not a service. */
  readonly isDeployment?: boolean;
  /** In milliseconds since the epoch. */
  readonly moment: number;
  /** The node's type, such as `nginxphp`. */
  readonly type?: string | undefined;
}

/**
 * Returns the log that most likely says why a service failed to start, or a deployment failed, at a moment, by name, of those
 * written to since then.
 */
export function logThatMatters(
  logs: readonly FileEntry[],
  { moment, type = '', isDeployment = false }: Failure,
): FileEntry | undefined {
  const stack =
    /^(?:nginx|apache|httpd|tomcat|mysql|mariadb|postgres|node|redis|mongo|haproxy|php)/i.exec(type)?.[0] ?? '';
  const orderOf = ({ name }: FileEntry) => (isDeployment ? ofDeployments.indexOf(name) : -1);
  const candidates = logs.filter((log) => log.length !== 0 && (orderOf(log) >= 0 || !beside.test(log.absolutePath)));
  const changed = candidates.map((log) => ({ log, at: readTimestamp(log.lastModified)?.getTime() ?? 0 }));
  // The platform's clock may be behind.
  const since = Math.min(moment, Math.max(0, ...changed.map(({ at }) => at))) - atTheSameTime;
  const recent = changed.filter(({ at }) => at >= since);
  const rank = (log: FileEntry) => {
    if (orderOf(log) >= 0) {
      return -1;
    }
    const { absolutePath, name } = log;
    const kind = telling.findIndex((pattern) => pattern.test(name));
    return (kind < 0 ? telling.length : kind) * 2 + (stack !== '' && absolutePath.includes(stack) ? 0 : 1);
  };
  // A deployment ends at the step that fails, so of its logs, the newest has the failure.
  const compare = (one: (typeof recent)[number], other: (typeof recent)[number]) =>
    rank(one.log) - rank(other.log) ||
    (orderOf(one.log) < 0 ? 0 : other.at - one.at || orderOf(one.log) - orderOf(other.log));
  return [...recent].sort(compare)[0]?.log;
}
