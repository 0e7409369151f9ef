/** A map that forgets what was used longest ago. */
export type Lru<V> = { get(key: string): V | undefined; set(key: string, value: V): void };

/** Makes a map of at most `capacity` values. */
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
