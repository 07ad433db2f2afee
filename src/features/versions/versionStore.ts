import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import * as v from 'valibot';
import { KeyedQueue } from '../../async/waiting';
import { type FilePlace, keyOf } from '../../containers/place';
import { digestOf, JsonFolder, storedPlace } from '../../storage/jsonFolder';

const version = v.object({
  place: storedPlace,
  at: v.number(),
  text: v.string(),
  /** Whether a save found this text, so that only what came after it has a known time. */
  isFound: v.boolean(),
});

const followed = v.object({
  at: v.number(),
  place: storedPlace,
  what: v.picklist(['restart', 'failedRestart', 'redeploy', 'failedRedeploy']),
});

/** What happened on a node, or on a whole layer, after files were saved. */
export type Followed = v.InferOutput<typeof followed>['what'];

/** A file's text on one node after a save, or before the first save that was kept. */
export interface FileVersion extends v.InferOutput<typeof version> {
  /** What happened on its node before the next version. */
  readonly followed: readonly Followed[];
}

interface VersionLimits {
  readonly perFile: number;
  /** On the disk, of all versions of an account together. */
  readonly bytes: number;
  /** In milliseconds. */
  readonly age: number;
}

const day = 86_400_000;
/** Of an environment. */
const maxFollowed = 200;
const usualLimits: VersionLimits = { perFile: 50, bytes: 20_000_000, age: 30 * day };

/**
 * Keeps on this computer what each file had after verified saves, so that it can be compared and restored. Only the owner
 * can read it, like everything that Gantry stores.
 */
export class VersionStore {
  private readonly kept;
  private readonly followed;
  /** By account. What is noted while an account is forgotten is forgotten, too. */
  private readonly queue = new KeyedQueue();

  constructor(
    readonly folder: string,
    private readonly limits: VersionLimits = usualLimits,
    private readonly now: () => number = Date.now,
  ) {
    this.kept = new JsonFolder(folder, version);
    this.followed = new JsonFolder(join(folder, 'followed'), v.array(followed));
  }

  /** Keeps the text that a save wrote, and the one before if that isn't kept yet. */
  note(place: FilePlace, before: string | undefined, text: string): Promise<void> {
    return this.queue.take(place.account, async () => {
      const at = this.now();
      const newest = (await this.kept.keys(folderOf(place))).at(-1);
      const last = newest === undefined ? undefined : (await this.kept.read(newest))?.text;
      if (before !== undefined && before !== last && before !== text) {
        await this.add({ place, at: at - 1, text: before, isFound: true });
      }
      if (text !== (before ?? last)) {
        await this.add({ place, at, text, isFound: false });
      }
      await this.removeExcess(place.account);
    });
  }

  /** Removes what is beyond the limits. */
  prune(account: string): Promise<void> {
    return this.queue.take(account, async () => {
      await this.removeExcess(account);
      await this.removeOldEvents(account);
    });
  }

  /** Remembers what happened on a node, or on all nodes of a layer. */
  noteFollowed(place: FilePlace, what: Followed): Promise<void> {
    return this.queue.take(place.account, async () => {
      const at = this.now();
      await this.followed.change(eventsOf(place), async (file) => {
        const recent = ((await file.read()) ?? []).filter((one) => this.isRecent(one.at));
        await file.write([...recent, { at, place, what }].slice(-maxFollowed));
      });
    });
  }

  /** Returns the versions of a file on one node, newest first. */
  async of(place: FilePlace): Promise<readonly FileVersion[]> {
    const { nodeGroup, nodeId } = place.target;
    const events = ((await this.followed.read(eventsOf(place))) ?? []).filter(
      ({ place: { target } }) => target.nodeGroup === nodeGroup && [undefined, nodeId].includes(target.nodeId),
    );
    const oldest = this.now() - this.limits.age;
    const versions = [...(await this.kept.list(folderOf(place))).values()].filter(({ at }) => at >= oldest);
    return versions
      .map((one, index) => {
        const next = versions[index + 1]?.at ?? Number.POSITIVE_INFINITY;
        const since = events.filter(({ at }) => at >= one.at && at < next);
        return { ...one, followed: [...new Set(since.map(({ what }) => what))] };
      })
      .reverse();
  }

  forgetAccount(account: string): Promise<void> {
    return this.queue.take(account, async () => {
      await Promise.all([this.kept, this.followed].map((folder) => folder.removeAll(digestOf(account))));
    });
  }

  private isRecent(moment: number): boolean {
    return this.now() - moment <= this.limits.age;
  }

  private async removeOldEvents(account: string): Promise<void> {
    for (const key of await this.followed.keys(digestOf(account))) {
      // Each file is read right before it's written, so that an event that another window adds meanwhile isn't lost.
      await this.followed.change(key, async (file) => {
        const events = (await file.read()) ?? [];
        const recent = events.filter(({ at }) => this.isRecent(at));
        if (events.length > 0 && recent.length === 0) {
          await file.remove();
        } else if (recent.length < events.length) {
          await file.write(recent);
        }
      });
    }
  }

  private add(one: v.InferOutput<typeof version>): Promise<void> {
    // As it's written, which may be several times as long as the text.
    const bytes = Buffer.byteLength(JSON.stringify(one));
    const name = `${String(one.at).padStart(15, '0')}-${bytes}-${randomUUID().slice(0, 8)}`;
    return this.kept.write(`${folderOf(one.place)}/${name}`, one);
  }

  /** Removes the oldest versions. Their names say when they were made, and how long they are. */
  private async removeExcess(account: string): Promise<void> {
    const newestFirst = [...(await this.kept.keys(digestOf(account)))].sort(
      (one, other) => timeIn(other) - timeIn(one),
    );
    const counts = new Map<string, number>();
    let bytes = 0;
    for (const key of newestFirst) {
      const file = key.slice(0, key.lastIndexOf('/'));
      const count = (counts.get(file) ?? 0) + 1;
      counts.set(file, count);
      bytes += bytesIn(key);
      if (count > this.limits.perFile || bytes > this.limits.bytes || !this.isRecent(timeIn(key))) {
        await this.kept.remove(key);
      }
    }
  }
}

function folderOf(place: FilePlace): string {
  return `${digestOf(place.account)}/${digestOf(keyOf(place))}`;
}

function eventsOf({ account, environment }: FilePlace): string {
  return `${digestOf(account)}/${digestOf(environment)}`;
}

function partsOf(key: string): readonly string[] {
  return key.slice(key.lastIndexOf('/') + 1).split('-');
}

function timeIn(key: string): number {
  return Number(partsOf(key)[0]);
}

function bytesIn(key: string): number {
  return Number(partsOf(key)[1]);
}
