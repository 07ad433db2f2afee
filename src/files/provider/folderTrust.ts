import type { Memento } from 'vscode';
import type { Listing } from '../../containers/listingCache';
import { childOf, type FilePlace, keyOf } from '../../containers/place';

/** Names by which a folder tells VS Code, its extensions and its agents what to do, as if the developer had said it. */
const instructing: readonly string[] = [
  ...['.vscode', '.devcontainer', '.github', '.mcp.json'],
  ...['AGENTS.md', '.agents', 'CLAUDE.md', 'CLAUDE.local.md', '.claude', '.copilot', '.cursor'],
];

/** A name that is in this list, or that of a file by which a window opens further folders with settings of their own. */
function instructs(name: string): boolean {
  return instructing.includes(name) || name.endsWith('.code-workspace');
}

const key = 'gantry.trustedFolders';

/** A path in an open folder. */
interface InFolder {
  readonly folder: FilePlace;
  readonly path: string;
}

/** A path is visible if it's trusted, or is inside or above a trusted path. */
function isVisible(agreed: string, path: string): boolean {
  return `${path}/`.startsWith(`${agreed}/`) || agreed.startsWith(`${path}/`);
}

type ListFolder = (folder: FilePlace) => Promise<Listing>;

/**
 * A container's files are someone else's. VS Code trusts virtual folders without a question, so what could instruct it is
 * not there for VS Code until the person has agreed to it, folder by folder and name by name. Only what is made in this
 * window is there at once, path by path: whatever else comes into a folder of such a name is still someone else's.
 */
export class FolderTrust {
  private readonly making = new Set<Promise<unknown>>();

  constructor(
    private readonly memento: Memento,
    private readonly openFolders: () => readonly FilePlace[],
  ) {}

  /** What in a folder has not been agreed to. */
  async questionable(folder: FilePlace, list: ListFolder): Promise<readonly string[]> {
    const listing = await list(folder);
    // What appeared in the listing may just have been made here.
    await this.settled();
    const agreed = this.agreed(folder);
    const names = [...listing.keys()].filter((name) => instructs(name) && !agreed.includes(name));
    const all = names.map(async (name) =>
      agreed.some((path) => path.startsWith(`${name}/`)) ? this.holdsMore(folder, name, list) : true,
    );
    const isQuestionable = await Promise.all(all);
    return names.filter((_, index) => isQuestionable[index]);
  }

  /** From now on each of these names and all below it are there. */
  async agree(folder: FilePlace, names: readonly string[]): Promise<void> {
    const agreed = [...new Set([...this.agreed(folder), ...names])];
    await this.memento.update(key, { ...this.all(), [keyOf(folder)]: agreed });
  }

  /** Nothing of an account that was signed out is kept. */
  async forgetAccount(account: string): Promise<void> {
    const others = Object.entries(this.all()).filter(([folder]) => !folder.startsWith(`${account}/`));
    await this.memento.update(key, Object.fromEntries(others));
  }

  /** What was just made in this window is no one else's. Of a folder only itself: others may put something into it. */
  async made(place: FilePlace, kind: 'file' | 'folder'): Promise<void> {
    for (const { folder, path } of this.hiding(place)) {
      await this.agree(folder, [kind === 'folder' ? `${path}/` : path]);
    }
  }

  /** Counts what this window is creating as its own, even before it's there. */
  whileMaking<T>(made: Promise<T>): Promise<T> {
    this.making.add(made);
    const end = () => this.making.delete(made);
    made.then(end, end);
    return made;
  }

  /** Settles when everything that is being made in this window is known to be from here. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.making);
  }

  /** Whether it is, or lies in, something at the top of an open folder that nobody has agreed to. */
  hides(place: FilePlace): boolean {
    return this.hiding(place).length > 0;
  }

  /** Whether it is a folder in which something may be hidden, although it is visible itself. */
  mayHideIn(place: FilePlace): boolean {
    return this.untrusted(place, (agreed, path) => `${path}/`.startsWith(`${agreed}/`)).length > 0;
  }

  /** The open folders that hide it, each with its path from there. */
  private hiding(place: FilePlace): InFolder[] {
    return this.untrusted(place, isVisible);
  }

  private untrusted(place: FilePlace, isTrusted: (agreed: string, path: string) => boolean): InFolder[] {
    const own = keyOf(place);
    return this.openFolders().flatMap((folder) => {
      const above = `${keyOf(folder).replace(/\/$/, '')}/`;
      const path = own.startsWith(above) ? own.slice(above.length) : '';
      const isTrustedHere = this.agreed(folder).some((agreed) => isTrusted(agreed, path));
      return instructs(path.split('/')[0] ?? '') && !isTrustedHere ? [{ folder, path }] : [];
    });
  }

  /** Whether a folder, of which something was made here, holds anything else. */
  private async holdsMore(folder: FilePlace, name: string, list: ListFolder): Promise<boolean> {
    const listing = await list(childOf(folder, name)).catch(() => undefined);
    await this.settled();
    if (listing === undefined) {
      // It may hold more than what was created in this window.
      return true;
    }
    for (const entry of listing.values()) {
      const path = `${name}/${entry.name}`;
      const holdsOwn = entry.isDir && this.agreed(folder).some((agreed) => agreed.startsWith(`${path}/`));
      if (
        !this.agreed(folder).some((agreed) => isVisible(agreed, path)) ||
        (holdsOwn && (await this.holdsMore(folder, path, list)))
      ) {
        return true;
      }
    }
    return false;
  }

  private agreed(folder: FilePlace): readonly string[] {
    return this.all()[keyOf(folder)] ?? [];
  }

  private all(): Readonly<Record<string, readonly string[]>> {
    return this.memento.get<Record<string, readonly string[]>>(key, {});
  }
}
