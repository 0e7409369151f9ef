/** Inflated objects by number; drops the least recently used first. */
export type PayloadCache = {
  get(index: number): Uint8Array | undefined;
  set(index: number, payload: Uint8Array): void;
  /** Empties the cache, because something large needs the memory. */
  clear(): void;
};

/**
 * Keeps up to `limitBytes`, and always the newest entry: a chain of deltas over large files then costs one step per
 * link instead of starting over.
 */
export function createPayloadCache(limitBytes: number): PayloadCache {
  const payloads = new Map<number, Uint8Array>();
  let held = 0;
  return {
    get(index) {
      const payload = payloads.get(index);
      if (payload !== undefined) {
        payloads.delete(index);
        payloads.set(index, payload);
      }
      return payload;
    },
    set(index, payload) {
      held += payload.length - (payloads.get(index)?.length ?? 0);
      payloads.delete(index);
      payloads.set(index, payload);
      for (const [oldest, bytes] of payloads) {
        if (held <= limitBytes || oldest === index) break;
        payloads.delete(oldest);
        held -= bytes.length;
      }
    },
    clear() {
      payloads.clear();
      held = 0;
    },
  };
}
