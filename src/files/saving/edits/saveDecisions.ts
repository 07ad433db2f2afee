import { mayHaveHappened } from '../../../platform/changeOnce';
import type { FilePlace } from '../../../containers/place';
import type { ServerVersion, NodeVersion } from '../serverFiles';
import type { SaveOutcome } from '../saveFile';
import type { Reach, SaveJob } from '../saves';

/** What stands against saving one edit, what of it the person lets be overwritten, and how far its saves are to reach. */
export class SaveDecisions {
  private overwritable: readonly ServerVersion[] = [];
  private against: readonly NodeVersion[] = [];
  private wanted: Reach = 'place';
  private nodes: number | undefined;

  constructor(private readonly place: FilePlace) {}

  /** What the next save may overwrite besides what the edit began with. */
  get accepted(): readonly ServerVersion[] {
    return this.overwritable;
  }

  get conflict(): readonly NodeVersion[] {
    return this.against;
  }

  get reach(): Reach {
    return this.wanted;
  }

  /** How many nodes of the layer the file was saved on, if it was saved to the layer since `reachTo`. */
  get savedNodes(): number | undefined {
    return this.nodes;
  }

  settled({ text, reach }: SaveJob, outcome: SaveOutcome): void {
    switch (outcome.kind) {
      case 'saved':
        this.nodes = reach === 'layer' ? outcome.nodes.length : undefined;
        break;
      case 'conflict':
        this.against = outcome.nodes;
        break;
      case 'incomplete': {
        this.against = outcome.nodes.filter(({ state }) => state === 'other');
        const parts = this.against.map(({ found }) => found).filter((found) => isPartOf(found, text));
        this.mayOverwrite([attempted(text, this.place), ...parts]);
        break;
      }
      case 'unknown':
        // Also if only the check after the write failed: the written text is the user's own.
        this.mayOverwrite([attempted(text, this.place)]);
        break;
      case 'failed':
        // A write without an answer can still arrive: then the file holds the person's own text.
        if (mayHaveHappened(outcome.cause)) {
          this.mayOverwrite([attempted(text, this.place)]);
        }
        break;
    }
  }

  /** Undo led back to before something was accepted, or redo to after it. */
  restore(accepted: readonly ServerVersion[]): void {
    this.overwritable = accepted;
    this.against = [];
  }

  accept(seen: readonly NodeVersion[]): void {
    this.mayOverwrite(seen.map(({ found }) => found));
    this.against = this.against.filter((finding) => !seen.includes(finding));
  }

  /** What stood against it is part of what the edit begins with now. */
  rebased(): void {
    this.against = [];
  }

  reachTo(reach: Reach): void {
    this.wanted = reach;
    this.nodes = undefined;
  }

  /** They were made for an edit that is over; how far it reached stays known. */
  forget(): void {
    this.overwritable = [];
    this.against = [];
    this.wanted = 'place';
  }

  private mayOverwrite(more: readonly ServerVersion[]): void {
    this.overwritable = [...this.overwritable, ...more];
  }
}

function attempted(text: string, { path }: FilePlace): ServerVersion {
  return { kind: 'text', text, whole: true, entry: { absolutePath: path, name: path, isDir: false } };
}

/** What a full disk, or a connection that broke, has left of the text. */
function isPartOf(found: ServerVersion, text: string): boolean {
  return found.kind === 'text' && found.whole && text.startsWith(found.text);
}
