import { mayHaveHappened } from '../../../platform/changeOnce';
import type { FilePlace } from '../../../containers/place';
import type { ServerVersion, NodeVersion } from '../serverFiles';
import type { SaveOutcome } from '../saveFile';
import type { Reach, SaveJob } from '../saves';

/** What prevents saving an edit, what the user agreed to overwrite, and the scope of its saves. */
export class SaveDecisions {
  private overwritable: readonly ServerVersion[] = [];
  private against: readonly NodeVersion[] = [];
  private wanted: Reach = 'place';
  private nodes: number | undefined;

  constructor(private readonly place: FilePlace) {}

  /** What the next save may overwrite in addition to the base version. */
  get accepted(): readonly ServerVersion[] {
    return this.overwritable;
  }

  get conflict(): readonly NodeVersion[] {
    return this.against;
  }

  get reach(): Reach {
    return this.wanted;
  }

  /** How many nodes the file was saved to, if it was saved to the layer since `reachTo`. */
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
        // Also if only verifying failed, because the text there is the user's own.
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

  /** Restores earlier decisions after undo or redo. */
  restore(accepted: readonly ServerVersion[]): void {
    this.overwritable = accepted;
    this.against = [];
  }

  accept(seen: readonly NodeVersion[]): void {
    this.mayOverwrite(seen.map(({ found }) => found));
    this.against = this.against.filter((finding) => !seen.includes(finding));
  }

  /** Clears the conflict, because it's part of the base version now. */
  rebased(): void {
    this.against = [];
  }

  reachTo(reach: Reach): void {
    this.wanted = reach;
    this.nodes = undefined;
  }

  /** Discards the decisions of a finished edit. Keeps how many nodes it reached. */
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

/** Whether the file has only part of the text, after a full disk or a broken connection. */
function isPartOf(found: ServerVersion, text: string): boolean {
  return found.kind === 'text' && found.whole && text.startsWith(found.text);
}
