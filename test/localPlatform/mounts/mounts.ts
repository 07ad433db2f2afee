import { join } from 'node:path';
import * as v from 'valibot';
import { openKept, type Kept } from '../kept';

const mountSchema = v.strictObject({
  /** The node and path where the data appears. */
  nodeId: v.number(),
  path: v.string(),
  name: v.string(),
  /** The node and path of the data. */
  sourceNodeId: v.number(),
  sourcePath: v.string(),
  sourceHost: v.string(),
  sourceAddressType: v.picklist(['IP', 'DOMAIN', 'NODE_GROUP']),
  protocol: v.string(),
  readOnly: v.boolean(),
});
export type Mount = v.InferOutput<typeof mountSchema>;

const keptSchema = v.array(mountSchema);

const covers = (mount: Mount, path: string): boolean => path === mount.path || path.startsWith(`${mount.path}/`);

/** All mount points of the platform. */
export class Mounts {
  readonly #kept: Kept<Mount[]>;

  private constructor(kept: Kept<Mount[]>) {
    this.#kept = kept;
  }

  static async open(dataFolder: string): Promise<Mounts> {
    return new Mounts(await openKept(join(dataFolder, 'mounts.json'), keptSchema, []));
  }

  get all(): readonly Mount[] {
    return this.#kept.value;
  }

  on(nodeId: number): readonly Mount[] {
    return this.all.filter((mount) => mount.nodeId === nodeId);
  }

  at(nodeId: number, path: string): Mount | undefined {
    return this.on(nodeId).find((mount) => mount.path === path);
  }

  /** Returns the innermost mount that covers a path. */
  covering(nodeId: number, path: string): Mount | undefined {
    return this.on(nodeId)
      .filter((mount) => covers(mount, path))
      .reduce<Mount | undefined>(
        (inner, mount) => (inner === undefined || mount.path.length > inner.path.length ? mount : inner),
        undefined,
      );
  }

  /** Whether anything is mounted at a path or below it. */
  isBusy(nodeId: number, path: string): boolean {
    const below = path === '/' ? '/' : `${path}/`;
    return this.on(nodeId).some((mount) => mount.path === path || mount.path.startsWith(below));
  }

  /** Whether data of one node is visible on another, directly or through other nodes. */
  reaches(sourceNodeId: number, nodeId: number, seen: ReadonlySet<number> = new Set()): boolean {
    if (seen.has(nodeId)) return false;
    const sources = this.on(nodeId).map((mount) => mount.sourceNodeId);
    const further = new Set([...seen, nodeId]);
    return sources.includes(sourceNodeId) || sources.some((source) => this.reaches(sourceNodeId, source, further));
  }

  async add(mounts: readonly Mount[]): Promise<void> {
    this.#kept.value.push(...mounts);
    await this.#kept.save();
  }

  async remove(gone: (mount: Mount) => boolean): Promise<number> {
    const before = this.all.length;
    this.#kept.value = this.#kept.value.filter((mount) => !gone(mount));
    await this.#kept.save();
    return before - this.all.length;
  }
}
