/** Pending work by key, as promises that never reject. */
export class PendingWork {
  private readonly all = new Map<string, Set<Promise<void>>>();

  /** Counts the work until it settles, and returns it. */
  add<T>(key: string, work: Promise<T>): Promise<T> {
    const own = this.all.get(key) ?? new Set();
    this.all.set(key, own);
    const end = () => {
      own.delete(ended);
      if (own.size === 0) {
        this.all.delete(key);
      }
    };
    const ended: Promise<void> = work.then(end, end);
    own.add(ended);
    return work;
  }

  in(key: string): readonly Promise<void>[] {
    return [...(this.all.get(key) ?? [])];
  }

  has(key: string): boolean {
    return this.all.has(key);
  }

  get isEmpty(): boolean {
    return this.all.size === 0;
  }
}
