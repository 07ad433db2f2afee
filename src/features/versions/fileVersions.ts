import { KeyedQueue } from '../../async/waiting';
import { type FilePlace, keyOf } from '../../containers/place';
import type { Entry } from '../../files/journal/entry';
import type { Journal } from '../../files/journal/journal';
import { digestOfText } from '../../files/journal/texts';

/** What happened on a node, or on a whole layer, after files were saved. */
export type Followed = 'restart' | 'failedRestart' | 'redeploy' | 'failedRedeploy';

/** A file's text on one node after a save, or before the first save that was kept. */
export interface FileVersion {
  readonly place: FilePlace;
  readonly at: number;
  readonly text: string;
  /** Whether a save found this text, so that only what came after it has a known time. */
  readonly isFound: boolean;
  /** What happened on its node before the next version. */
  readonly followed: readonly Followed[];
}

/** What each file had after verified saves, so that it can be compared and restored. */
export class FileVersions {
  /** By account. */
  private readonly queue = new KeyedQueue();

  constructor(readonly journal: Journal) {}

  /** Keeps the text that a save wrote, and the one before if that isn't kept yet. */
  note(place: FilePlace, before: string | undefined, text: string): Promise<void> {
    return this.queue.take(place.account, async () => {
      const last = (await this.saves(place)).at(-1)?.after?.digest;
      const isFound = before !== undefined && digestOfText(before) !== last;
      if (before === undefined ? digestOfText(text) !== last : text !== before) {
        const found = isFound ? before : undefined;
        await this.journal.append({ place, cause: 'save', state: 'verified', before: found, after: text });
      }
    });
  }

  /** Remembers what happened on a node, or on all nodes of a layer. */
  noteFollowed(place: FilePlace, what: Followed): Promise<void> {
    return this.queue.take(place.account, async () => {
      const cause = what === 'restart' || what === 'failedRestart' ? 'restart' : 'redeploy';
      await this.journal.append({ place, cause, state: what === cause ? 'verified' : 'failed' });
    });
  }

  /** Returns the versions of a file on one node, newest first. */
  async of(place: FilePlace): Promise<readonly FileVersion[]> {
    const { account, environment, target } = place;
    const versions: FileVersion[] = [];
    for (const { at, before, after } of await this.saves(place)) {
      for (const stored of [before, after]) {
        const text = stored && (await this.journal.text(account, stored));
        if (typeof text === 'string') {
          const isFound = stored === before;
          versions.push({ place, at: isFound ? at - 1 : at, text, isFound, followed: [] });
        }
      }
    }
    const followed = (await this.journal.entries(account)).filter(({ place: on }) => {
      const isOn = [undefined, target.nodeId].includes(on.target.nodeId);
      return on.environment === environment && on.target.nodeGroup === target.nodeGroup && isOn;
    });
    return versions
      .map((one, index) => {
        const next = versions[index + 1]?.at ?? Number.POSITIVE_INFINITY;
        const since = followed.filter(({ at }) => at >= one.at && at < next);
        return { ...one, followed: [...new Set(since.flatMap(followedOf))] };
      })
      .reverse();
  }

  private async saves(place: FilePlace) {
    const entries = await this.journal.entries(place.account);
    const isSave = ({ cause, state }: Entry) => cause === 'save' && state === 'verified';
    return entries.filter((entry) => isSave(entry) && keyOf(entry.place) === keyOf(place));
  }
}

function followedOf({ cause, state }: Entry): readonly Followed[] {
  if (cause !== 'restart' && cause !== 'redeploy') {
    return [];
  }
  return [state === 'verified' ? cause : cause === 'restart' ? 'failedRestart' : 'failedRedeploy'];
}
