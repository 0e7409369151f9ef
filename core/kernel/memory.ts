/**
 * Reads a value once and returns it to every caller with the same key. Lives for one read-only request, so parts of a
 * screen that need the same data share one query. Keys include the organisation.
 */
export type Memory = <T>(key: string, read: () => Promise<T>) => Promise<T>;

/**
 * Creates a memory. A failed read is forgotten, so the next caller tries again.
 *
 * @param known - Values that are known already, by key.
 */
export function createMemory(known: readonly (readonly [string, unknown])[] = []): Memory {
  const held = new Map<string, Promise<unknown>>(known.map(([key, value]) => [key, Promise.resolve(value)]));
  return <T>(key: string, read: () => Promise<T>): Promise<T> => {
    const known = held.get(key) as Promise<T> | undefined;
    if (known) return known;
    const reading = read();
    held.set(key, reading);
    reading.catch(() => held.delete(key));
    return reading;
  };
}
