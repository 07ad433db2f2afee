import { appendFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Node } from '../../environments/environment';
import type { Platform } from '../../platform';
import { placeInNode } from '../placeInNode';
import { commonLogs, stackOf } from '../stack';

/** Where the names of the logs are from: envinfo.lib and hooks.lib of the vendor's code (facts J). */
const names = {
  update: 'vcs_update.log',
  autoResolve: 'vcs_autoresolve.log',
  deploy: 'deploy.log',
  hooks: 'hooks.log',
} as const;
type LogName = keyof typeof names;

/** Returns the container's folder of a log. */
export const logFolderOf = (platform: Platform, node: Node, name: LogName): string => {
  if (platform.behaviour.deployLogs === 'common') return commonLogs;
  const { logs, hookLogs } = stackOf(node);
  return name === 'hooks' ? hookLogs : logs;
};

const days = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/**
 * The logs of a vendor's deployment on one node. They grow while it runs, and hold what its programs print, even a
 * repository's password: hiding it is left to those who show a log.
 */
export class NodeLogs {
  readonly #nodeFolder: string;
  readonly #files: Readonly<Record<LogName, string>>;
  readonly #now: () => Date;
  /** The container's path of the log of hooks. */
  readonly hooksPath: string;
  #text = '';

  private constructor(
    nodeFolder: string,
    files: Readonly<Record<LogName, string>>,
    hooksPath: string,
    now: () => Date,
  ) {
    this.#nodeFolder = nodeFolder;
    this.#files = files;
    this.hooksPath = hooksPath;
    this.#now = now;
  }

  static async open(platform: Platform, node: Node): Promise<NodeLogs> {
    const nodeFolder = platform.environments.folder(node.id);
    const place = async (name: LogName): Promise<string> => {
      const file = await placeInNode(nodeFolder, join(logFolderOf(platform, node, name), names[name]));
      await mkdir(dirname(file), { recursive: true });
      return file;
    };
    const files = {
      update: await place('update'),
      autoResolve: await place('autoResolve'),
      deploy: await place('deploy'),
      hooks: await place('hooks'),
    };
    const hooksPath = join(logFolderOf(platform, node, 'hooks'), names.hooks);
    return new NodeLogs(nodeFolder, files, hooksPath, () => new Date(platform.clock.now()));
  }

  /** What was added to the log of the update. */
  get text(): string {
    return this.#text;
  }

  /** The time as `date` prints it. */
  get date(): string {
    const now = this.#now();
    const day = `${days[now.getUTCDay()] ?? ''} ${months[now.getUTCMonth()] ?? ''} ${String(now.getUTCDate()).padStart(2)}`;
    return `${day} ${now.toISOString().slice(11, 19)} UTC ${now.getUTCFullYear()}`;
  }

  /** The time as `date +%D.%k:%M:%S.%N` prints it. */
  get shortDate(): string {
    const [year = '', month = '', day = ''] = this.#now().toISOString().slice(0, 10).split('-');
    const time = this.#now().toISOString().slice(11, 23);
    return `${month}/${day}/${year.slice(2)}.${time.replace(/^0/u, ' ')}000000`;
  }

  /** Adds text as it is, so a line ends only if the text ends it. */
  add(name: LogName, text: string): void {
    // The container sees its own paths, not those on this machine.
    const seen = text.replaceAll(this.#nodeFolder, '');
    if (name === 'update') this.#text += seen;
    appendFileSync(this.#files[name], seen);
  }

  /** Adds a line of the deployment about the folders of a context. */
  say(line: string): void {
    for (const name of ['deploy', 'update'] as const) this.add(name, `${this.date} ${line} \n`);
  }
}
