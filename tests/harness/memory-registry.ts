import type { ObjectRegistry, StoredObject } from "#core/vault/types.ts";

/** The ledger's list of objects, in memory. */
export type MemoryRegistry = ObjectRegistry & {
  reserved: Map<string, { id: string; kind: string; key: string; itemId: string; runId: string }>;
  stored: Map<string, StoredObject>;
};

/** A registry for tests. As the ledger does, it refuses to complete an object that was never reserved. */
export function memoryRegistry(): MemoryRegistry {
  const reserved: MemoryRegistry["reserved"] = new Map();
  const stored: MemoryRegistry["stored"] = new Map();
  return {
    reserved,
    stored,
    async reserve(object) {
      reserved.set(object.id, object);
    },
    async complete(object) {
      if (!reserved.has(object.id)) throw new Error(`${object.id} was never reserved`);
      stored.set(object.id, object);
    },
    async findStream(itemId, hash) {
      for (const object of stored.values()) {
        if (object.kind === "stream" && object.hash === hash && reserved.get(object.id)?.itemId === itemId)
          return object;
      }
      return null;
    },
    async discard(ids) {
      for (const id of ids) {
        reserved.delete(id);
        stored.delete(id);
      }
    },
  };
}
