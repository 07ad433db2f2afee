import type { Memento } from 'vscode';
import type { Listing } from '../remote/knownListings';
import { type FilePlace, keyOf } from '../remote/place';

/** Names by which a folder tells VS Code, its extensions and its agents what to do, as if the developer had said it. */
const instructing: readonly string[] = ['.vscode', '.mcp.json', '.claude', '.github', '.devcontainer'];

const key = 'gantry.trustedFolders';

/**
 * A container's files are someone else's. VS Code trusts virtual folders without a question, so what could instruct it is
 * not there for VS Code until the person has agreed to it, folder by folder and name by name.
 */
export class FolderTrust {
  constructor(
    private readonly memento: Memento,
    private readonly openFolders: () => readonly FilePlace[],
  ) {}

  /** What in a folder has not been agreed to. */
  questionable(folder: FilePlace, listing: Listing): readonly string[] {
    const agreed = this.agreed(folder);
    return instructing.filter((name) => listing.has(name) && !agreed.includes(name));
  }

  async agree(folder: FilePlace, names: readonly string[]): Promise<void> {
    const agreed = [...new Set([...this.agreed(folder), ...names])];
    await this.memento.update(key, { ...this.all(), [keyOf(folder)]: agreed });
  }

  /** Whether it is, or lies in, something at the top of an open folder that nobody has agreed to. */
  hides(place: FilePlace): boolean {
    const own = keyOf(place);
    return this.openFolders().some((folder) => {
      const above = `${keyOf(folder).replace(/\/$/, '')}/`;
      const [name = ''] = own.startsWith(above) ? own.slice(above.length).split('/') : [];
      return instructing.includes(name) && !this.agreed(folder).includes(name);
    });
  }

  private agreed(folder: FilePlace): readonly string[] {
    return this.all()[keyOf(folder)] ?? [];
  }

  private all(): Readonly<Record<string, readonly string[]>> {
    return this.memento.get<Record<string, readonly string[]>>(key, {});
  }
}
