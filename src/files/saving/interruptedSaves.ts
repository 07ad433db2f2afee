import { type FilePlace, keyOf, wholeLayer } from '../../containers/place';
import { type ServerVersion, holdsText, readNodeVersions, type ReadFiles } from './serverFiles';
import type { Backup, Backups } from './saves';

/** A save that didn't finish before its window closed. */
export interface InterruptedSave {
  readonly backup: Backup;
  readonly text: string;
  /** The file without the text: the saved file, or else the same file on the first node that doesn't have the text. */
  readonly place: FilePlace;
  /** The state of the nodes without the text: unchanged base version, changed, or unreachable. */
  readonly now: 'asBefore' | 'changed' | 'unreachable';
  readonly found: ServerVersion | undefined;
  /** Whether nodes that a save to this place doesn't reach also lack the text. */
  readonly isMissingElsewhere: boolean;
}

/** Backups older than this, in milliseconds, are deleted. */
const longestKept = 30 * 24 * 60 * 60 * 1000;

/** Finds interrupted saves and compares each with the server version. */
export class InterruptedSaves {
  constructor(
    private readonly deps: {
      readonly backups: Backups;
      readonly files: ReadFiles;
      isHeldElsewhere(backup: Backup): Promise<boolean>;
      /** Whether an editor already has the text. */
      isBeingEdited(place: FilePlace): boolean;
      isSignedIn(account: string): boolean;
      /** Returns the same file on each node that a write to the place reaches. */
      nodesOf(place: FilePlace): Promise<readonly FilePlace[]>;
    },
  ) {}

  /** Returns the interrupted saves. Silently drops those that did arrive. */
  async unfinished(): Promise<readonly InterruptedSave[]> {
    const { backups } = this.deps;
    await backups.discardOlderThan(longestKept, (one) => this.deps.isHeldElsewhere(one));
    const all = new Map<string, Backup>();
    for (const one of await backups.list()) {
      const key = keyOf(one.place);
      // The newest backup of a file comes first. Skip older ones from other windows.
      if (one.text !== undefined && !all.has(key) && !(await this.deps.isHeldElsewhere(one))) {
        all.set(key, one);
      }
    }
    const offered = [...all.values()].filter(
      (one) => !backups.isOurs(one) && this.deps.isSignedIn(one.place.account) && !this.deps.isBeingEdited(one.place),
    );
    const looked = await Promise.all(offered.map((one) => this.look(one)));
    return looked.filter((one) => one !== undefined).filter(({ place }) => !this.deps.isBeingEdited(place));
  }

  async discard({ backup }: InterruptedSave): Promise<void> {
    await this.deps.backups.discard(backup);
  }

  private async look(backup: Backup): Promise<InterruptedSave | undefined> {
    const { place, text = '', scope } = backup;
    try {
      const nodes = await readNodeVersions(
        this.deps.files,
        await this.deps.nodesOf(scope === 'layer' ? wholeLayer(place) : place),
      );
      const missing = nodes.filter(({ found }) => !holdsText(found, text));
      // A layer shows the content of its first node.
      const own = nodes.find(({ node }) => keyOf(node) === keyOf(place)) ?? nodes[0];
      const [first] = own !== undefined && missing.includes(own) ? [{ ...own, node: place }] : missing;
      if (first === undefined) {
        await this.deps.backups.discard(backup);
        return undefined;
      }
      const now = missing.every(({ found }) => isBase(backup, found)) ? 'asBefore' : 'changed';
      const isMissingElsewhere = missing.length > 1 && first.node.target.nodeId !== undefined;
      return { backup, text, place: first.node, found: first.found, now, isMissingElsewhere };
    } catch {
      // Offer the text anyway. Opening the file reports why the platform can't be reached.
      return { backup, text, place, found: undefined, now: 'unreachable', isMissingElsewhere: scope === 'layer' };
    }
  }
}

function isBase({ base }: Backup, found: ServerVersion): boolean {
  return base.kind === 'version' && found.kind === 'text' && found.text === base.version.text;
}
