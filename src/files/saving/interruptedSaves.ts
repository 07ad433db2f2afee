import { type FilePlace, keyOf, wholeLayer } from '../../containers/place';
import { type ServerVersion, holdsText, readServerVersion, type NodeVersion, type ReadFiles } from './serverFiles';
import type { Backup, Backups } from './backups';

/** A save that a window did not live to see the end of. */
export interface InterruptedSave {
  readonly kept: Backup;
  readonly text: string;
  /** The file that doesn't have the text: the saved file, or else the file on the first other node without the text. */
  readonly place: FilePlace;
  /** What the nodes that lack the text hold now: what the edit began with, something else, or they can't be asked. */
  readonly now: 'asBefore' | 'changed' | 'unreachable';
  readonly found: ServerVersion | undefined;
  /** Whether other nodes, which a save to this place doesn't reach, don't have the text either. */
  readonly isMissingElsewhere: boolean;
}

export interface InterruptedSavesDeps {
  readonly kept: Backups;
  readonly files: ReadFiles;
  isHeldElsewhere(kept: Backup): Promise<boolean>;
  /** Whether an editor holds the text already. */
  isBeingEdited(place: FilePlace): boolean;
  isSignedIn(account: string): boolean;
  /** Returns the same file on each node that a write to the place reaches. */
  nodesOf(place: FilePlace): Promise<readonly FilePlace[]>;
}

/** Edits are let go of when nobody has come back to them for this long. */
const longestKept = 30 * 24 * 60 * 60 * 1000;

/** Finds the saves that broke off, and compares each with what is on the platform. */
export class InterruptedSaves {
  constructor(private readonly deps: InterruptedSavesDeps) {}

  /** One that did arrive after all is let go of without a word. */
  async unfinished(): Promise<readonly InterruptedSave[]> {
    const { kept } = this.deps;
    await kept.discardOlderThan(longestKept, (one) => this.deps.isHeldElsewhere(one));
    const all = new Map<string, Backup>();
    for (const one of await kept.list()) {
      const key = keyOf(one.place);
      // The newest comes first; what another window kept of the same file before is behind it.
      if (one.text !== undefined && !all.has(key) && !(await this.deps.isHeldElsewhere(one))) {
        all.set(key, one);
      }
    }
    const offered = [...all.values()].filter(
      (one) => !kept.isOurs(one) && this.deps.isSignedIn(one.place.account) && !this.deps.isBeingEdited(one.place),
    );
    const looked = await Promise.all(offered.map((one) => this.look(one)));
    return looked.filter((one) => one !== undefined).filter(({ place }) => !this.deps.isBeingEdited(place));
  }

  async discard({ kept }: InterruptedSave): Promise<void> {
    await this.deps.kept.discard(kept);
  }

  private async look(kept: Backup): Promise<InterruptedSave | undefined> {
    const { place, text = '', reach } = kept;
    try {
      const nodes = await this.lookAt(reach === 'layer' ? wholeLayer(place) : place);
      const missing = nodes.filter(({ found }) => !holdsText(found, text));
      // A layer shows the content of its first node.
      const own = nodes.find(({ node }) => keyOf(node) === keyOf(place)) ?? nodes[0];
      const [first] = own !== undefined && missing.includes(own) ? [{ ...own, node: place }] : missing;
      if (first === undefined) {
        await this.deps.kept.discard(kept);
        return undefined;
      }
      const now = missing.every(({ found }) => isBase(kept, found)) ? 'asBefore' : 'changed';
      const isMissingElsewhere = missing.length > 1 && first.node.target.nodeId !== undefined;
      return { kept, text, place: first.node, found: first.found, now, isMissingElsewhere };
    } catch {
      // Why the platform cannot be asked is told to whoever opens the file; the text is offered all the same.
      return { kept, text, place, found: undefined, now: 'unreachable', isMissingElsewhere: reach === 'layer' };
    }
  }

  private async lookAt(place: FilePlace): Promise<readonly NodeVersion[]> {
    const nodes = await this.deps.nodesOf(place);
    return Promise.all(nodes.map(async (node) => ({ node, found: await readServerVersion(this.deps.files, node) })));
  }
}

function isBase({ base }: Backup, found: ServerVersion): boolean {
  return base.kind === 'version' && found.kind === 'text' && found.text === base.version.text;
}
