import { cp, lstat, mkdir, readdir, readlink, realpath, rename, rm, symlink } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { codes, Refusal } from '../refusal';
import { placeInNode } from './placeInNode';

const kindOf = async (path: string): Promise<'absent' | 'link' | 'folder'> => {
  try {
    return (await lstat(path)).isSymbolicLink() ? 'link' : 'folder';
  } catch {
    return 'absent';
  }
};

const remove = (path: string): Promise<void> => rm(path, { recursive: true, force: true, maxRetries: 3 });

/**
 * The folder of a context on one node's disk. For zero-downtime deployments, it is a link into `.releases/<context>`,
 * so that the web server sees either the old release or the new one.
 */
export class ContextFolder {
  /** The path where the web server finds the context. */
  readonly live: string;
  readonly #releases: string;
  readonly #staging: string;

  private constructor(
    /** The folder that contains the contexts. */
    readonly webroot: string,
    readonly context: string,
  ) {
    this.live = join(webroot, context);
    this.#releases = join(webroot, '.releases', context);
    this.#staging = join(webroot, `.deploying-${context}`);
  }

  static async open(nodeFolder: string, webroot: string, context: string): Promise<ContextFolder> {
    const release = await placeInNode(nodeFolder, `${webroot}/.releases/${context}/any`);
    const folder = join(release, '..', '..', '..');
    await mkdir(folder, { recursive: true });
    return new ContextFolder(folder, context);
  }

  async exists(): Promise<boolean> {
    return (await kindOf(this.live)) !== 'absent';
  }

  /** Returns the folder behind the link, if a deployment created the link. */
  async checkout(): Promise<string> {
    if ((await kindOf(this.live)) !== 'link') return this.live;
    const target = await realpath(this.live);
    if (!target.startsWith((await realpath(this.#releases)) + sep)) {
      throw new Refusal(codes.deployFailed, `the folder of the context [${this.context}] is a link to somewhere else`);
    }
    return target;
  }

  async isLink(): Promise<boolean> {
    return (await kindOf(this.live)) === 'link';
  }

  /** Returns an empty folder for the next state of the context. */
  async stage(): Promise<string> {
    await remove(this.#staging);
    return this.#staging;
  }

  /** Returns a copy of the deployed files, including local edits, for the next state. */
  async stageCopy(): Promise<string> {
    const staging = await this.stage();
    await cp(await this.checkout(), staging, { recursive: true, verbatimSymlinks: true });
    return staging;
  }

  async abandon(): Promise<void> {
    await remove(this.#staging);
  }

  /** Replaces the live folder with the staged one. */
  async replace(): Promise<void> {
    await remove(this.live);
    await rename(this.#staging, this.live);
    await remove(this.#releases);
  }

  /** Switches the link to the staged folder atomically, and keeps the previous release. */
  async switchTo(release: string): Promise<void> {
    await mkdir(this.#releases, { recursive: true });
    const before = (await this.isLink()) ? await readlink(this.live) : undefined;
    await rename(this.#staging, join(this.#releases, release));
    const link = `${this.#staging}.link`;
    await rm(link, { force: true });
    await symlink(join('.releases', this.context, release), link);
    // A link can't replace a folder atomically. This happens only at the first release.
    if (before === undefined) await remove(this.live);
    await rename(link, this.live);
    await this.#forgetReleases(new Set([release, before?.split('/').at(-1)]));
  }

  async remove(): Promise<void> {
    for (const path of [this.live, this.#releases, this.#staging]) await remove(path);
  }

  /** Moves the deployed files to another context. */
  async moveTo(other: ContextFolder): Promise<void> {
    const link = (await this.isLink()) ? await readlink(this.live) : undefined;
    if (link === undefined) {
      if (await this.exists()) await rename(this.live, other.live);
      return;
    }
    await mkdir(dirname(other.#releases), { recursive: true });
    await rename(this.#releases, other.#releases);
    await symlink(join('.releases', other.context, link.split('/').at(-1) ?? ''), other.live);
    await remove(this.live);
  }

  async #forgetReleases(kept: ReadonlySet<string | undefined>): Promise<void> {
    const names = await readdir(this.#releases);
    for (const name of names.filter((candidate) => !kept.has(candidate))) await remove(join(this.#releases, name));
  }
}
