import { type FilePlace, keyOf } from '../remote/place';
import { type Found, lookAtText, type SavingFiles } from './saving/found';
import type { KeptText } from './saving/keptText';
import type { KeptTexts } from './saving/keptTexts';

/** A save that a window did not live to see the end of. */
export interface Unfinished {
  readonly kept: KeptText;
  readonly text: string;
  readonly place: FilePlace;
  /** What the platform holds now: what the edit began with, something else, or it cannot be asked. */
  readonly now: 'asBefore' | 'changed' | 'unreachable';
  readonly found: Found | undefined;
}

export interface RecoveryAround {
  readonly kept: KeptTexts;
  readonly files: SavingFiles;
  isHeldElsewhere(kept: KeptText): Promise<boolean>;
  /** Whether an editor holds the text already. */
  isBeingEdited(place: FilePlace): boolean;
  isSignedIn(account: string): boolean;
}

/** Edits are let go of when nobody has come back to them for this long. */
const longestKept = 30 * 24 * 60 * 60 * 1000;

/** Finds the saves that broke off, and compares each with what is on the platform. */
export class Recovery {
  constructor(private readonly around: RecoveryAround) {}

  /** One that did arrive after all is let go of without a word. */
  async unfinished(): Promise<readonly Unfinished[]> {
    const { kept } = this.around;
    await kept.discardOlderThan(longestKept);
    const all = new Map<string, KeptText>();
    for (const one of await kept.list()) {
      const key = keyOf(one.place);
      // The newest comes first; what another window kept of the same file before is behind it.
      if (one.text !== undefined && !all.has(key) && !(await this.around.isHeldElsewhere(one))) {
        all.set(key, one);
      }
    }
    const offered = [...all.values()].filter(
      (one) => !kept.isOurs(one) && this.around.isSignedIn(one.place.account) && !this.around.isBeingEdited(one.place),
    );
    const looked = await Promise.all(offered.map((one) => this.look(one)));
    return looked.filter((one) => one !== undefined);
  }

  async discard({ kept }: Unfinished): Promise<void> {
    await this.around.kept.discard(kept);
  }

  private async look(kept: KeptText): Promise<Unfinished | undefined> {
    const { place, text = '' } = kept;
    try {
      const found = await lookAtText(this.around.files, place);
      if (found.kind === 'text' && found.whole && found.text === text) {
        await this.around.kept.discard(kept);
        return undefined;
      }
      return { kept, text, place, found, now: isBase(kept, found) ? 'asBefore' : 'changed' };
    } catch {
      // Why the platform cannot be asked is told to whoever opens the file; the text is offered all the same.
      return { kept, text, place, found: undefined, now: 'unreachable' };
    }
  }
}

function isBase({ base }: KeptText, found: Found): boolean {
  return base.kind === 'version' && found.kind === 'text' && found.text === base.version.text;
}
