import { cp, lstat, mkdir, readdir, readlink, rename, rm, symlink } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { codes, Refusal } from '../../refusal';
import { placeInNode } from '../placeInNode';

const kindOf = async (path: string): Promise<'absent' | 'link' | 'folder'> => {
  try {
    return (await lstat(path)).isSymbolicLink() ? 'link' : 'folder';
  } catch {
    return 'absent';
  }
};

const remove = (path: string): Promise<void> => rm(path, { recursive: true, force: true, maxRetries: 3 });

/** The name of a tree behind the link ROOT. */
const release = /^ROOT_\d{4}\.\d\d\.\d\d-\d\d\.\d\d\.\d\d$/u;

const releaseName = (time: number): string =>
  `ROOT_${new Date(time).toISOString().slice(0, 19).replaceAll('-', '.').replace('T', '-').replaceAll(':', '.')}`;

/** Runs a copy or move that fails on a full disk. */
const demandSpace = async (work: () => Promise<void>): Promise<void> => {
  try {
    await work();
  } catch {
    throw new Refusal(codes.diskFull, 'No free diskspace');
  }
};

/**
 * The folder of a context on one node's disk, as the vendor's vcs.module keeps it (facts J): a folder, or for a
 * zero-downtime deployment of ROOT a link to `ROOT_<time>` beside it, where the tree of the deployment before stays until
 * the next one.
 */
export class Releases {
  readonly #webroot: string;
  /** The folder of contexts as the container sees it. */
  readonly #seenWebroot: string;
  readonly #context: string;
  readonly #say: (line: string) => void;

  private constructor(webroot: string, seenWebroot: string, context: string, say: (line: string) => void) {
    this.#webroot = webroot;
    this.#seenWebroot = seenWebroot;
    this.#context = context;
    this.#say = say;
  }

  static async open(
    nodeFolder: string,
    webroot: string,
    context: string,
    say: (line: string) => void = () => undefined,
  ): Promise<Releases> {
    const folder = join(await placeInNode(nodeFolder, `${webroot}/any`), '..');
    await mkdir(folder, { recursive: true });
    return new Releases(folder, webroot, context, say);
  }

  /** Returns where the context's files are on this machine's disk, even behind the link, whether they exist or not. */
  async tree(): Promise<string> {
    const linked = await this.#linked();
    return linked === undefined ? this.#live : this.#at(linked);
  }

  /** Returns the folder for a deployment that isn't zero-downtime, and undoes those that were. */
  async plainTree(): Promise<string> {
    const linked = await this.#linked();
    if (linked === undefined) return this.#live;
    await rm(this.#live);
    await demandSpace(() => rename(this.#at(linked), this.#live));
    await this.#removeReleases();
    return this.#live;
  }

  /** Returns the next tree of a zero-downtime deployment, a copy of the current one, and removes the one before that. */
  async nextTree(now: number): Promise<string> {
    const releases = await this.#releases();
    // The vendor's names have seconds, and the deployments of a test would collide.
    let time = now;
    while (releases.includes(releaseName(time))) time += 1000;
    const next = releaseName(time);
    const linked = await this.#linked();
    const current = linked !== undefined && releases.includes(linked) ? linked : releases.at(-1);
    let previous = linked === undefined ? undefined : releases.find((name) => name !== current);
    if (linked === undefined && current !== undefined && (await kindOf(this.#live)) === 'absent') {
      await this.switchTo(this.#at(current));
    }
    if ((await kindOf(this.#live)) === 'folder') {
      // Until the switch, or until the next deployment if this one fails, the context has no files.
      await rename(this.#live, this.#at(next));
      this.#say(`Copying content of the ROOT directory to ${next}`);
    }
    const all = await this.#releases();
    if (previous === undefined && all.length > 1) previous = all.at(-2);
    if (previous !== undefined && previous !== current) {
      await remove(this.#at(previous));
      this.#say(`Removing old deprecated context directory ${previous}`);
    }
    if (current !== undefined) {
      await demandSpace(() => cp(this.#at(current), this.#at(next), { recursive: true, verbatimSymlinks: true }));
      this.#say(`Copying application files from ${current} to ${next}`);
    }
    return this.#at(next);
  }

  /** Makes the link lead to a tree. */
  async switchTo(tree: string): Promise<void> {
    await rm(this.#live, { force: true });
    await symlink(`${this.#seenWebroot}/${basename(tree)}`, this.#live);
    this.#say(`Switching the document root to new context directory ${basename(tree)}`);
  }

  /** Removes all files of the context. The folder ROOT itself stays. */
  async remove(): Promise<void> {
    await remove(this.#live);
    if (this.#context !== 'ROOT') return;
    await this.#removeReleases();
    await mkdir(this.#live);
  }

  /** Moves the files to another context, whose folder loses its own. The folder ROOT stays. */
  async moveTo(other: Releases): Promise<void> {
    await remove(other.#live);
    const tree = await this.tree();
    if ((await kindOf(tree)) === 'folder') await rename(tree, other.#live);
    else await mkdir(other.#live);
    await this.remove();
  }

  get #live(): string {
    return this.#at(this.#context);
  }

  #at(name: string): string {
    return join(this.#webroot, name);
  }

  /** Returns the name of the tree behind the link. */
  async #linked(): Promise<string | undefined> {
    if ((await kindOf(this.#live)) !== 'link') return undefined;
    // A link to anywhere else isn't followed, because it may lead outside the node here.
    const target = await readlink(this.#live);
    const name = basename(target);
    if (target === `${this.#seenWebroot}/${name}` && release.test(name)) return name;
    throw new Refusal(codes.deployFailed, `the folder of the context [${this.#context}] is a link to somewhere else`);
  }

  async #releases(): Promise<readonly string[]> {
    return (await readdir(this.#webroot)).filter((name) => release.test(name)).sort();
  }

  async #removeReleases(): Promise<void> {
    const releases = await this.#releases();
    for (const name of releases) await remove(this.#at(name));
    this.#say(`Removing deprecated ROOT context directories ${releases.join(' ')}`);
  }
}
