/**
 * Reads a fact once and answers it again to everybody who asks under the same key. It lives for one request that only
 * reads, so that screens whose parts ask for the same facts cost one query each; a key names its organisation.
 */
export type Memory = <T>(key: string, read: () => Promise<T>) => Promise<T>;

/** An empty memory. A read that fails is forgotten, so that the next one to ask tries again. */
export function createMemory(): Memory {
  const held = new Map<string, Promise<unknown>>();
  return <T>(key: string, read: () => Promise<T>): Promise<T> => {
    const known = held.get(key) as Promise<T> | undefined;
    if (known) return known;
    const reading = read();
    held.set(key, reading);
    reading.catch(() => held.delete(key));
    return reading;
  };
}
