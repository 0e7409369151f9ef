import { env } from "cloudflare:workers";
import { listShards } from "#core/database/shards.ts";

/** The names of the bindings of every ledger in `wrangler.toml`. */
export const ledgerNames = (): string[] => listShards(env).map((shard) => `LEDGER_${shard}`);

/** Every ledger in `wrangler.toml`. */
export function ledgerBindings(): D1Database[] {
  const bindings = env as unknown as Record<string, D1Database>;
  return ledgerNames().map((name) => bindings[name]!);
}
