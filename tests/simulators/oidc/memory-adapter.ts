import type { Adapter, AdapterFactory, AdapterPayload } from "oidc-provider";

/**
 * Stores one provider's interactions, codes and tokens while its process runs. Each provider has its own store and
 * accepts only its own codes.
 */
export function memoryAdapter(): AdapterFactory {
  const kept = new Map<string, AdapterPayload>();
  return (model): Adapter => {
    const keyOf = (id: string) => `${model} ${id}`;
    const findBy = (name: "uid" | "userCode", value: string) =>
      [...kept].find(([key, payload]) => key.startsWith(`${model} `) && payload[name] === value)?.[1];
    return {
      // The provider checks the expiry times in the payload itself.
      upsert: async (id, payload) => void kept.set(keyOf(id), payload),
      find: async (id) => kept.get(keyOf(id)),
      findByUid: async (uid) => findBy("uid", uid),
      findByUserCode: async (userCode) => findBy("userCode", userCode),
      consume: async (id) => {
        const payload = kept.get(keyOf(id));
        if (payload) payload.consumed = Math.floor(Date.now() / 1000);
      },
      destroy: async (id) => void kept.delete(keyOf(id)),
      revokeByGrantId: async (grantId) => {
        for (const [key, payload] of kept) if (payload.grantId === grantId) kept.delete(key);
      },
    };
  };
}
