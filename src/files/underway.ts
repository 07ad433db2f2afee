/** For which keys work is under way. */
export class Underway {
  private readonly counts = new Map<string, number>();

  /** Until the work settles. */
  add(key: string, work: Promise<unknown>): void {
    this.counts.set(key, (this.counts.get(key) ?? 0) + 1);
    const end = () => {
      const left = (this.counts.get(key) ?? 0) - 1;
      if (left > 0) {
        this.counts.set(key, left);
      } else {
        this.counts.delete(key);
      }
    };
    work.then(end, end);
  }

  has(key: string): boolean {
    return this.counts.has(key);
  }

  get isEmpty(): boolean {
    return this.counts.size === 0;
  }
}
