import type { DBAdapter, DBAdapterInstance, Where } from "better-auth";
import { sha256Hex } from "#core/kernel/crypto.ts";

/**
 * Puts a hash between the identity library and the session table: the library works with tokens, the table holds
 * their SHA-256, so that a copy of the database opens nobody's account. A token has 190 random bits: a plain hash
 * is enough.
 */
export function hashSessionTokens(inner: DBAdapterInstance): DBAdapterInstance {
  return (options) => {
    const adapter = inner(options);
    const outer: DBAdapter = {
      ...adapter,
      create: async (query) => {
        const token = query.model === "session" ? query.data.token : undefined;
        if (typeof token !== "string") return adapter.create(query);
        const stored = await adapter.create({
          ...query,
          data: { ...query.data, token: await sha256Hex(token) },
        });
        return { ...(stored as object), token } as never;
      },
      findOne: async (query) => {
        const found = await adapter.findOne<Record<string, unknown>>(await hashed(query));
        const asked = tokenAsked(query);
        return (found && asked !== null ? { ...found, token: asked } : found) as never;
      },
      findMany: async (query) => adapter.findMany(await hashed(query)),
      update: async (query) => adapter.update(await hashed(query)),
      updateMany: async (query) => adapter.updateMany(await hashed(query)),
      delete: async (query) => adapter.delete(await hashed(query)),
      deleteMany: async (query) => adapter.deleteMany(await hashed(query)),
      // D1 has no interactive transactions; the library's own fallback would hand out the bare adapter.
      transaction: (work) => work(outer),
    };
    return outer;
  };
}

type Query = { model: string; where?: Where[] };

function tokenAsked(query: Query): string | null {
  if (query.model !== "session") return null;
  const value = query.where?.find((condition) => condition.field === "token")?.value;
  return typeof value === "string" ? value : null;
}

async function hashed<Q extends Query>(query: Q): Promise<Q> {
  if (query.model !== "session" || !query.where) return query;
  const where = await Promise.all(
    query.where.map(async (condition) =>
      condition.field === "token" && typeof condition.value === "string"
        ? { ...condition, value: await sha256Hex(condition.value) }
        : condition,
    ),
  );
  return { ...query, where };
}
