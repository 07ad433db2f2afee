import { appendFile, mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { placeInNode } from './placeInNode';

/** The path of a node's deployment log, as the container sees it. */
const logFile = '/var/log/jelastic/vcs/vcs_update.log';

const stamp = (now: number): string => new Date(now).toISOString().slice(0, 19).replace('T', ' ');

/** The log of one deployment on one node. Secrets are masked before it is stored. */
export class DeployLog {
  readonly #nodeFolder: string;
  readonly #masked: readonly string[];
  readonly #now: () => number;
  #text = '';

  constructor(nodeFolder: string, secrets: readonly string[], now: () => number) {
    this.#nodeFolder = nodeFolder;
    this.#masked = secrets.flatMap((secret) => [secret, encodeURIComponent(secret)]).filter((secret) => secret !== '');
    this.#now = now;
  }

  get text(): string {
    return this.#text;
  }

  /** Adds a line of the platform. */
  say(line: string): void {
    this.#add(`[${stamp(this.#now())}] ${line}\n`);
  }

  /** Adds the output of a program. */
  quote(output: string): void {
    if (output.trim() !== '') this.#add(output.endsWith('\n') ? output : `${output}\n`);
  }

  /** Appends everything to the log on the node's disk. */
  async write(): Promise<void> {
    const file = await placeInNode(this.#nodeFolder, logFile);
    await mkdir(dirname(file), { recursive: true });
    await appendFile(file, this.#text);
  }

  #add(text: string): void {
    // The container sees its own paths, not those on this machine.
    const seen = text.replaceAll(this.#nodeFolder, '');
    this.#text += this.#masked.reduce((masked, secret) => masked.replaceAll(secret, '***'), seen);
  }
}
