import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { type FilePlace, keyOf } from '../containers/place';
import { storedPlace } from '../files/saving/backups';
import { digestOf, JsonFolder } from '../storage/jsonFolder';

const version = v.object({ place: storedPlace, at: v.number(), text: v.string() });

/** A file's text on one node after a save, or before the first save that was kept. */
export type FileVersion = v.InferOutput<typeof version>;

export interface VersionLimits {
  readonly perFile: number;
  /** Of all versions of an account together. */
  readonly bytes: number;
  /** In milliseconds. */
  readonly age: number;
}

const day = 86_400_000;
const usualLimits: VersionLimits = { perFile: 50, bytes: 20_000_000, age: 30 * day };

/**
 * Keeps on this computer what each file had after verified saves, so that it can be compared and restored. Only the owner
 * can read it, like everything that Gantry stores.
 */
export class VersionStore {
  private readonly kept: JsonFolder<FileVersion>;

  constructor(
    folder: string,
    private readonly limits: VersionLimits = usualLimits,
    private readonly now: () => number = Date.now,
  ) {
    this.kept = new JsonFolder(folder, version);
  }

  /** Keeps the text that a save wrote, and the one before if that isn't kept yet. */
  async note(place: FilePlace, before: string | undefined, text: string): Promise<void> {
    const at = this.now();
    const newest = (await this.kept.keys(folderOf(place))).at(-1);
    const last = newest === undefined ? undefined : (await this.kept.read(newest))?.text;
    if (before !== undefined && before !== last && before !== text) {
      await this.add({ place, at: at - 1, text: before });
    }
    if (text !== (before ?? last)) {
      await this.add({ place, at, text });
    }
    await this.prune(digestOf(place.account));
  }

  /** Returns the versions of a file on one node, newest first. */
  async of(place: FilePlace): Promise<readonly FileVersion[]> {
    return [...(await this.kept.list(folderOf(place))).values()].reverse();
  }

  forgetAccount(account: string): Promise<void> {
    return this.kept.removeAll(digestOf(account));
  }

  private add(one: FileVersion): Promise<void> {
    const bytes = Buffer.byteLength(one.text);
    const name = `${String(one.at).padStart(15, '0')}-${bytes}-${randomUUID().slice(0, 8)}`;
    return this.kept.write(`${folderOf(one.place)}/${name}`, one);
  }

  /** Removes the oldest versions beyond the limits. Their names say when they were made, and how long they are. */
  private async prune(account: string): Promise<void> {
    const newestFirst = [...(await this.kept.keys(account))].sort((one, other) => timeIn(other) - timeIn(one));
    const counts = new Map<string, number>();
    let bytes = 0;
    for (const key of newestFirst) {
      const file = key.slice(0, key.lastIndexOf('/'));
      const count = (counts.get(file) ?? 0) + 1;
      counts.set(file, count);
      bytes += bytesIn(key);
      const isOld = this.now() - timeIn(key) > this.limits.age;
      if (count > this.limits.perFile || bytes > this.limits.bytes || isOld) {
        await this.kept.remove(key);
      }
    }
  }
}

function folderOf(place: FilePlace): string {
  return `${digestOf(place.account)}/${digestOf(keyOf(place))}`;
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
