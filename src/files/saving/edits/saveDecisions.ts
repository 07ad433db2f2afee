import { type FilePlace, keyOf } from '../../../containers/place';
import { mayHaveHappened } from '../../../platform/lostReply';
import type { SaveOutcome } from '../saveFile';
import type { SaveJob, SaveScope } from '../saves';
import type { NodeVersion, ServerVersion } from '../serverFiles';

/** What prevents saving an edit, what the user agreed to overwrite, and the scope of its saves. */
export class SaveDecisions {
  /** What the next save may overwrite in addition to the base version. */
  accepted: readonly ServerVersion[] = [];
  conflict: readonly NodeVersion[] = [];
  scope: SaveScope = 'place';
  /** How many nodes the file was saved to, if it was saved to the layer since `setScope`. */
  savedNodes: number | undefined;

  constructor(private readonly place: FilePlace) {}

  /** @param isOwn whether it was a save of this edit. Only its own text may be overwritten without asking. */
  settled({ text, scope }: SaveJob, outcome: SaveOutcome, isOwn: boolean): void {
    switch (outcome.kind) {
      case 'saved':
        this.savedNodes = scope === 'layer' ? outcome.nodes.length : undefined;
        break;
      case 'conflict':
        this.conflict = outcome.nodes;
        break;
      case 'incomplete':
        this.conflict = outcome.nodes.filter(({ state }) => state === 'other');
        if (isOwn) {
          const parts = this.conflict.map(({ found }) => found).filter((found) => isPartOf(found, text));
          this.mayOverwrite([ownVersion(text, this.place), ...parts]);
        }
        break;
      case 'unknown':
        if (isOwn) {
          // Also if only verifying failed, because the text there is the user's own.
          this.mayOverwrite([ownVersion(text, this.place)]);
        }
        break;
      case 'failed':
        // A write without a response can still arrive, and then the file has the user's own text.
        if (isOwn && mayHaveHappened(outcome.cause)) {
          this.mayOverwrite([ownVersion(text, this.place)]);
        }
        break;
    }
  }

  /** Restores earlier decisions after undo or redo. */
  restore(accepted: readonly ServerVersion[]): void {
    this.accepted = accepted;
    this.conflict = [];
  }

  accept(seen: readonly NodeVersion[]): void {
    this.mayOverwrite(seen.map(({ found }) => found));
    const nodes = new Set(seen.map(({ node }) => keyOf(node)));
    this.conflict = this.conflict.filter(({ node }) => !nodes.has(keyOf(node)));
  }

  setScope(scope: SaveScope): void {
    this.scope = scope;
    this.savedNodes = undefined;
  }

  /** Discards the decisions of a finished edit. Keeps how many nodes it reached. */
  forget(): void {
    this.accepted = [];
    this.conflict = [];
    this.scope = 'place';
  }

  private mayOverwrite(more: readonly ServerVersion[]): void {
    this.accepted = [...this.accepted, ...more];
  }
}

function ownVersion(text: string, { path }: FilePlace): ServerVersion {
  return { kind: 'text', text, whole: true, entry: { absolutePath: path, name: path, isDir: false } };
}

/** Whether the file has only part of the text, after a full disk or a broken connection. */
function isPartOf(found: ServerVersion, text: string): boolean {
  return found.kind === 'text' && found.whole && text.startsWith(found.text);
}
