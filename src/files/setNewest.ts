/** Sets the newest entry of a map, and drops the oldest ones beyond a bound. */
export function setNewest<K, V>(map: Map<K, V>, key: K, value: V, most: number): void {
  map.delete(key);
  map.set(key, value);
  for (const oldest of map.keys()) {
    if (map.size <= most) {
      return;
    }
    map.delete(oldest);
  }
}
