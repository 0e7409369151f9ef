/** A map with a size limit that evicts the least recently used value. */
export type Lru<V> = { get(key: string): V | undefined; set(key: string, value: V): void };

/** Creates a map of at most `capacity` values. */
export function createLru<V>(capacity: number): Lru<V> {
  const values = new Map<string, V>();
  return {
    get(key) {
      const value = values.get(key);
      if (value !== undefined) {
        values.delete(key);
        values.set(key, value);
      }
      return value;
    },
    set(key, value) {
      values.delete(key);
      values.set(key, value);
      if (values.size > capacity) values.delete(values.keys().next().value!);
    },
  };
}
