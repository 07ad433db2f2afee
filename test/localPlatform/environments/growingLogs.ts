import { randomInt } from 'node:crypto';
import { appendFile, copyFile, rename, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Platform } from '../platform';
import type { Node } from './environment';
import { nginxLogs, usesNginx } from './nginx';
import { nodeAddress } from './nodeAddress';

/** What lets the access logs grow, as requests of visitors would. */
export interface GrowingLogs {
  /** The time between two requests to a node, in milliseconds. */
  readonly interval: number;
  /** A log of this size, in bytes, is rotated. */
  readonly rotateAt: number;
}

/** How many rotated files of a log are kept. */
const kept = 3;

/** Logs requests to each nginx that runs, and rotates its logs as logrotate does. */
export const growLogs = (platform: Platform, { interval, rotateAt }: GrowingLogs): void => {
  platform.periodic.every(interval, async () => {
    for (const node of platform.environments.nodes.filter((one) => isServing(one, platform))) {
      const folder = platform.environments.folder(node.id);
      const access = join(folder, nginxLogs.access);
      // A node without the folder has no log either.
      await appendFile(access, accessLine(node, platform)).catch(ignoreMissing);
      await rotate(access, rotateAt, platform);
      await rotate(join(folder, nginxLogs.error), rotateAt, platform);
    }
  });
};

/** Leaves out nodes that don't have their files yet, because no one has looked at them. */
const isServing = (node: Node, { environments }: Platform): boolean =>
  usesNginx(node) &&
  node.service === 'running' &&
  environments.find(node.envName)?.status === 1 &&
  environments.hasFiles(node.id);

const ignoreMissing = (error: unknown): undefined => {
  if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
};

const rotate = async (file: string, rotateAt: number, { behaviour }: Platform): Promise<void> => {
  const found = await stat(file).catch(ignoreMissing);
  if (found === undefined || found.size < rotateAt) return;
  for (let index = kept; index > 1; index--) {
    await rename(`${file}.${index - 1}`, `${file}.${index}`).catch(ignoreMissing);
  }
  if (behaviour.logRotation === 'create') {
    await rename(file, `${file}.1`);
    await writeFile(file, '', { mode: found.mode });
  } else {
    await copyFile(file, `${file}.1`);
    await truncate(file);
  }
};

type VisitorsRequest = readonly [method: string, path: string, status: number, usualSize: number];

const requests: readonly [VisitorsRequest, ...VisitorsRequest[]] = [
  ['GET', '/', 200, 5200],
  ['GET', '/tea/', 200, 7300],
  ['GET', '/product.php?id=7', 200, 4300],
  ['GET', '/product.php?id=12', 200, 4100],
  ['GET', '/style.css', 200, 2900],
  ['GET', '/logo.png', 304, 0],
  ['POST', '/basket.php', 302, 0],
  ['POST', '/checkout.php', 200, 1900],
  ['GET', '/favicon.ico', 404, 153],
  ['GET', '/wp-login.php', 404, 153],
];
const agents = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
] as const;
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

const pick = <T>(list: readonly [T, ...T[]]): T => list[randomInt(list.length)] ?? list[0];

/** A balancer logs as its sample configuration says, and other servers in nginx's own format. */
const accessLine = (node: Node, { clock, environments }: Platform): string => {
  const [method, path, status, size] = pick(requests);
  const client = `203.0.113.${randomInt(10, 100)}`;
  const now = new Date(clock.now());
  const [day, time] = [String(now.getUTCDate()).padStart(2, '0'), now.toISOString().slice(11, 19)];
  const at = `[${day}/${months[now.getUTCMonth()] ?? ''}/${now.getUTCFullYear()}:${time} +0000]`;
  const answer = `"${method} ${path} HTTP/1.1" ${status} ${size === 0 ? 0 : size + randomInt(400)}`;
  if (node.nodeGroup !== 'bl') return `${client} - - ${at} ${answer} "-" "${pick(agents)}"\n`;
  const [first = node, ...others] = environments.nodes.filter(
    ({ envName, nodeGroup }) => envName === node.envName && nodeGroup === 'cp',
  );
  return `${client} ${at} ${answer} to=${nodeAddress(pick([first, ...others]))}:8080 took=0.${randomInt(100, 400)}\n`;
};
