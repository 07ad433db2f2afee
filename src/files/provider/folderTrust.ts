import * as v from 'valibot';
import type { Listing } from '../../containers/listingCache';
import { childOf, type FilePlace, keyOf } from '../../containers/place';
import { type Memory, StoredRecord } from '../../storage/stores';

/** Names of files and folders that control VS Code, its extensions or agents as if the developer had written them. */
const instructing: readonly string[] = [
  '.vscode',
  '.devcontainer',
  '.github',
  '.mcp.json',
  'AGENTS.md',
  '.agents',
  'CLAUDE.md',
  'CLAUDE.local.md',
  '.claude',
  '.copilot',
  '.cursor',
];

/** Whether the name is in this list or is a workspace file, which opens folders with their own settings. */
function instructs(name: string): boolean {
  return instructing.includes(name) || name.endsWith('.code-workspace');
}

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
 * Decides which files VS Code may see, because a container's files can come from someone else and VS Code trusts
 * virtual folders without asking. Files that could control VS Code are hidden until the user agrees, by folder and
 * name. What is created in this window is visible right away, but only these paths: other files in such a folder stay
 * hidden.
 */
export class FolderTrust {
  private readonly making = new Set<Promise<unknown>>();
  /** The names that the user agreed to, by folder. */
  private readonly stored;

  constructor(
    memory: Memory,
    private readonly openFolders: () => readonly FilePlace[],
  ) {
    this.stored = new StoredRecord(memory, 'gantry.trustedFolders', v.array(v.string()));
  }

  /** Returns the names in a folder that the user hasn't agreed to. */
  async questionable(folder: FilePlace, list: ListFolder): Promise<readonly string[]> {
    const listing = await list(folder);
    // New names in the listing may just have been created here.
    await this.settled();
    const agreed = this.agreed(folder);
    const names = [...listing.keys()].filter((name) => instructs(name) && !agreed.includes(name));
    const all = names.map(async (name) =>
      agreed.some((path) => path.startsWith(`${name}/`)) ? this.holdsMore(folder, name, list) : true,
    );
    const isQuestionable = await Promise.all(all);
    return names.filter((_, index) => isQuestionable[index]);
  }

  /** Makes each of these names visible, and everything below it. */
  async agree(folder: FilePlace, names: readonly string[]): Promise<void> {
    const agreed = [...new Set([...this.agreed(folder), ...names])];
    await this.stored.set(keyOf(folder), agreed);
  }

  /** Deletes everything stored for an account that was signed out. */
  async forgetAccount(account: string): Promise<void> {
    await this.stored.remove((folder) => folder.startsWith(`${account}/`));
  }

  /** Trusts what was created in this window. For a folder, that doesn't include content that others add. */
  async made(place: FilePlace, kind: 'file' | 'folder'): Promise<void> {
    for (const { folder, path } of this.hiding(place)) {
      await this.agree(folder, [kind === 'folder' ? `${path}/` : path]);
    }
  }

  /** Keeps track of what this window is creating, before the platform confirms it. */
  whileMaking<T>(made: Promise<T>): Promise<T> {
    this.making.add(made);
    const end = () => this.making.delete(made);
    made.then(end, end);
    return made;
  }

  /** Resolves when everything being created in this window is known to be trusted. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.making);
  }

  /** Whether the place is hidden: at or below an untrusted name at the top of an open folder. */
  hides(place: FilePlace): boolean {
    return this.hiding(place).length > 0;
  }

  /** Whether it's a visible folder that may contain hidden entries. */
  mayContainHidden(place: FilePlace): boolean {
    return this.untrusted(place, (agreed, path) => `${path}/`.startsWith(`${agreed}/`)).length > 0;
  }

  /** Returns the open folders that hide the place, each with the path relative to it. */
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

  /** Whether a folder contains anything that wasn't created here. */
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
    return this.stored.get(keyOf(folder)) ?? [];
  }
}
