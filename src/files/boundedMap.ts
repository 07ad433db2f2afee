/** A map that drops its oldest entries beyond a limit. Setting an entry again makes it the newest. */
export class BoundedMap<K, V> extends Map<K, V> {
  constructor(private readonly limit: number) {
    super();
  }

  override set(key: K, value: V): this {
    this.delete(key);
    super.set(key, value);
    for (const oldest of this.keys()) {
      if (this.size <= this.limit) {
        break;
      }
      this.delete(oldest);
    }
    return this;
  }
}
