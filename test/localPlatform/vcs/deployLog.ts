import { appendFile, mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { placeInNode } from './placeInNode';

const stamp = (now: number): string => new Date(now).toISOString().slice(0, 19).replace('T', ' ');

/** Hides secrets in what clients see. */
export const masked = (text: string, secrets: readonly string[]): string =>
  secrets
    .flatMap((secret) => [secret, encodeURIComponent(secret)])
    .filter((secret) => secret !== '')
    .reduce((shown, secret) => shown.replaceAll(secret, '***'), text);

/** The log of one of our own deployments on one node. Secrets are masked before it is stored. */
export class DeployLog {
  readonly #nodeFolder: string;
  readonly #file: string;
  readonly #masked: readonly string[];
  readonly #now: () => number;
  #text = '';

  /** @param file the path of the log as the container sees it */
  constructor(nodeFolder: string, file: string, secrets: readonly string[], now: () => number) {
    this.#nodeFolder = nodeFolder;
    this.#file = file;
    this.#masked = secrets;
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
    const file = await placeInNode(this.#nodeFolder, this.#file);
    await mkdir(dirname(file), { recursive: true });
    await appendFile(file, this.#text);
  }

  #add(text: string): void {
    // The container sees its own paths, not those on this machine.
    this.#text += masked(text.replaceAll(this.#nodeFolder, ''), this.#masked);
  }
}
